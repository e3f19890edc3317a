package stablein_test

import (
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"onceshop/payment"
	"onceshop/providers/signing"
	"onceshop/providers/stablein"
	"onceshop/providers/vectortest"
)

func TestVectorsAreAcceptedAndRejectedAsTheySay(t *testing.T) {
	t.Parallel()
	for _, v := range vectortest.Read(t, stablein.Name, "testdata").Vectors {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			var secrets []signing.Secret
			for i, key := range v.Secrets {
				secrets = append(secrets, signing.Secret{ID: string(rune('a' + i)), Key: key})
			}
			a, err := stablein.New(stablein.Config{Secrets: secrets})
			if err == nil {
				_, err = receive(a, v.Header(), v.Body, v.Time())
				if e := a.Explain(v.Header(), []byte(v.Body), v.Time()); e.Accepted() != v.Accept() {
					t.Errorf("the explanation says otherwise:\n%v", e)
				}
			}
			if accepted := err == nil; accepted != v.Accept() {
				t.Errorf("want %s (%s), got error %v", v.Want, v.Reason, err)
			}
		})
	}
}

func TestVectorsHoldWithHeaderNamesAsWritten(t *testing.T) {
	t.Parallel()
	for _, v := range vectortest.Read(t, stablein.Name, "testdata").Vectors {
		if !v.Accept() {
			continue
		}
		h := map[string][]string{}
		for name, value := range v.Headers {
			h[name] = []string{value}
		}
		var secrets []signing.Secret
		for i, key := range v.Secrets {
			secrets = append(secrets, signing.Secret{ID: string(rune('a' + i)), Key: key})
		}
		a := adapter(t, stablein.Config{Secrets: secrets})
		if _, err := receive(a, h, v.Body, v.Time()); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
	}
}

func TestSampleEventsReadAsTheySay(t *testing.T) {
	t.Parallel()
	samples := vectortest.Read(t, stablein.Name, "testdata").Events
	a := adapter(t, stablein.Config{Secrets: []signing.Secret{{ID: "s", Key: samples.Secret}}})
	for _, s := range samples.Events {
		t.Run(s.ID, func(t *testing.T) {
			t.Parallel()
			got, err := receive(a, s.Header(), s.Body, samples.Time())
			if err != nil {
				t.Fatal(err)
			}
			want := payment.Event{
				Provider: "stablein", ID: s.EventKey, Type: s.EventType, PaymentRef: s.PaymentRef,
				OccurredAt: s.OccurredAt, Fingerprint: sha256.Sum256([]byte(s.Body)), KeyID: "s",
			}
			if s.Revision != nil {
				revision := payment.NewAmount(*s.Revision)
				want.Revision = &revision
			}
			want.Effect, want.Status = got.Effect, got.Status // "conflict" is an outcome, not a meaning
			if s.Effect != "conflict" {
				want.Effect = payment.Effect(s.Effect)
			}
			if s.Effect == "advance" {
				want.Status = payment.Status(s.State)
			}
			// Where an event doesn't repeat our reference, its order is the payment's.
			if strings.Contains(s.Body, "merchantOrderId") {
				want.OrderRef = s.OrderRef
			} else if s.OrderRef != got.PaymentRef {
				t.Errorf("order %s, want %s", got.PaymentRef, s.OrderRef)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSameIDWithOtherBytesHasAnotherFingerprint(t *testing.T) {
	t.Parallel()
	samples := vectortest.Read(t, stablein.Name, "testdata").Events
	a := adapter(t, stablein.Config{Secrets: []signing.Secret{{ID: "s", Key: samples.Secret}}})
	first := map[string]payment.Event{}
	for _, s := range samples.Events {
		e, err := receive(a, s.Header(), s.Body, samples.Time())
		if err != nil {
			t.Fatal(err)
		}
		known, ok := first[e.ID]
		if same := known.Fingerprint == e.Fingerprint; ok && same == (s.Effect == "conflict") {
			t.Errorf("%s: same fingerprint %v, effect %q", s.ID, same, s.Effect)
		}
		if !ok {
			first[e.ID] = e
		}
	}
}
