package sandbox_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

func TestTheDeskListsOrdersNewestFirstPageByPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i := range 31 {
		body := strings.Replace(euros, "A license", "Order number "+strconv.Itoa(i+1), 1)
		b.must("POST", "/v1/orders", "key-"+strconv.Itoa(i), body)
	}
	page := b.visit("/", http.StatusOK)
	if rows := page.Find("tbody tr"); rows.Length() != 30 || rows.First().Find("a").Text() != "Order number 31" {
		t.Errorf("%d rows from %q", rows.Length(), rows.First().Find("a").Text())
	}
	older := page.Find(".next a").AttrOr("href", "")
	if rows := b.visit(older, http.StatusOK).Find("tbody tr"); rows.Length() != 1 || rows.Find("a").Text() != "Order number 1" {
		t.Errorf("%d older rows", rows.Length())
	}
}

func TestTheOrderPageTellsEveryRevisionSendAndAttempt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.shop.Always(http.StatusServiceUnavailable, "")
	b.act(id, "pay", "")
	b.Deliver()
	b.shop.Always(http.StatusOK, "")
	b.Later()
	b.Deliver()
	page := b.visit("/orders/"+id, http.StatusOK)
	if got := page.Find(".events > li h3").Map(func(_ int, s *goquery.Selection) string { return s.Text() }); strings.Join(got, " ") != "payment.paid payment.pending" {
		t.Errorf("events %v", got)
	}
	newest := page.Find(".events > li").First()
	if got := newest.Find(".attempts .pill").Map(func(_ int, s *goquery.Selection) string { return s.Text() }); strings.Join(got, " ") != "503 200" {
		t.Errorf("attempts %v", got)
	}
	if got := newest.Find(".delivery-head .pill").Text(); got != "delivered" {
		t.Errorf("the delivery is %q", got)
	}
}

func TestADeliveryIsSentAgainFromItsPage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	first := b.shop.Take()[0]
	form := b.visit("/orders/"+id, http.StatusOK).Find(".delivery form")
	delivery := form.Find("input[name=delivery]").AttrOr("value", "")
	for _, as := range []string{"", "wrong_signature", "conflict"} {
		response, err := http.PostForm(b.URL+form.AttrOr("action", ""), url.Values{"delivery": {delivery}, "as": {as}})
		if err != nil {
			t.Fatal(err)
		}
		b.read(response, http.StatusOK)
	}
	b.Deliver()
	got := b.shop.Take()
	if len(got) != 3 {
		t.Fatalf("%d sends", len(got))
	}
	for i, want := range []struct{ signed, same bool }{{true, true}, {false, true}, {true, false}} {
		d := got[i]
		if signed := signed(d) == signature(secret, timestamp(d), d.Body); signed != want.signed {
			t.Errorf("send %d is signed: %v", i+1, signed)
		}
		if same := string(d.Body) == string(first.Body); same != want.same || eventID(d) != eventID(first) {
			t.Errorf("send %d has the same body: %v", i+1, same)
		}
	}
}

func TestFaultsAreSwitchedOnThePage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.visit("/faults", http.StatusOK)
	if n := page.Find("form.faults").Length(); n != 2 {
		t.Fatalf("%d sets of switches, want the general ones and the endpoint's", n)
	}
	page = b.press(page, "save", http.StatusOK, url.Values{"duplicate": {"2"}, "reorder": {"on"}, "api_slow_ms": {""}})
	if page.Find("[role=status]").Length() != 1 {
		t.Error("doesn't say that it was saved")
	}
	faults := b.must("GET", "/v1/test/faults", "", "").At("faults")
	if faults["duplicate"] != 2.0 || faults["reorder"] != true || len(faults) != 2 {
		t.Errorf("saved %v", faults)
	}
	if b.visit("/", http.StatusOK).Find(".notice").Length() != 1 {
		t.Error("the desk doesn't say that faults are on")
	}
	bad := b.press(page, "save", http.StatusUnprocessableEntity, url.Values{"duplicate": {"1000"}})
	if bad.Find("[role=alert]").Text() == "" {
		t.Error("refused without a reason")
	}
	b.press(page, "off", http.StatusOK, nil)
	if faults := b.must("GET", "/v1/test/faults", "", "").At("faults"); len(faults) != 0 {
		t.Errorf("still on: %v", faults)
	}
}

func TestAnEndpointsSwitchesAreItsOwnUntilGivenUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	endpoint := b.must("GET", "/v1/webhook-endpoints", "", "").List("endpoints")[0].Text("id")
	post := func(do string) {
		response, err := http.PostForm(b.URL+"/faults", url.Values{"endpoint": {endpoint}, "do": {do}, "corrupt_byte": {"on"}})
		if err != nil {
			t.Fatal(err)
		}
		b.read(response, http.StatusOK)
	}
	own := func() any { return b.must("GET", "/v1/test/faults", "", "").List("endpoints")[0]["faults"] }
	post("save")
	if got, ok := own().(map[string]any); !ok || got["corrupt_byte"] != true {
		t.Errorf("saved %v", own())
	}
	post("general")
	if own() != nil {
		t.Errorf("kept %v", own())
	}
}

func TestHealthSaysWhetherTheDatabaseAnswers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.visit("/healthz", http.StatusOK)
	if err := b.DB.Close(); err != nil {
		t.Fatal(err)
	}
	b.visit("/healthz", http.StatusServiceUnavailable)
}
