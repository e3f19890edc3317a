package fulfillment

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/mail"
	"net/url"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
)

// Mail is a message to a buyer. Every attempt to send it has the same ID, so that
// a mailbox that got it twice can show it once (promise 8).
type Mail struct {
	ID      string // the Message-ID without its brackets
	From    mail.Address
	To      string
	Subject string
	Text    string
	HTML    string
}

// ErrRefused means that a mail was refused for good: trying again is pointless
// until a person has changed something.
var ErrRefused = errors.New("mail refused")

// mailID derives a Message-ID from the job's operation key and the shop's own
// domain, which is that of the order's page. It must not be guessed back to the
// key, which holds the order's id.
func mailID(operationKey, orderURL string) string {
	sum := sha256.Sum256([]byte(operationKey))
	return hex.EncodeToString(sum[:16]) + "@" + domainOf(orderURL)
}

func domainOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return "localhost"
	}
	if domain, err := idna.Lookup.ToASCII(u.Hostname()); err == nil {
		return domain
	}
	// No name of the public DNS: an address, or a host of an inner network.
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '-'
	}, u.Hostname())
}

// message makes the mail one that a mail server takes. An address that can't be
// written to is ErrRefused, like one that the server refuses.
func (m Mail) message(now time.Time) (*gomail.Msg, error) {
	to, err := addressee(m.To)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	msg.FromMailAddress(&m.From)
	msg.ToMailAddress(to)
	msg.Subject(m.Subject)
	msg.SetDateWithValue(now.UTC())
	msg.SetMessageIDWithValue(m.ID)
	// No out-of-office replies, and no threading with the buyer's other orders.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	msg.SetGenHeader("X-Auto-Response-Suppress", "All")
	msg.SetGenHeader("X-Entity-Ref-ID", strings.SplitN(m.ID, "@", 2)[0])
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	return msg, nil
}

// addressee reads a buyer's address, its domain as the DNS writes it. What
// doesn't read back as it is written might say something else in a header. The
// error doesn't repeat the address.
func addressee(typed string) (*mail.Address, error) {
	read, err := mail.ParseAddress(typed)
	if err != nil || read.Address != typed {
		return nil, errors.New("not a mail address")
	}
	at := strings.LastIndexByte(typed, '@')
	if isASCII(typed[at:]) {
		return &mail.Address{Address: typed}, nil
	}
	domain, err := idna.Lookup.ToASCII(typed[at+1:])
	if err != nil {
		return nil, errors.New("not a domain that mail can go to")
	}
	return &mail.Address{Address: typed[:at+1] + domain}, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > '~' })
}
