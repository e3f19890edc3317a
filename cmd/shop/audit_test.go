package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"onceshop/shoptest"
)

func TestWhoDidWhatIsListedNewestFirstAndByOrder(t *testing.T) {
	t.Parallel()
	s, environ, number, _ := bought(t)
	wantCode(t, shop(t, environ, "audit", "list"), exitDone, "nobody did anything yet")
	other, _ := s.Buy(1)
	mail := decode[[]jobJSON](t, mustShop(t, environ, "jobs", "list", "--order", number, "--format", "json"))[0]
	event := decode[[]eventJSON](t, mustShop(t, environ, "events", "list", "--order", number, "--format", "json"))[0]
	mustShop(t, environ, "jobs", "retry", fmt.Sprint(mail.Seq), "--as", "ada")
	mustShop(t, environ, "events", "replay", event.ID, "--wait", "0", "--as", "ben")
	mustShop(t, environ, "orders", "relink", other.Number, "--as", "cleo")
	shop(t, environ, "orders", "cancel", number, "--as", "dan")

	wantCode(t, shop(t, environ, "audit", "list"), exitDone, "dan", "cancel order", number, "refused: An order that is paid can't be cancelled", mail.OperationKey, other.Number)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{nil, []string{"dan: " + number, "cleo: " + other.Number, "ben: stablein " + event.ID, "ada: " + mail.OperationKey}},
		{[]string{"--limit", "1"}, []string{"dan: " + number}},
		{[]string{"--order", number}, []string{"dan: " + number, "ben: stablein " + event.ID, "ada: " + mail.OperationKey}},
		{[]string{"--order", strings.ToLower(other.Number)}, []string{"cleo: " + other.Number}},
	} {
		var got []string
		for _, deed := range deeds(t, environ, c.args...) {
			got = append(got, deed.Actor+": "+deed.Subject)
			if deed.At.IsZero() {
				t.Errorf("%+v has no time", deed)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("audit list %q: got %q, want %q", c.args, got, c.want)
		}
	}
	wantCode(t, shop(t, environ, "audit", "list", "--order", "OS-AAAAA-AAAAA"), exitFailed, "there is no order")
}

// deeds is what audit list says.
func deeds(t *testing.T, environ []string, args ...string) []deedJSON {
	t.Helper()
	return decode[[]deedJSON](t, mustShop(t, environ, append([]string{"audit", "list", "--format", "json"}, args...)...))
}

// wantAudit looks for the one line about subject.
func wantAudit(t *testing.T, s *shoptest.Shop, subject, actor, action, result string) {
	t.Helper()
	list := slices.DeleteFunc(deeds(t, []string{"SHOP_DATABASE_URL=" + s.DSN}), func(d deedJSON) bool { return d.Subject != subject })
	if len(list) != 1 || list[0].Actor != actor || list[0].Action != action || !strings.HasPrefix(list[0].Result, result) {
		t.Errorf("the audit of %s is %+v", subject, list)
	}
}
