package fulfillment_test

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"net"
	"net/http/httptest"
	"net/mail"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"onceshop/fulfillment"
)

// postOffice is a mail server on this machine that keeps what it accepts.
type postOffice struct {
	testing.TB
	server *smtp.Server
	addr   string
	roots  *x509.CertPool

	mu       sync.Mutex
	letters  []letter
	sessions int
	signedIn string             // the credentials it was shown
	onMail   error              // its answer to the sender
	onRcpt   func(string) error // its answer to a recipient
	onData   func() error       // its answer to the content, which it has read
}

// letter is a mail as it arrived.
type letter struct{ from, to, raw string }

type office struct {
	user, password string // nobody needs to sign in if empty
	tls            bool   // offer STARTTLS
	implicit       bool   // TLS from the first byte
	utf8           bool   // take addresses in any script
}

func openPostOffice(t testing.TB, o office) *postOffice {
	t.Helper()
	p := &postOffice{TB: t, roots: x509.NewCertPool()}
	p.server = smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.sessions++
		return &session{office: p, wants: o}, nil
	}))
	p.server.ErrorLog = log.New(io.Discard, "", 0)
	p.server.Domain = "post.test"
	p.server.AllowInsecureAuth = true
	p.server.EnableSMTPUTF8 = o.utf8

	borrowed := httptest.NewTLSServer(nil) // for its certificate, which is good for 127.0.0.1
	p.roots.AddCert(borrowed.Certificate())
	config := &tls.Config{Certificates: borrowed.TLS.Certificates}
	borrowed.Close()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p.addr = listener.Addr().String()
	switch {
	case o.implicit:
		listener = tls.NewListener(listener, config)
	case o.tls:
		p.server.TLSConfig = config
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = p.server.Serve(listener) })
	t.Cleanup(func() {
		p.close()
		_ = listener.Close() // of a server that was closed before it began to serve
		serving.Wait()
	})
	return p
}

// close ends the server and its connections. Twice is as good as once.
func (p *postOffice) close() { _ = p.server.Close() }

// sender is an SMTP that goes to this server.
func (p *postOffice) sender(parameters string) *fulfillment.SMTP {
	p.Helper()
	s, err := fulfillment.NewSMTP("smtp://" + p.addr + parameters)
	if err != nil {
		p.Fatal(err)
	}
	s.Roots = p.roots
	return s
}

// got returns the accepted mails so far.
func (p *postOffice) got() []letter {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.letters)
}

func (p *postOffice) refuseRecipients(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.onRcpt = nil
	if err != nil {
		p.onRcpt = func(string) error { return err }
	}
}

// session is one conversation, from the server's side.
type session struct {
	office   *postOffice
	wants    office
	signedIn bool
	from, to string
}

func (s *session) AuthMechanisms() []string {
	if s.wants.user == "" {
		return nil
	}
	return []string{sasl.Plain}
}

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		s.office.mu.Lock()
		s.office.signedIn = user + ":" + password
		s.office.mu.Unlock()
		if user != s.wants.user || password != s.wants.password {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "no " + user + " with " + password}
		}
		s.signedIn = true
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	s.from = from
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	if s.wants.user != "" && !s.signedIn {
		return smtp.ErrAuthRequired
	}
	return s.office.onMail
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	s.office.mu.Lock()
	answer := s.office.onRcpt
	s.office.mu.Unlock()
	if answer != nil {
		return answer(to)
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	s.office.mu.Lock()
	answer := s.office.onData
	s.office.mu.Unlock()
	if answer != nil {
		if err := answer(); err != nil {
			return err
		}
	}
	s.office.mu.Lock()
	defer s.office.mu.Unlock()
	s.office.letters = append(s.office.letters, letter{s.from, s.to, string(raw)})
	return nil
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// opened is a letter as its reader sees it.
type opened struct {
	mail.Header
	Subject, Text, HTML string
}

// open decodes a mail as a mail program does.
func open(t testing.TB, raw string) opened {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, raw)
	}
	o := opened{Header: m.Header}
	if o.Subject, err = new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject")); err != nil {
		t.Fatal(err)
	}
	kind, parameters, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatalf("content type %q: %v", kind, err)
	}
	parts := multipart.NewReader(m.Body, parameters["boundary"])
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return o
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(content), "\r\n", "\n")
		switch kind := part.Header.Get("Content-Type"); kind {
		case "text/plain; charset=UTF-8":
			o.Text = text
		case "text/html; charset=UTF-8":
			o.HTML = text
		default:
			t.Errorf("unexpected part %q", kind)
		}
	}
}
