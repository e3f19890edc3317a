package fulfillment_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/mail"
	"net/textproto"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"onceshop/fulfillment"
)

func sample() fulfillment.Mail {
	return fulfillment.Mail{
		ID: "0123@shop.example", From: mail.Address{Name: "Shop", Address: "shop@shop.example"}, To: "buyer@example.com",
		Subject: "Your license – here", Text: "the text\n", HTML: "<p>the HTML</p>\n",
	}
}

func TestRepliesDecideBetweenLaterAndNever(t *testing.T) {
	t.Parallel()
	reply := func(code int, enhanced smtp.EnhancedCode) error {
		return &smtp.SMTPError{Code: code, EnhancedCode: enhanced, Message: "says the server"}
	}
	rcpt := func(err error) func(*postOffice) {
		return func(p *postOffice) { p.onRcpt = func(string) error { return err } }
	}
	data := func(err error) func(*postOffice) {
		return func(p *postOffice) { p.onData = func() error { return err } }
	}
	sender := func(err error) func(*postOffice) { return func(p *postOffice) { p.onMail = err } }
	for _, c := range []struct {
		name    string
		arrange func(*postOffice)
		refused bool
		says    string
	}{
		{"no such user", rcpt(reply(550, smtp.EnhancedCode{5, 1, 1})), true, "recipient: the mail server answered 550 5.1.1"},
		{"no such host", rcpt(reply(556, smtp.EnhancedCode{5, 1, 10})), true, "recipient: the mail server answered 556 5.1.10"},
		{"address syntax", rcpt(reply(501, smtp.EnhancedCode{5, 1, 3})), true, "recipient: the mail server answered 501 5.1.3"},
		{"no enhanced code", rcpt(reply(550, smtp.NoEnhancedCode)), true, "recipient: the mail server answered 550"},
		{"mailbox busy", rcpt(reply(450, smtp.EnhancedCode{4, 2, 1})), false, "recipient: the mail server answered 450 4.2.1"},
		{"greylisted", rcpt(reply(451, smtp.EnhancedCode{4, 7, 1})), false, "recipient: the mail server answered 451 4.7.1"},
		{"sign in first", rcpt(reply(530, smtp.EnhancedCode{5, 7, 0})), false, "recipient: the mail server answered 530 5.7.0"},
		{"command unknown", rcpt(reply(503, smtp.EnhancedCode{5, 5, 1})), false, "recipient: the mail server answered 503 5.5.1"},
		{"content refused", data(reply(554, smtp.EnhancedCode{5, 7, 1})), true, "content: the mail server answered 554 5.7.1"},
		{"disk full", data(reply(452, smtp.EnhancedCode{4, 3, 1})), false, "content: the mail server answered 452 4.3.1"},
		{"our address refused", sender(reply(550, smtp.EnhancedCode{5, 7, 1})), false, "sender: the mail server answered 550 5.7.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := openPostOffice(t, office{})
			c.arrange(p)
			err := p.sender("").Send(t.Context(), sample())
			if err == nil || errors.Is(err, fulfillment.ErrRefused) != c.refused || !strings.HasSuffix(err.Error(), c.says) {
				t.Errorf("got %v, want refused %v and %q", err, c.refused, c.says)
			}
			if n := len(p.got()); n != 0 {
				t.Errorf("%d mails were accepted", n)
			}
		})
	}
}

func TestWrongPasswordIsOursToMend(t *testing.T) {
	t.Parallel()
	p := openPostOffice(t, office{user: "shop", password: "right", tls: true})
	s, err := fulfillment.NewSMTP("smtp://shop:wr%40ng@" + p.addr + "?tls=starttls")
	if err != nil {
		t.Fatal(err)
	}
	s.Roots = p.roots
	for name, err := range map[string]error{"send": s.Send(t.Context(), sample()), "check": s.Check(t.Context())} {
		if err == nil || errors.Is(err, fulfillment.ErrRefused) || err.Error() != "sign in: the mail server answered 535 5.7.8" {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if p.signedIn != "shop:wr@ng" {
		t.Errorf("signed in as %q", p.signedIn)
	}
}

func TestMailGoesThroughTLSAfterSigningIn(t *testing.T) {
	t.Parallel()
	for scheme, o := range map[string]office{
		"smtp":  {user: "shop", password: "right", tls: true},
		"smtps": {user: "shop", password: "right", implicit: true},
	} {
		p := openPostOffice(t, o)
		address := scheme + "://shop:right@" + p.addr
		if scheme == "smtp" {
			address += "?tls=starttls"
		}
		s, err := fulfillment.NewSMTP(address)
		if err != nil {
			t.Fatal(err)
		}
		s.Roots = p.roots
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("%s: check: %v", scheme, err)
		}
		if n := len(p.got()); n != 0 {
			t.Errorf("%s: the check sent %d mails", scheme, n)
		}
		if err := s.Send(t.Context(), sample()); err != nil || len(p.got()) != 1 {
			t.Errorf("%s: %v, %d mails", scheme, err, len(p.got()))
		}
	}
}

func TestNothingIsSaidWithoutTheTLSThatWasAskedFor(t *testing.T) {
	t.Parallel()
	plain := openPostOffice(t, office{user: "shop", password: "right"})
	stranger := openPostOffice(t, office{user: "shop", password: "right", tls: true})
	for _, p := range []*postOffice{plain, stranger} {
		s, err := fulfillment.NewSMTP("smtp://shop:right@" + p.addr + "?tls=starttls")
		if err != nil {
			t.Fatal(err)
		}
		s.Roots = x509.NewCertPool() // trusts nobody
		err = s.Send(t.Context(), sample())
		if err == nil || errors.Is(err, fulfillment.ErrRefused) || !strings.HasPrefix(err.Error(), "starttls: ") {
			t.Errorf("got %v", err)
		}
		if p.signedIn != "" || len(p.got()) != 0 {
			t.Errorf("it said %q and sent %d mails", p.signedIn, len(p.got()))
		}
	}
}

func TestCredentialsGoInTheClearOnlyOnThisMachine(t *testing.T) {
	t.Parallel()
	p := openPostOffice(t, office{user: "shop", password: "right"})
	s, err := fulfillment.NewSMTP("smtp://shop:right@" + p.addr)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Send(t.Context(), sample()); err != nil || len(p.got()) != 1 {
		t.Errorf("%v, %d mails", err, len(p.got()))
	}
}

func TestAddressInAnyScriptNeedsAServerThatTakesIt(t *testing.T) {
	t.Parallel()
	m := sample()
	m.To = "żółw@bücher.example"
	refusing := openPostOffice(t, office{})
	if err := refusing.sender("").Send(t.Context(), m); !errors.Is(err, fulfillment.ErrRefused) || strings.Contains(err.Error(), "ż") {
		t.Errorf("got %v, want a refusal that doesn't repeat the address", err)
	}
	taking := openPostOffice(t, office{utf8: true})
	if err := taking.sender("").Send(t.Context(), m); err != nil || len(taking.got()) != 1 || taking.got()[0].to != "żółw@xn--bcher-kva.example" {
		t.Errorf("%v: %+v", err, taking.got())
	}
}

func TestSilentServerDoesNotHoldAWorkerThatIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	s := scriptedServer(t, func(net.Conn) { stop() })
	if err := s.Send(ctx, sample()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the reason of the stop", err)
	}
}

func TestWorkerThatIsStoppedMidwayLeavesNoHalfMail(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	content := make(chan []byte, 1)
	s := scriptedServer(t, func(conn net.Conn) {
		r := textproto.NewReader(bufio.NewReader(conn))
		fmt.Fprint(conn, "220 post.test\r\n")
		for range 3 { // EHLO, MAIL, RCPT
			_, _ = r.ReadLine()
			fmt.Fprint(conn, "250 fine\r\n")
		}
		_, _ = r.ReadLine() // DATA
		fmt.Fprint(conn, "354 go on\r\n")
		stop()
		<-ended // the buffers between us hold far less than the mail
		rest, _ := io.ReadAll(r.R)
		content <- rest
	})
	m := sample()
	m.Text = strings.Repeat("many words\n", 4<<20)
	err := s.Send(ctx, m)
	close(ended)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the reason of the stop", err)
	}
	if got := <-content; bytes.Contains(got, []byte("\r\n.\r\n")) || bytes.Contains(got, []byte("QUIT")) {
		t.Error("the server was told that the mail is complete")
	}
}

// scriptedServer is a server that says what say writes, to one client.
func scriptedServer(t *testing.T, say func(net.Conn)) *fulfillment.SMTP {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var talking sync.WaitGroup
	done := make(chan struct{})
	talking.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		say(conn)
		<-done
	})
	t.Cleanup(func() { listener.Close(); close(done); talking.Wait() })
	s, err := fulfillment.NewSMTP("smtp://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return s
}
