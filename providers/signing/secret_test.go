package signing_test

import (
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"onceshop/providers/signing"
)

const current = "a-secret-of-today-0123456789"

var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestWeakSecretsAreFoundAndNotRepeated(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"", "whsec_", "whsec_!!!!", " " + current, current + "\n", current[:10] + "\x00" + current[10:], "REPLACE_ME", "REPLACE_ME_REPLACE_ME", "changeme", "Change-Me-Please-Now",
		"<your-secret-here>", "xxxxxxxxxxxxxxxxxxxx", "********************", "test-secret", "fifteen-bytes-x", "your_webhook_secret_goes_here",
		"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
	} {
		err := signing.CheckSecret(s)
		if err == nil || s != "" && strings.Contains(err.Error(), s) {
			t.Errorf("%q: %v", s, err)
		}
	}
	for _, s := range []string{current, "0123456789abcdef", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"} {
		if err := signing.CheckSecret(s); err != nil {
			t.Errorf("%q %v", s, err)
		}
	}
}

func TestASecretCountsUntilItsEndAndAnEmptyOneNever(t *testing.T) {
	t.Parallel()
	body := []byte("body")
	secrets := []signing.Secret{{ID: "empty"}, {ID: "old", Key: "old", ValidUntil: now}, {ID: "new", Key: "new"}}
	for _, c := range []struct {
		key string
		at  time.Time
		id  string
	}{
		{"old", now, "old"}, {"old", now.Add(time.Nanosecond), ""}, {"new", now.Add(time.Hour), "new"}, {"", now, ""}, {"other", now, ""},
	} {
		id, ok := signing.MatchBody(secrets, signing.Digest([]byte(c.key), body), body, c.at)
		if id != c.id || ok != (c.id != "") {
			t.Errorf("%q at %v: %q, %v", c.key, c.at, id, ok)
		}
	}
}

func TestAKeyThatCannotBeUsedMatchesNothing(t *testing.T) {
	t.Parallel()
	none := func(string) (sum [sha256.Size]byte, ok bool) { return sum, false }
	if id, ok := signing.Match([]signing.Secret{{ID: "a", Key: "a"}}, now, none, [sha256.Size]byte{}); ok {
		t.Errorf("%q matched", id)
	}
}

func TestOneSignatureHasOneText(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("0f", 32)
	for text, ok := range map[string]bool{
		digits: true, strings.ToUpper(digits): false, digits[1:]: false, digits + "0": false, "0x" + digits[2:]: false, "": false,
	} {
		if _, got := signing.LowerHex(text); got != ok {
			t.Errorf("hex %q: %v", text, got)
		}
	}
	for text, ok := range map[string]bool{
		"0": true, "1767225600": true, "999999999999": true, "1000000000000": false, "": false, "00": false, "+5": false, "-5": false, "5 ": false, "٥": false, "1e3": false,
	} {
		if _, got := signing.Timestamp(text); got != ok {
			t.Errorf("timestamp %q: %v", text, got)
		}
	}
}

func TestThreeHundredSecondsCountAndNotOneMore(t *testing.T) {
	t.Parallel()
	for off, ok := range map[int64]bool{0: true, 300: true, -300: true, 301: false, -301: false} {
		if err := signing.Fresh(now.Unix()+off, now); (err == nil) != ok {
			t.Errorf("%d s off: %v", off, err)
		}
	}
}
