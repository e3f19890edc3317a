package stablein

import (
	"net/url"

	"github.com/go-json-experiment/json/jsontext"

	"onceshop/payment"
)

// answer is about one order: the order itself, or an object that has it.
type answer struct {
	bare, inside order
	paymentURL   word
}

func (a *answer) read(dec *jsontext.Decoder) error {
	return readObject(dec, append(a.bare.members(),
		member{"order", &a.inside},
		member{"paymentUrl", &a.paymentURL},
	)...)
}

func readAnswer(what string, data []byte) (answer, payment.Snapshot, error) {
	ans := answer{bare: newOrder(), inside: newOrder(), paymentURL: word{max: maxPage}}
	if err := readDocument(data, &ans); err != nil {
		return ans, payment.Snapshot{}, unreadable(what, err.Error())
	}
	o := &ans.bare
	if ans.inside.id != "" {
		o = &ans.inside
	}
	s, err := o.snapshot()
	if err != nil {
		return ans, s, unreadable(what, err.Error())
	}
	return ans, s, nil
}

// maxPage is the longest address our records hold.
const maxPage = 2000

// isPage keeps a buyer from being sent to anything but a web page.
func isPage(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func readAnswerAbout(what, ref string, data []byte) (payment.Snapshot, error) {
	_, s, err := readAnswer(what, data)
	if err == nil && s.Ref != ref {
		return payment.Snapshot{}, unreadable(what, "is about another payment")
	}
	return s, err
}
