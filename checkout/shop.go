package checkout

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/mail"
	"strings"
	"time"
	"unicode"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
)

// Shop runs the commands. All fields are required.
type Shop struct {
	DB        *store.DB
	Providers map[string]payment.Creator
	Offered   []string      // those that a buyer may choose from, the preferred one first
	Secret    []byte        // derives the tokens in order addresses; 32 bytes or more
	BaseURL   string        // of the shop's pages, without a slash at the end
	Lifetime  time.Duration // how long an order waits for its payment
	Log       *slog.Logger
}

// NewCartToken returns a token for a buyer's cookie: 160 random bits.
func NewCartToken() string { return rand.Text() }

// OrderToken returns the secret part of an order's address: 192 bits that only
// the shop can derive, so that a mail can repeat the link although the database
// holds no more than its hash. A new version makes the old address worthless.
func (s *Shop) OrderToken(orderID string, version int) string {
	mac := hmac.New(sha256.New, s.Secret)
	fmt.Fprintf(mac, "order-token:%s:%d", orderID, version)
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:24])
}

// OrderURL is the address of an order's page.
func (s *Shop) OrderURL(o db.Order) string {
	return s.BaseURL + "/orders/" + s.OrderToken(o.ID, o.TokenVersion)
}

// HashToken is what the database keeps of a token.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// orderNumber is what buyers and staff read to each other: ten characters without
// look-alikes, in no guessable order. It opens nothing.
func orderNumber() string {
	t := rand.Text() // base32: A-Z and 2-7
	return "OS-" + t[:5] + "-" + t[5:10]
}

// checkEmail returns the address as it is written to, or what is wrong with it.
func checkEmail(typed string) (string, error) {
	email := strings.TrimSpace(typed)
	switch {
	case email == "":
		return "", problem.Bad("email", "Enter the mail address that your license should go to.")
	case len(email) > 254:
		return "", problem.Bad("email", "This mail address is too long.")
	case strings.ContainsFunc(email, func(r rune) bool { return !unicode.IsPrint(r) }):
		return "", problem.Bad("email", "This mail address contains characters that can't be seen.")
	}
	addr, err := mail.ParseAddress(email)
	name, domain, _ := strings.Cut(email, "@")
	if err != nil || addr.Address != email || len(name) > 64 || strings.ContainsAny(name[:1], "=+-@") || !isDomain(domain) {
		return "", problem.Bad("email", "This isn't a mail address; it should look like name@example.com.")
	}
	return email, nil
}

// isDomain tells whether mail could go there: two or more labels of letters, digits
// and inner hyphens. Addresses of machines are none.
func isDomain(domain string) bool {
	labels := strings.Split(domain, ".")
	for _, l := range labels {
		odd := func(r rune) bool {
			return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		}
		if l == "" || len(l) > 63 || l[0] == '-' || l[len(l)-1] == '-' || strings.ContainsFunc(l, odd) {
			return false
		}
	}
	return len(labels) > 1
}
