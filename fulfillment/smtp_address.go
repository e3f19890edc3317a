package fulfillment

import (
	"errors"
	"net"
	"net/url"
	"strings"
)

// NewSMTP reads a mail server's address:
//
//	smtp://user:password@host:587   STARTTLS, which is compulsory
//	smtps://user:password@host:465  TLS from the first byte
//	smtp://127.0.0.1:1025           on this machine: in the clear
//	smtp://mail:1025?tls=none       in the clear, although elsewhere
//	smtp://localhost?tls=starttls   STARTTLS, although on this machine
//
// User and password may be left out. Errors don't repeat the address, which may
// hold a password.
func NewSMTP(address string) (*SMTP, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("mail server: not a URL; characters like @ / # in the password are written %40 %2F %23")
	}
	s := &SMTP{host: u.Hostname(), port: u.Port()}
	if s.security, err = securityOf(u); err != nil {
		return nil, err
	}
	switch {
	case s.host == "":
		return nil, errors.New("mail server: the host is missing; want smtp://user:password@host:587")
	case strings.Trim(u.Path, "/") != "" || u.Fragment != "":
		return nil, errors.New("mail server: something follows host and port; characters like / # in the password are written %2F %23")
	case s.port == "" && s.security == implicitTLS:
		s.port = "465"
	case s.port == "":
		s.port = "587"
	case !validPort(s.port):
		return nil, errors.New("mail server: the port isn't one")
	}
	if u.User != nil {
		s.user = u.User.Username()
		s.password, _ = u.User.Password()
		if s.user == "" || s.password == "" {
			return nil, errors.New("mail server: user and password are given together, or neither")
		}
	}
	return s, nil
}

func securityOf(u *url.URL) (security, error) {
	query := u.Query()
	wanted := query.Get("tls")
	query.Del("tls")
	switch {
	case u.Scheme != "smtp" && u.Scheme != "smtps":
		return 0, errors.New("mail server: want smtp://… or smtps://…")
	case len(query) > 0:
		return 0, errors.New("mail server: the only parameter is tls")
	case u.Scheme == "smtps" && wanted == "":
		return implicitTLS, nil
	case u.Scheme == "smtp" && wanted == "none", u.Scheme == "smtp" && wanted == "" && isLoopback(u.Hostname()):
		return noTLS, nil
	case u.Scheme == "smtp" && (wanted == "" || wanted == "starttls"):
		return startTLS, nil
	}
	return 0, errors.New("mail server: tls is starttls or none, and goes with smtp:// only")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
