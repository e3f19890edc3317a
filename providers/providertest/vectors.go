package providertest

import (
	"fmt"
	"testing"

	"onceshop/payment"
	"onceshop/providers/signing"
)

func (s *suite) vectors(t *testing.T) {
	for _, v := range s.set.Vectors {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			d := delivery{v.Header(), []byte(v.Body)}
			a, err := s.New(Setup{Secrets: held(v.Secrets), Vector: &v})
			answer := 401 // without a usable secret nothing is known to be signed
			if err == nil {
				t.Cleanup(a.Close)
				var events []payment.Event
				events, err = s.receive(t, a, d, v.Time())
				s.agrees(t, a, d, v.Time(), events, err)
				answer = kind(err)
			}
			if accepted := err == nil; accepted != v.Accept() {
				t.Errorf("want %s (%s), got error %v", v.Want, v.Reason, err)
			}
			if v.Answer != 0 && answer != v.Answer {
				t.Errorf("want the answer %d (%s), got %d for %v", v.Answer, v.Reason, answer, err)
			}
		})
	}
}

// headerNames are as the sender wrote them where no HTTP server has read them.
func (s *suite) headerNames(t *testing.T) {
	for _, v := range s.set.Vectors {
		if !v.Accept() {
			continue
		}
		h := map[string][]string{}
		for name, value := range v.Headers {
			h[name] = []string{value}
		}
		a := s.made(t, Setup{Secrets: held(v.Secrets), Vector: &v})
		if _, err := s.receive(t, a, delivery{h, []byte(v.Body)}, v.Time()); err != nil {
			t.Errorf("%s: %v", v.ID, err)
		}
	}
}

// held are secrets in the order of a vector.
func held(keys []string) (secrets []signing.Secret) {
	for i, key := range keys {
		secrets = append(secrets, signing.Secret{ID: fmt.Sprintf("secret %d", i+1), Key: key})
	}
	return secrets
}
