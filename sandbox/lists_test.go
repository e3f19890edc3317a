package sandbox_test

import (
	"net/url"
	"strconv"
	"testing"
)

// orders reads the whole list, page by page, and calls between after each.
func (b *bench) orders(query url.Values, between func(page int)) (all []object) {
	b.T.Helper()
	for page := 1; ; page++ {
		answer := b.must("GET", "/v1/orders?"+query.Encode(), "", "")
		all = append(all, answer.List("orders")...)
		next := answer.Text("nextCursor")
		if next == "" {
			return all
		}
		query.Set("cursor", next)
		between(page)
	}
}

func TestThePagesOfTheListHoldEveryOrderOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	seen := map[string]int{}
	for range 7 {
		seen[b.order()] = 0
	}
	for _, o := range b.orders(url.Values{"limit": {"3"}}, func(int) {}) {
		seen[o.Text("id")]++
	}
	for id, n := range seen {
		if n != 1 {
			t.Errorf("order %s was listed %d times", id, n)
		}
	}
	if len(seen) != 7 {
		t.Errorf("%d orders", len(seen))
	}
}

func TestAnOrderThatChangesWhileItIsListedComesAgainWithItsNewRevision(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var ids []string
	for range 6 {
		ids = append(ids, b.order())
	}
	revisions := map[string]int{}
	for _, o := range b.orders(url.Values{"limit": {"2"}}, func(page int) {
		switch page {
		case 1:
			b.act(ids[0], "pay", "") // was listed already
			b.act(ids[5], "pay", "") // still to come
		case 2:
			b.order()
		}
	}) {
		revisions[o.Text("id")+" "+o.Text("revision")]++
	}
	for i, id := range ids {
		want := map[int]map[string]int{0: {"1": 1, "2": 1}, 5: {"2": 1}}[i]
		if want == nil {
			want = map[string]int{"1": 1}
		}
		for revision := 1; revision <= 2; revision++ {
			r := strconv.Itoa(revision)
			if got := revisions[id+" "+r]; got != want[r] {
				t.Errorf("order %d revision %s was listed %d times, want %d", i, r, got, want[r])
			}
		}
	}
	if len(revisions) != 8 {
		t.Errorf("%d lines, want 8: %v", len(revisions), revisions)
	}
}

func TestTheListBeginsWithTheTimeAskedFor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old, recent := b.order(), b.order()
	b.exec("UPDATE pay_orders SET updated_at = '2020-01-01 00:00:00' WHERE id = ?", old)
	since := b.must("GET", "/v1/orders/"+recent, "", "").Text("updatedAt")
	got := b.orders(url.Values{"updatedSince": {since}}, func(int) {})
	if len(got) != 1 || got[0].Text("id") != recent {
		t.Errorf("since %s: %v", since, got)
	}
	if all := b.orders(url.Values{"updatedSince": {"2020-01-01T09:00:00+09:00"}}, func(int) {}); len(all) != 2 {
		t.Errorf("%d orders since the old one", len(all))
	}
}

func TestEventsArePagedInTheOrderTheyHappened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	for range 4 {
		b.act(id, "pay", `{"amount":"1"}`)
	}
	var revisions string
	query := url.Values{"limit": {"2"}}
	for {
		answer := b.must("GET", "/v1/events?"+query.Encode(), "", "")
		for _, e := range answer.List("events") {
			revisions += e.At("order").Text("revision")
		}
		if answer.Text("nextCursor") == "" {
			break
		}
		query.Set("cursor", answer.Text("nextCursor"))
	}
	if revisions != "12345" {
		t.Errorf("revisions %s", revisions)
	}
}
