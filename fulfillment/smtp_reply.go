package fulfillment

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"regexp"
	"strconv"
)

// failed tells what went wrong in a step, for staff to read. Nothing that the
// server wrote is repeated but its codes: replies quote addresses, and some quote
// what they dislike of the content.
func failed(step string, err error) error {
	return fmt.Errorf("%s: %s", step, cause(err))
}

// final is failed, but where the server has spoken its last word about this
// recipient or this content it is ErrRefused.
func final(step string, err error) error {
	var reply *textproto.Error
	if errors.As(err, &reply) && refuses(reply.Code) {
		return refused(step + ": " + cause(err))
	}
	return failed(step, err)
}

func refused(why string) error { return fmt.Errorf("%w: %s", ErrRefused, why) }

// refuses tells a permanent reply about the mail from one about us: commands that
// the server doesn't take (500, 502 to 504) and missing or wrong credentials
// (53x) end when somebody mends the configuration.
func refuses(code int) bool {
	switch {
	case code < 500 || code > 599:
		return false
	case code == 500, 502 <= code && code <= 504, code/10 == 53:
		return false
	}
	return true
}

// cause words an error without any text that came from the other side.
func cause(err error) string {
	var (
		reply       *textproto.Error
		network     *net.OpError
		certificate *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &reply):
		return "the mail server answered " + codes(reply)
	case errors.As(err, &network):
		return network.Error()
	case errors.As(err, &certificate):
		return certificate.Error()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the mail server hung up"
	}
	return fmt.Sprintf("the mail server can't be talked to (%T)", err)
}

// enhanced is the code of RFC 3463 in front of a reply's text. It only matches
// digits, so it can't carry anything else.
var enhanced = regexp.MustCompile(`^[245]\.[0-9]{1,3}\.[0-9]{1,3}\b`)

func codes(reply *textproto.Error) string {
	code := strconv.Itoa(reply.Code)
	if more := enhanced.FindString(reply.Msg); more != "" {
		code += " " + more
	}
	return code
}
