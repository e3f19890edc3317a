package fulfillment

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail/smtp"
)

// SMTP sends mails through a mail server. NewSMTP makes one.
type SMTP struct {
	Roots *x509.CertPool // whose certificates to trust; nil: the system's

	host, port     string
	user, password string
	security       security
}

// security is what keeps the conversation private.
type security int

const (
	startTLS    security = iota // asked for in the clear, and nothing is said without
	implicitTLS                 // from the first byte
	noTLS                       // on this machine, or because the merchant said so
)

// conversation is the time that a whole delivery may take: less than a lease, so
// that a silent server doesn't make the job look abandoned.
const conversation = 20 * time.Second

// String names the server, without the credentials.
func (s *SMTP) String() string { return net.JoinHostPort(s.host, s.port) }

// Check connects and signs in, and sends nothing.
func (s *SMTP) Check(ctx context.Context) error {
	return s.talk(ctx, func(*smtp.Client) error { return nil })
}

// Send hands the mail to the server. Its errors name the step and the server's
// reply code, never the reply itself, which may repeat the address. When the
// answer to the last byte got lost, the mail may have been accepted all the same.
func (s *SMTP) Send(ctx context.Context, m Mail) error {
	msg, err := m.message(time.Now())
	if err != nil {
		return err
	}
	to := msg.GetTo()[0].Address
	return s.talk(ctx, func(c *smtp.Client) error {
		plain := isASCII(to) && isASCII(m.From.Address)
		if international, _ := c.Extension("SMTPUTF8"); !plain && !international {
			return refused("the mail server takes no address with such letters")
		}
		c.SkipSMTPUTF8(plain)
		if err := c.Mail("<" + m.From.Address + ">"); err != nil {
			return failed("sender", err)
		}
		if err := c.Rcpt("<" + to + ">"); err != nil {
			return final("recipient", err)
		}
		w, err := c.Data()
		if err != nil {
			return final("content", err)
		}
		// After a failure in here nothing more must be said, not even QUIT: it would
		// end the content, and half a mail would be delivered.
		if _, err := msg.WriteTo(w); err != nil {
			return failed("content", err)
		}
		if err := w.Close(); err != nil {
			return final("content", err)
		}
		return nil
	})
}

// talk has one conversation with the server: connected, private, signed in.
func (s *SMTP) talk(ctx context.Context, say func(*smtp.Client) error) error {
	limited, cancel := context.WithTimeout(ctx, conversation)
	defer cancel()
	err := s.converse(limited, say)
	switch {
	case err == nil || errors.Is(err, ErrRefused):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return errors.New("the mail server took longer than " + conversation.String())
	}
	return err
}

func (s *SMTP) converse(ctx context.Context, say func(*smtp.Client) error) error {
	conn, err := s.dial(ctx)
	if err != nil {
		return failed("connect", err)
	}
	defer conn.Close()
	// The client below knows no context: losing its connection is what stops it.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()

	c, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return failed("greeting", err)
	}
	if err := c.Hello(helloName()); err != nil {
		return failed("greeting", err)
	}
	if err := s.secure(c); err != nil {
		return err
	}
	if err := s.signIn(c); err != nil {
		return err
	}
	if err := say(c); err != nil {
		return err
	}
	_ = c.Quit() // good manners; what was accepted stays accepted
	return nil
}

func (s *SMTP) dial(ctx context.Context) (net.Conn, error) {
	if s.security == implicitTLS {
		return (&tls.Dialer{Config: s.tls()}).DialContext(ctx, "tcp", s.String())
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", s.String())
}

func (s *SMTP) tls() *tls.Config {
	return &tls.Config{ServerName: s.host, RootCAs: s.Roots, MinVersion: tls.VersionTLS12}
}

func (s *SMTP) secure(c *smtp.Client) error {
	if s.security != startTLS {
		return nil
	}
	if offered, _ := c.Extension("STARTTLS"); !offered {
		return errors.New("starttls: the mail server doesn't offer it; ?tls=none in its address allows to go without")
	}
	if err := c.StartTLS(s.tls()); err != nil {
		return failed("starttls", err)
	}
	return nil
}

// signIn sends the credentials, if there are any. A failure is no refusal of the
// mail: it is our configuration that is wrong, and can be mended.
func (s *SMTP) signIn(c *smtp.Client) error {
	if s.user == "" {
		return nil
	}
	_, offered := c.Extension("AUTH")
	var auth smtp.Auth
	switch mechanisms := " " + strings.ToUpper(offered) + " "; {
	case strings.Contains(mechanisms, " PLAIN "):
		auth = smtp.PlainAuth("", s.user, s.password, s.host, s.security == noTLS)
	case strings.Contains(mechanisms, " LOGIN "):
		auth = smtp.LoginAuth(s.user, s.password, s.host, s.security == noTLS)
	default:
		return errors.New("sign in: the mail server offers neither PLAIN nor LOGIN")
	}
	if err := c.Auth(auth); err != nil {
		return failed("sign in", err)
	}
	return nil
}

func helloName() string {
	name, err := os.Hostname()
	if err != nil || name == "" || !isASCII(name) || strings.ContainsAny(name, " \t\r\n") {
		return "localhost"
	}
	return name
}

func validPort(s string) bool {
	n, err := strconv.Atoi(s)
	return err == nil && n > 0 && n < 1<<16
}
