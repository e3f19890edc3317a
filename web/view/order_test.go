package view_test

import (
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/web/view"
)

func orderPage(t *testing.T, name string) string {
	t.Helper()
	for _, s := range orderSamples() {
		if s.name == "order-"+name {
			return render(t, s.page)
		}
	}
	t.Fatalf("no sample order-%s", name)
	return ""
}

func TestOrderPagePaidShowsTheLicenseMasked(t *testing.T) {
	t.Parallel()
	doc := parse(t, orderPage(t, "paid"))
	if got := doc.Find("h1").Text(); got != "Paid" {
		t.Errorf("headline %q", got)
	}
	if got := doc.Find(".license .key").Text(); !strings.Contains(got, "7QX4M-•••••") || strings.Contains(got, "2KPD9") {
		t.Errorf("key %q", got)
	}
	if doc.Find(`a[href="`+orderURL+`?reveal=1#license-1"]`).Length() != 1 {
		t.Error("no way to show the key")
	}
	if doc.Find("[data-copy]").Length() != 0 {
		t.Error("a masked key can be copied")
	}
}

func TestOrderPageRevealedShowsTheKeyAndHowToHideIt(t *testing.T) {
	t.Parallel()
	doc := parse(t, orderPage(t, "revealed"))
	if got := doc.Find("#license-1-key").Text(); got != "7QX4M-2KPD9-RW6TN-V83HC" {
		t.Errorf("key %q", got)
	}
	copying := doc.Find("button[data-copy=license-1-key]")
	if _, hidden := copying.Attr("hidden"); copying.Length() != 1 || !hidden {
		t.Error("the copy button must wait for script")
	}
	if !strings.Contains(doc.Find(".message").Text(), "could not be mailed") {
		t.Error("the mail's failure is not told")
	}
}

func TestUnpaidOrderNeverReadsLikeAPaidOne(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"waiting", "returned", "overdue", "confirming", "partly-paid", "partly-paid-expired", "failed", "expired", "cancelled", "huge-amount"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			page := orderPage(t, name)
			doc := parse(t, page)
			if strings.Contains(strings.ToLower(page), "thank you") {
				t.Error("thanks for money that isn't there")
			}
			if doc.Find(".license").Length() != 0 || doc.Find("[data-order] .pill.good").Length() != 0 {
				t.Error("shows a license or a good state")
			}
			doc.Find(".steps li.done").Each(func(i int, s *goquery.Selection) {
				if !strings.HasPrefix(strings.TrimSpace(s.Text()), "Ordered") {
					t.Errorf("step %q is done", s.Text())
				}
			})
		})
	}
}

func TestWaitingPageRefreshesOnlyWithoutScript(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"waiting": true, "returned": true, "overdue": true, "confirming": true, "preparing": true, "paid": false, "refunded": false, "expired": false} {
		page := orderPage(t, name)
		if got := strings.Contains(page, `<noscript><meta http-equiv="refresh" content="4"></noscript>`); got != want {
			t.Errorf("%s: refresh %v, want %v", name, got, want)
		}
		if strings.Count(page, "http-equiv") != strings.Count(page, `<noscript><meta http-equiv="refresh"`) {
			t.Errorf("%s: refreshes beside the script", name)
		}
	}
}

func TestOrderWithoutNewsAfterTwoMinutesSaysNotToPayAgain(t *testing.T) {
	t.Parallel()
	doc := parse(t, orderPage(t, "overdue"))
	if got := doc.Find(".lead").Text(); got != "Still confirming – you do not need to pay again; we will mail you." {
		t.Errorf("says %q", got)
	}
}

func TestEventsThatChangedNothingStandInLineWithoutARevision(t *testing.T) {
	t.Parallel()
	doc := parse(t, orderPage(t, "paid"))
	var badges []string
	doc.Find(".entries > li").Each(func(_ int, li *goquery.Selection) {
		badges = append(badges, strings.TrimPrefix(li.Find(".badge").Text(), "Revision "))
	})
	if got := strings.Join(badges, ","); got != "r5,r4,,r3,,r2,r1" {
		t.Errorf("badges %s", got)
	}
	for _, kind := range []string{"stale", "refused"} {
		if doc.Find("li."+kind+" .reason").Text() == "" {
			t.Errorf("%s entry has no reason", kind)
		}
	}
}

func TestLongHistoryFoldsItsOlderEntries(t *testing.T) {
	t.Parallel()
	doc := parse(t, orderPage(t, "several"))
	if n := doc.Find(".history > .entries > li").Length(); n != 10 {
		t.Errorf("%d entries shown", n)
	}
	if n := doc.Find("details#older .entries > li").Length(); n != 14 {
		t.Errorf("%d entries folded", n)
	}
	if got := strings.TrimSpace(doc.Find("#older-summary").Text()); got != "14 older entries" {
		t.Errorf("summary %q", got)
	}
}

func TestReasonsStandOpenOnlyWhereAPaidOrderIsHeldBack(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"waiting": false, "disputed": false, "paid": false, "withheld": true, "disputed-before-delivery": true} {
		if _, open := parse(t, orderPage(t, name)).Find("details#gate").Attr("open"); open != want {
			t.Errorf("%s: open %v, want %v", name, open, want)
		}
	}
}

func TestFragmentIsTheChangingPartOfThePage(t *testing.T) {
	t.Parallel()
	v := delivered(view.Facts{Payment: "paid", Delivery: view.DeliveryDone, Licenses: 1})
	page, fragment := render(t, view.OrderPage(v)), render(t, view.OrderBody(v))
	if !strings.Contains(page, fragment) {
		t.Error("the stream would show something else than the page")
	}
	if doc := parse(t, page); doc.Find("[data-events-url] > [data-order]").Length() != 1 || doc.Find("[data-order] [role=status]").Length() != 0 {
		t.Error("the spoken status must outlive the fragment")
	}
}

func TestExactTimeStandsBehindTheRelativeOne(t *testing.T) {
	t.Parallel()
	time := parse(t, orderPage(t, "paid")).Find(".entries time").First()
	if time.Text() != "2 minutes ago" || time.AttrOr("datetime", "") != "2026-11-30T11:40:07Z" || time.AttrOr("title", "") != "30 Nov 2026, 11:40:07 UTC" {
		t.Errorf("time %q, %q, %q", time.Text(), time.AttrOr("datetime", ""), time.AttrOr("title", ""))
	}
}

func TestWhoeverIsToGetInTouchReadsWhere(t *testing.T) {
	t.Parallel()
	v := order(view.Facts{Payment: "paid", Delivery: view.DeliveryCancelled, Licenses: 1})
	lead := func() string { return strings.TrimSpace(parse(t, render(t, view.OrderPage(v))).Find(".lead").Text()) }
	const sentence = "The payment arrived, but this order will not be delivered. Please get in touch with us"
	if got := lead(); got != sentence+": help@shop.example" {
		t.Errorf("says %q", got)
	}
	v.Contact = ""
	if got := lead(); got != sentence+"." {
		t.Errorf("without an address it says %q", got)
	}
}
