package providertest

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/vectortest"
	"onceshop/providers/wire"
)

// delivery is what arrives at a webhook route.
type delivery struct {
	header http.Header
	raw    []byte
}

// adapter is one in the shop's hands, with these secrets.
func (s *suite) adapter(t testing.TB, secrets ...signing.Secret) Adapter {
	t.Helper()
	return s.made(t, Setup{Secrets: secrets})
}

func (s *suite) made(t testing.TB, c Setup) Adapter {
	t.Helper()
	a, err := s.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	return a
}

func (s *suite) now() time.Time { return s.set.Events.Time() }

func (s *suite) sample(t testing.TB, id string) vectortest.Event {
	t.Helper()
	if id == "" {
		id = s.Paid
	}
	for _, e := range s.set.Events.Events {
		if e.ID == id {
			return e
		}
	}
	t.Fatalf("there is no sample %q", id)
	return vectortest.Event{}
}

// paid is the sample's delivery as its files have it.
func (s *suite) paid(t testing.TB) delivery {
	t.Helper()
	e := s.sample(t, s.Paid)
	return delivery{e.Header(), []byte(e.Body)}
}

// signed is a delivery of raw, correct in all but what raw says.
func (s *suite) signed(header http.Header, raw []byte, secret string, at time.Time) delivery {
	h, body := s.Sign(header.Clone(), bytes.Clone(raw), secret, at)
	return delivery{h, body}
}

// paidWith is the paid sample with another body, signed now.
func (s *suite) paidWith(t testing.TB, raw []byte) delivery {
	t.Helper()
	return s.signed(s.paid(t).header, raw, s.current.Key, s.now())
}

// receive is what the webhook's route does with a delivery. On the way it looks at
// what holds for each: errors have a kind and tell no secret, nobody writes into
// the body, and what was accepted fits into our records.
func (s *suite) receive(t testing.TB, a Adapter, d delivery, at time.Time) ([]payment.Event, error) {
	t.Helper()
	raw := bytes.Clone(d.raw)
	keyID, err := a.Verify(d.header, raw, at)
	var events []payment.Event
	if err == nil {
		events, err = a.Parse(d.header, raw)
	}
	if !bytes.Equal(raw, d.raw) {
		t.Error("the body was written to")
	}
	if err != nil {
		if kind(err) == 0 {
			t.Errorf("an error of no kind: %v", err)
		}
		s.quiet(t, err.Error())
		return nil, err
	}
	if len(events) == 0 {
		t.Error("accepted without an event and without an error")
	}
	for i := range events {
		events[i].KeyID = keyID
		s.fits(t, events[i])
	}
	return events, nil
}

// one receives a delivery of exactly one event.
func (s *suite) one(t testing.TB, a Adapter, d delivery, at time.Time) payment.Event {
	t.Helper()
	events, err := s.receive(t, a, d, at)
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	return events[0]
}

func (s *suite) fits(t testing.TB, e payment.Event) {
	t.Helper()
	switch {
	case e.Provider != s.Name:
		t.Errorf("an event of provider %q", e.Provider)
	case !wire.IsRef(e.ID):
		t.Errorf("event id %q", e.ID)
	case !isRefOrNone(e.PaymentRef), !isRefOrNone(e.OrderRef), !isRefOrNone(e.Alias):
		t.Errorf("references %q, %q and %q", e.PaymentRef, e.OrderRef, e.Alias)
	case e.Type != "" && !wire.IsPlain(e.Type, 100):
		t.Errorf("type %q", e.Type)
	case !slices.Contains(effects, e.Effect):
		t.Errorf("%s has the effect %q", e.Type, e.Effect)
	case (e.Verdict == "") != (e.Reason == "") || e.Reason != "" && !wire.IsPlain(e.Reason, 100):
		t.Errorf("%s: verdict %q for the reason %q", e.Type, e.Verdict, e.Reason)
	case e.Verdict != "" && e.Verdict != payment.Ignored && e.Verdict != payment.NeedsReview:
		t.Errorf("%s: verdict %q isn't for an event to give", e.Type, e.Verdict)
	case e.Effect == payment.EffectNone && e.Verdict == "":
		t.Errorf("%s changes nothing and isn't ignored", e.Type)
	}
}

var effects = []payment.Effect{
	payment.EffectAdvance, payment.EffectAttemptFailed, payment.EffectRefund, payment.EffectRefundReversed, payment.EffectRefundUncaptured,
	payment.EffectDisputeOpened, payment.EffectDisputeNoted, payment.EffectDisputeWon, payment.EffectDisputeLost, payment.EffectFetch, payment.EffectNone,
}

func isRefOrNone(s string) bool { return s == "" || wire.IsRef(s) }

// agrees tells whether an explanation says what Verify and Parse do.
func (s *suite) agrees(t testing.TB, a Adapter, d delivery, at time.Time, events []payment.Event, err error) {
	t.Helper()
	e := a.Explain(d.header, bytes.Clone(d.raw), at)
	s.quiet(t, e.String())
	if kind(e.Err) != kind(err) {
		t.Errorf("got %v, explained as\n%v", err, e)
	}
	var ids []string
	for _, event := range events {
		ids = append(ids, event.ID)
		if e.KeyID != event.KeyID {
			t.Errorf("key %s, explained as %s", event.KeyID, e.KeyID)
		}
	}
	if !slices.Equal(e.EventIDs, ids) {
		t.Errorf("events %q, explained as %q", ids, e.EventIDs)
	}
}

// quiet looks for what nobody may read in a log.
func (s *suite) quiet(t testing.TB, text string) {
	t.Helper()
	for _, secret := range append([]string{s.current.Key, s.OtherSecret, canary}, s.Credentials...) {
		if strings.Contains(text, secret) {
			t.Errorf("%q says %q", text, secret)
		}
	}
}

// canary stands in bodies and answers where nothing may be repeated.
const canary = "zanary"

// kind is the webhook's answer: 200, 401 for what isn't known to be the provider's,
// 400 for what is and can't be taken, 0 for an error that no adapter may return.
func kind(err error) int {
	switch {
	case err == nil:
		return http.StatusOK
	case errors.Is(err, payment.ErrSignature):
		return http.StatusUnauthorized
	case errors.Is(err, payment.ErrStale), errors.Is(err, payment.ErrMalformed):
		return http.StatusBadRequest
	}
	return 0
}

// malformed tells whether a delivery was refused for what its body says. Where the
// signature covers values inside of the body, it can't be told from a forged one.
func (s *suite) malformed(err error) bool {
	return errors.Is(err, payment.ErrMalformed) || s.Signed != nil && errors.Is(err, payment.ErrSignature)
}

// forged tells whether a delivery was refused because it was touched.
func (s *suite) forged(err error) bool {
	return errors.Is(err, payment.ErrSignature) || s.Signed != nil && errors.Is(err, payment.ErrMalformed)
}
