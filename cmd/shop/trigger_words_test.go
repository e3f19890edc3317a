package main

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"onceshop/config"
	"onceshop/providers/adyen"
	"onceshop/sandbox"
)

func TestEveryProviderCanBePractised(t *testing.T) {
	t.Parallel()
	if all := config.KnownProviders(); !slices.Equal(practisable(), all) {
		t.Errorf("there are stand-ins for %v, and providers %v", practisable(), all)
	}
	for _, name := range practisable() {
		if words[name][standIns[name].word] != "refund" && name != "stablein" {
			t.Errorf("%s: the welcome shows %q", name, standIns[name].word)
		}
		if got := wordToTry([]string{name}); got != standIns[name].word {
			t.Errorf("%s alone: the welcome shows %q", name, got)
		}
	}
	if got := wordToTry(practisable()); !slices.Contains(sandbox.Actions(), got) {
		t.Errorf("of several, the welcome shows %q, which some don't know", got)
	}
}

// before is what has to have happened for an action to be possible, and for a word to be
// told.
var before = map[string][]string{
	"capture": {"authorise"}, "capture_fail": {"pay"}, "refund": {"pay"}, "refund_fail": {"pay", "refund"},
	"dispute": {"pay"}, "dispute_win": {"pay", "dispute"}, "dispute_lose": {"pay", "dispute"},
	"payment_expired": {"authorise"}, // Checkout.com tells nothing of a page that nobody used
}

func TestAProvidersOwnWordMakesItSendSuchAnEvent(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, practisable(), config.SettingOf(adyen.Name, "CAPTURE_MODE")+"=manual")
	tr.offer("INR", 149900) // what all of them take
	for _, provider := range practisable() {
		for _, word := range slices.Sorted(maps.Keys(words[provider])) {
			number := tr.place("INR", provider)
			steps, ok := before[word]
			if !ok {
				steps = before[words[provider][word]]
			}
			for _, step := range steps {
				wantCode(t, shop(t, tr.environ, "trigger", step, "--order", number), exitDone)
			}
			r := shop(t, tr.environ, "trigger", word, "--order", number)
			told, _, _ := strings.Cut(r.stdout, ";")
			told, _, _ = strings.Cut(told, ": event")
			if r.code != exitDone || !slices.Contains(strings.Split(told, ", "), word) {
				t.Errorf("%s: %s made it send %q\n%s", provider, word, told, r.stderr)
			}
		}
		wantCode(t, shop(t, tr.environ, "trigger", "invented", "--order", tr.place("INR", provider)), exitFailed, "can't be triggered at "+provider)
	}
}

func TestWhatAProviderKnowsNothingOfIsRefused(t *testing.T) {
	t.Parallel()
	tr := newTrade(t, []string{"stripe"})
	tr.offer("USD", 4900)
	number := tr.sell("USD", "stripe")
	wantCode(t, shop(t, tr.environ, "trigger", "capture_fail", "--order", number), exitFailed, "Stripe, as it is set up here, knows nothing of capture_fail")
	r := shop(t, tr.environ, "trigger", "CHARGEBACK", "--order", number)
	wantCode(t, r, exitFailed, "charge.dispute.created", "attempt_fail, fail, ")
	for _, action := range []string{"capture_fail", "risk"} {
		if strings.Contains(r.stderr, action) {
			t.Errorf("%s is offered, of which Stripe knows nothing:\n%s", action, r.stderr)
		}
	}
	wantCode(t, shop(t, tr.environ, "trigger", "resend", "--order", number), exitDone, "the newest event is sent once more")
}
