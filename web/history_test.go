package web_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"onceshop/shoptest"
)

func unix(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// entry is a line of the history as the page shows it.
type entry struct{ badge, sentence, reason, changes, cause string }

func entries(doc *goquery.Document) []entry {
	var list []entry
	text := func(e *goquery.Selection, selector string) string {
		parts := e.Find(selector).Map(func(_ int, part *goquery.Selection) string { return part.Text() })
		return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	}
	doc.Find(".history .entries > li").Each(func(_ int, e *goquery.Selection) {
		list = append(list, entry{text(e, ".badge span[aria-hidden]") + strings.TrimPrefix(text(e, ".badge"), "Revision r"),
			text(e, ".sentence"), text(e, ".reason"), text(e, ".changes tbody th, .changes tbody td"), text(e, ".cause")})
	})
	return list
}

func TestTheHistoryTellsWhatChangedWhatDidntAndWhy(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	b := s.Browser()
	o, id := s.Buy(1)
	record := s.Platform.Order(id)

	send := func(eventID, kind string, o shoptest.Order, want int) {
		t.Helper()
		if got := s.Deliver(shoptest.Event{ID: eventID, Type: kind, Order: o}); got.Status != want {
			t.Fatalf("%s is answered %d, want %d", eventID, got.Status, want)
		}
		s.Settle()
	}
	confirming := record.With(func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "1", "confirming" })
	done := s.Platform.Set(record.With(paid))
	send("evt-paid", "payment.paid", done, http.StatusOK)
	send("evt-paid", "payment.paid", done, http.StatusOK)                     // again
	send("evt-confirming", "payment.confirming", confirming, http.StatusOK)   // late
	send("evt-echo", "payment.paid", done, http.StatusOK)                     // nothing new
	send("evt-paid", "payment.failed", done, http.StatusConflict)             // forged or confused
	send("evt-early", "refund.completed", done.With(func(o *shoptest.Order) { // the record doesn't know of it yet
		o.Revision, o.RefundStatus, o.RefundedAmount = "3", "partial", "20000"
	}), http.StatusOK)

	doc := parse(t, b.Get(pathOf(s, o.Number)))
	list := entries(doc)
	find := func(sentence string) entry {
		t.Helper()
		for _, e := range list {
			if strings.Contains(e.sentence, sentence) {
				return e
			}
		}
		t.Fatalf("the history has no %q:\n%+v", sentence, list)
		return entry{}
	}
	placed := find("Order placed.")
	if placed.badge != "r1" || !strings.Contains(placed.cause, "checkout") {
		t.Errorf("%+v", placed)
	}
	booked := find("Paid in full.")
	if booked.badge != "r2" {
		t.Errorf("%+v", booked)
	}
	wantWords(t, booked.cause, "webhook", "payment.paid", "evt-paid", "provider’s revision 2", "delivered 2 times, counted once")
	wantWords(t, booked.changes, "Payment pending paid", "Delivery", "Received")
	wantWords(t, find("Delivered.").changes, "Licenses 0 1")
	late := find("A late event changed nothing.")
	wantWords(t, late.sentence, "Stale")
	wantWords(t, late.cause, "payment.confirming", "evt-confirming", "provider’s revision 1")
	if late.badge != "" || late.reason == "" {
		t.Errorf("%+v", late)
	}
	echo := find("An event told us what we already knew.")
	wantWords(t, echo.sentence, "Nothing new")
	wantWords(t, echo.cause, "evt-echo")
	refused := find("An event was refused.")
	wantWords(t, refused.sentence, "Refused")
	wantWords(t, refused.reason, "other content")
	wantWords(t, refused.cause, "evt-paid")
	early := find("An event is stored and waits to be processed.")
	wantWords(t, early.sentence, "Waiting")
	wantWords(t, early.cause, "evt-early", "refund.completed")
	wantWords(t, early.reason, "The provider's record doesn't answer it yet")

	// Newest first.
	if last := list[len(list)-1]; last.badge != "r1" {
		t.Errorf("the last entry is %+v, want the first revision", last)
	}
	at := doc.Find(".history time").Map(func(_ int, e *goquery.Selection) string { return e.AttrOr("datetime", "") })
	for i := 1; i < len(at); i++ {
		if at[i] > at[i-1] {
			t.Errorf("entry %d of %s stands below one of %s", i, at[i], at[i-1])
		}
	}
}

var utc = regexp.MustCompile(`^\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4}, \d\d:\d\d:\d\d UTC$`)

func TestTimesOnPagesAreUTC(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	o, _ := delivered(s)
	s.Exec("UPDATE shop_orders SET placed_at = '2027-01-01 00:50:07' WHERE id = ?", o.ID)
	s.Exec("UPDATE shop_order_revisions SET created_at = '2026-10-25 01:30:00' WHERE order_id = ? AND revision = 1", o.ID)
	doc := parse(t, s.Browser().Get(pathOf(s, o.Number)))
	wantWords(t, words(doc, ".receipt"), "1 Jan 2027, 00:50:07 UTC")
	wantWords(t, words(doc, "#r1"), "25 Oct 2026, 01:30:00 UTC")
	if got := doc.Find("#r1 time").AttrOr("datetime", ""); got != "2026-10-25T01:30:00Z" {
		t.Errorf("the machine-readable time is %q", got)
	}
	times := doc.Find("time")
	if times.Length() < 5 {
		t.Fatalf("only %d times on the page", times.Length())
	}
	times.Each(func(_ int, e *goquery.Selection) {
		full := e.AttrOr("title", e.Text())
		if !utc.MatchString(full) || !strings.HasSuffix(e.AttrOr("datetime", ""), "Z") {
			t.Errorf("a time is shown as %q, %q", full, e.AttrOr("datetime", ""))
		}
	})
}

// What a person decides about a refund is told, and the note for colleagues isn't; that
// a provider knows of the payment isn't called an assessment.
func TestTheHistoryTellsTheBuyerOfARefundAndNotWhyItWasDecided(t *testing.T) {
	t.Parallel()
	plain := &shoptest.Plain{}
	s := shoptest.New(t, shoptest.Options{Others: map[string]any{shoptest.PlainName: plain}}).Pages()
	s.Product("plain", "Plain product", "10000", "EUR")
	o, ref := s.BuyWith(shoptest.PlainName, "plain", 1)
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "pending", Payment: ref})
	s.Settle()
	plain.Change(ref, shoptest.Paid)
	s.Tell(shoptest.PlainName, shoptest.Told{ID: "paid", Payment: ref})
	s.Settle()
	refund := shoptest.RefundOf(o.ID, 1050)
	refund.Reason = "a note among colleagues"
	if _, err := s.Shop.Shop.Refund(t.Context(), refund); err != nil {
		t.Fatal(err)
	}
	doc := parse(t, s.Browser().Get(pathOf(s, o.Number)))
	var told []string
	for _, e := range entries(doc) {
		told = append(told, e.sentence+" "+e.changes)
	}
	got := strings.Join(told, "\n")
	wantWords(t, got, "We asked the provider to send money back. To be sent back – €10.50", "The provider took our refund.", "Money was sent back.", "The provider knows of the payment.")
	for _, no := range []string{"assessed the risk", "details changed", "refund_asked", "refund_key"} {
		if strings.Contains(got, no) {
			t.Errorf("the history has %q:\n%s", no, got)
		}
	}
	if page := doc.Text(); strings.Contains(page, refund.Reason) {
		t.Error("the buyer reads the note among colleagues")
	}
}
