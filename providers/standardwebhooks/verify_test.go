package standardwebhooks_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/standardwebhooks"
)

// Signatures over paidBody at the clock.
var (
	byCurrent  = signed(paidID, current, clock, paidBody).Get(standardwebhooks.SignatureHeader)
	byPrevious = signed(paidID, previous, clock, paidBody).Get(standardwebhooks.SignatureHeader)
)

func TestAnyMatchingEntryIsEnough(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	asymmetric := "v1a," + strings.Repeat("A", 86) + "=="
	unknown := "v1," + base64.StdEncoding.EncodeToString(make([]byte, 32))
	for signatures, keyID := range map[string]string{
		byCurrent:                                   "current",
		byPrevious:                                  "previous",
		byPrevious + " " + byCurrent:                "current", // the order of ours counts, not theirs
		unknown + " " + byPrevious:                  "previous",
		byCurrent + " " + unknown:                   "current",
		asymmetric + " " + byCurrent:                "current",
		byCurrent + " " + asymmetric:                "current",
		"v2,anything-at-all " + byCurrent:           "current",
		strings.Repeat(unknown+" ", 50) + byCurrent: "current",
	} {
		h := signed(paidID, current, clock, paidBody)
		h.Set(standardwebhooks.SignatureHeader, signatures)
		if e, err := receive(a, h, paidBody, now); err != nil || e.KeyID != keyID {
			t.Errorf("%s: key %q, %v", signatures, e.KeyID, err)
		}
	}
}

func TestAnEntryOutOfFormSpoilsTheHeader(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(byCurrent, "v1,"))
	if err != nil {
		t.Fatal(err)
	}
	digest := byCurrent[len("v1,"):]
	for name, signatures := range map[string]string{
		"two blanks":                 byCurrent + "  " + byPrevious,
		"a tab":                      byCurrent + "\t" + byPrevious,
		"a comma between":            byCurrent + "," + byPrevious,
		"no version":                 byCurrent + " " + digest,
		"an empty version":           byCurrent + " ," + digest,
		"an empty signature":         byCurrent + " v1,",
		"a short one":                byCurrent + " v1,AAAA",
		"without padding":            strings.TrimRight(byCurrent, "="),
		"a line break":               byCurrent[:20] + "\n" + byCurrent[20:],
		"a line break for a digit":   byCurrent[:len(byCurrent)-2] + "\n=",
		"the alphabet of URLs":       "v1," + base64.URLEncoding.EncodeToString(append(sum[:31:31], 0xff)),
		"hexadecimal":                "v1," + hex.EncodeToString(sum),
		"33 bytes":                   "v1," + base64.StdEncoding.EncodeToString(append(sum[:32:32], 0)),
		"bits behind the last byte":  "v1," + digest[:42] + other(digest[42]) + "=",
		"the version in capitals":    "V1," + digest,
		"only of another version":    "v1a," + digest,
		"an equals sign, as Stripe":  "v1=" + digest,
		"a percent sign of encoding": strings.Replace(byCurrent, "=", "%3D", 1),
	} {
		h := signed(paidID, current, clock, paidBody)
		h.Set(standardwebhooks.SignatureHeader, signatures)
		if _, err := receive(a, h, paidBody, now); !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// other is a last digit of base64 that stands for the same four bits.
func other(digit byte) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	return string(alphabet[strings.IndexByte(alphabet, digit)|1])
}

func TestTimestampsAreTheirDigits(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	for _, timestamp := range []string{"01767229200", "+1767229200", "-1767229200", " 1767229200", "1767229200 ", "1767229200.0", "1.767229200e9", "1_767_229_200", "0x69559270", "١٧٦٧٢٢٩٢٠٠", "1767229200000"} {
		// Signed over the text as it is, and as a library signs it: formatted again.
		for _, of := range []string{timestamp, "1767229200"} {
			key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(current, "whsec_"))
			if err != nil {
				t.Fatal(err)
			}
			sum := signing.Digest(key, []byte(paidID+"."+of+"."+paidBody))
			h := signed(paidID, current, clock, paidBody)
			h.Set(standardwebhooks.TimestampHeader, timestamp)
			h.Set(standardwebhooks.SignatureHeader, "v1,"+base64.StdEncoding.EncodeToString(sum[:]))
			if _, err := receive(a, h, paidBody, now); !errors.Is(err, payment.ErrSignature) {
				t.Errorf("%q signed as %q: %v", timestamp, of, err)
			}
		}
	}
}

// With a dot in it, an id could take a part of the timestamp for its own.
func TestAnIDHasNoDot(t *testing.T) {
	t.Parallel()
	a := rotating(t)
	const id = "msg.1767229200"
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(current, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	sum := signing.Digest(key, []byte(id+".1767229200."+paidBody))
	signature := "v1," + base64.StdEncoding.EncodeToString(sum[:])
	for _, d := range []struct{ id, body string }{{id, paidBody}, {"msg", "1767229200." + paidBody}} {
		h := signed("msg", current, clock, paidBody)
		h.Set(standardwebhooks.IDHeader, d.id)
		h.Set(standardwebhooks.SignatureHeader, signature)
		keyID, err := a.Verify(h, []byte(d.body), now)
		if d.id == id && !errors.Is(err, payment.ErrSignature) {
			t.Errorf("%s: key %q, %v", d.id, keyID, err)
		}
		// What is left is bytes that begin with a number: no JSON.
		if _, err := a.Parse(h, []byte(d.body)); err == nil {
			t.Errorf("%s: parsed", d.id)
		}
	}
	for _, bad := range []string{"", "a.b", " a", "a\n", strings.Repeat("a", 256)} {
		if _, err := standardwebhooks.Sign(current, bad, clock, nil); err == nil {
			t.Errorf("%q is signed", bad)
		}
	}
}

func TestSignRefusesWhatNobodyCouldVerify(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"", "whsec_", "whsec_!!!!", "whsec_AAA", current + "\n"} {
		if signature, err := standardwebhooks.Sign(secret, "msg", clock, nil); err == nil || signature != "" || len(secret) > 6 && strings.Contains(err.Error(), secret) {
			t.Errorf("%q: %q, %v", secret, signature, err)
		}
	}
	if _, err := standardwebhooks.Sign(current, "msg", -1, nil); err == nil {
		t.Error("a time before 1970 is signed")
	}
	without, err := standardwebhooks.Sign(strings.TrimPrefix(current, "whsec_"), paidID, clock, []byte(paidBody))
	if err != nil || without != byCurrent {
		t.Errorf("without whsec_: %s, %v", without, err)
	}
}

func TestNewRefusesWhatWouldVerifyAnything(t *testing.T) {
	t.Parallel()
	good := []signing.Secret{{ID: "current", Key: current}}
	for name, c := range map[string]standardwebhooks.Config{
		"a secret of no bytes":   {Secrets: append(good[:1:1], signing.Secret{ID: "empty", Key: "whsec_"})},
		"another scheme":         {Secrets: good, BaseURL: "ftp://pay.example"},
		"a user in the address":  {Secrets: good, BaseURL: "http://" + apiKey + "@pay.example"},
		"a query in the address": {Secrets: good, BaseURL: "http://pay.example?key=" + apiKey},
		"a newline in the key":   {Secrets: good, APIKey: apiKey + "\n"},
	} {
		if _, err := standardwebhooks.New(c); err == nil || strings.Contains(err.Error(), apiKey) || strings.Contains(err.Error(), current) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// One that isn't base64 is kept for Explain and verifies nothing.
	a := adapter(t, standardwebhooks.Config{Secrets: []signing.Secret{{ID: "typo", Key: "whsec_!!!!"}}})
	sum := signing.Digest(nil, []byte(paidID+".1767229200."+paidBody))
	h := signed(paidID, current, clock, paidBody)
	h.Set(standardwebhooks.SignatureHeader, "v1,"+base64.StdEncoding.EncodeToString(sum[:]))
	if keyID, err := a.Verify(h, []byte(paidBody), now); !errors.Is(err, payment.ErrSignature) {
		t.Errorf("the empty key verifies: %q, %v", keyID, err)
	}
}
