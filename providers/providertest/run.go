package providertest

import (
	"testing"

	"onceshop/providers/signing"
	"onceshop/providers/vectortest"
)

// Run holds the adapter against everything that is promised of all of them.
func Run(t *testing.T, s Subject) {
	t.Parallel()
	u := newSuite(t, s)
	for _, test := range []struct {
		sentence string
		run      func(*testing.T)
	}{
		{"every vector is accepted or rejected as it says", u.vectors},
		{"header names count in any case", u.headerNames},
		{"a flipped bit is refused", u.flips},
		{"a header that is missing, repeated or out of form is refused", u.headers},
		{"secrets that would verify anything are refused", u.uselessSecrets},
		{"weak secrets are found", u.weakSecrets},
		{"two secrets count until the old one's last second", u.rotation},
		{"the clock has a limit to the second", u.clock},
		{"JSON with two meanings is refused although it is signed", u.strictJSON},
		{"ids are exact", u.exactIDs},
		{"unknown names and long bodies are accepted", u.unknownNames},
		{"every sample reads as it says", u.samples},
		{"a repeat is the same event with the same content", u.repeats},
		{"only documented differences leave the content the same", u.changes},
		{"every rule of the mapping is kept", u.mapping},
		{"many may ask at once", u.concurrently},
		{"only what can be counted is taken", u.money},
		{"the same key makes the same payment", u.createTwice},
		{"what goes wrong at the API has a kind", u.failures},
	} {
		t.Run(test.sentence, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

// suite is a subject and what its files hold.
type suite struct {
	Subject
	set     vectortest.Set
	current signing.Secret // signs the samples
}

func newSuite(t testing.TB, s Subject) *suite {
	t.Helper()
	if s.VectorsProvider == "" {
		s.VectorsProvider = s.Name
	}
	if s.Folder == "" {
		s.Folder = "testdata"
	}
	if s.Paid == "" {
		s.Paid = "paid"
	}
	set := vectortest.Read(t, s.VectorsProvider, s.Folder)
	for what, missing := range map[string]bool{
		"Name": s.Name == "", "New": s.New == nil, "Sign": s.Sign == nil, "CheckSecret": s.CheckSecret == nil,
		"OtherSecret": s.OtherSecret == "", "Reads": len(s.Reads) == 0, "Harmful": len(s.Harmful) == 0,
		"Money": len(s.Money) == 0, "API": s.API == nil,
	} {
		if missing {
			t.Fatalf("the subject has no %s", what)
		}
	}
	return &suite{Subject: s, set: set, current: signing.Secret{ID: "current", Key: set.Events.Secret}}
}
