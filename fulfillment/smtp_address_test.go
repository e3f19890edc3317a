package fulfillment

import (
	"strings"
	"testing"
)

func TestMailServerAddressSaysHowPrivateTheTalkIs(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]struct {
		server   string
		security security
	}{
		"smtp://mail.example":                        {"mail.example:587", startTLS},
		"smtp://user:pass@mail.example:2525/":        {"mail.example:2525", startTLS},
		"smtps://user:p%40ss@mail.example":           {"mail.example:465", implicitTLS},
		"smtp://127.0.0.1:1025":                      {"127.0.0.1:1025", noTLS},
		"smtp://[::1]:1025":                          {"[::1]:1025", noTLS},
		"smtp://localhost:1025":                      {"localhost:1025", noTLS},
		"smtp://localhost:1025?tls=starttls":         {"localhost:1025", startTLS},
		"smtp://mail:1025?tls=none":                  {"mail:1025", noTLS},
		"smtp://localhost.example:1025?tls=starttls": {"localhost.example:1025", startTLS},
		"smtp://localhost.example:1025":              {"localhost.example:1025", startTLS},
	} {
		s, err := NewSMTP(address)
		if err != nil || s.String() != want.server || s.security != want.security {
			t.Errorf("%s: %v %v, %v; want %v", address, s, s.security, err, want)
		}
	}
}

func TestWrongMailServerAddressIsExplainedWithoutItsPassword(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "mail.example", "http://secret@mail.example", "smtp://", "smtp://user:secret@:25",
		"smtp://user:secret@mail.example:port", "smtp://user:secret@mail.example:0", "smtp://user:secret@mail.example:65536",
		"smtp://user:sec/ret@mail.example", "smtp://user:sec#ret@mail.example", "smtp://user:secret@mail.example/path",
		"smtp://secret@mail.example", "smtp://:secret@mail.example", "smtp://user:secret@mail.example?tls=maybe",
		"smtp://user:secret@mail.example?verify=no", "smtps://user:secret@mail.example?tls=none", "smtp://user:secret\x00@mail.example",
	} {
		s, err := NewSMTP(address)
		if err == nil {
			t.Errorf("%q: taken as %v", address, s)
		} else if strings.Contains(err.Error(), "ret") && !strings.Contains(err.Error(), "%") || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", address, err)
		} else if !strings.HasPrefix(err.Error(), "mail server: ") {
			t.Errorf("%q: the error doesn't say which setting: %v", address, err)
		}
	}
}
