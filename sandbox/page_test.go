package sandbox_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/sandbox"
	"onceshop/sandbox/pages"
)

// visitor is a browser without script.
func (b *bench) visit(path string, want int) *goquery.Document {
	b.T.Helper()
	response, err := http.Get(b.URL + path)
	if err != nil {
		b.T.Fatal(err)
	}
	return b.read(response, want)
}

func (b *bench) read(response *http.Response, want int) *goquery.Document {
	b.T.Helper()
	defer response.Body.Close()
	if response.StatusCode != want {
		body, _ := io.ReadAll(response.Body)
		b.T.Fatalf("%s answered %d, want %d: %s", response.Request.URL, response.StatusCode, want, body)
	}
	page, err := goquery.NewDocumentFromReader(response.Body)
	if err != nil {
		b.T.Fatal(err)
	}
	return page
}

// press finds a button by its value, sends its form, and follows the redirect
// to the page with status want.
func (b *bench) press(page *goquery.Document, do string, want int, typed url.Values) *goquery.Document {
	b.T.Helper()
	button := page.Find(`button[name="do"][value="` + do + `"]`).First()
	form := button.Closest("form")
	if form.Length() == 0 {
		b.T.Fatalf("there is no button %s", do)
	}
	values := url.Values{"do": {do}}
	form.Find("input[type=hidden]").Each(func(_ int, in *goquery.Selection) {
		values.Set(in.AttrOr("name", ""), in.AttrOr("value", ""))
	})
	form.Find("select").Each(func(_ int, in *goquery.Selection) {
		values.Set(in.AttrOr("name", ""), in.Find("option[selected], option").First().AttrOr("value", in.Find("option[selected]").Text()))
	})
	for name, v := range typed {
		values[name] = v
	}
	response, err := http.PostForm(b.URL+form.AttrOr("action", ""), values)
	if err != nil {
		b.T.Fatal(err)
	}
	return b.read(response, want)
}

func TestABuyerPaysAndGoesBackToTheShop(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	page := b.visit("/pay/"+id, http.StatusOK)
	if got := page.Find("h1 bdi").Text(); got != "€49.00" {
		t.Errorf("asks for %q", got)
	}
	if page.Find(".out a.strong").Length() != 0 {
		t.Error("leads back to the shop as if paid")
	}
	page = b.press(page, "pay", http.StatusOK, nil)
	if got := page.Find(".state .pill").Text(); got != "Paid" {
		t.Errorf("state %q", got)
	}
	if got := page.Find(".out a.strong").AttrOr("href", ""); got != "https://shop.example/return" {
		t.Errorf("leads to %q", got)
	}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"paymentStatus": "paid", "revision": "2"})
}

func TestABuyerWatchesTheConfirmations(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	page := b.press(b.visit("/pay/"+id, http.StatusOK), "pay3", http.StatusOK, nil)
	for n := range 3 {
		if got := page.Find(".blocks li.on").Length(); got != n {
			t.Errorf("%d blocks of %d", got, n)
		}
		page = b.press(page, "confirm", http.StatusOK, nil)
	}
	if page.Find(".blocks").Length() != 0 || page.Find(".state .pill").Text() != "Paid" {
		t.Error("not paid after three blocks")
	}
}

func TestThePageLooksAgainByItselfOnlyWhileBlocksComeByThemselves(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *sandbox.Config) { c.AutoConfirm = 1 })
	id := b.order()
	page := b.visit("/pay/"+id, http.StatusOK)
	if page.Find("meta[http-equiv=refresh]").Length() != 0 {
		t.Error("reloads while the buyer chooses")
	}
	page = b.press(page, "pay3", http.StatusOK, nil)
	if page.Find("meta[http-equiv=refresh]").Length() != 1 {
		t.Error("doesn't look again")
	}
}

func TestEveryBadDayCanBePractised(t *testing.T) {
	t.Parallel()
	for do, want := range map[string]object{
		"underpay": {"paymentStatus": "pending", "receivedAmount": "2450", "revision": "2"},
		"overpay":  {"paymentStatus": "paid", "receivedAmount": "7350", "revision": "2"},
		"late":     {"paymentStatus": "paid", "receivedAmount": "4900", "revision": "3"},
		"fail":     {"paymentStatus": "failed", "receivedAmount": "0", "revision": "2"},
		"expire":   {"paymentStatus": "expired", "receivedAmount": "0", "revision": "2"},
	} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			id := b.order()
			b.press(b.visit("/pay/"+id, http.StatusOK), do, http.StatusOK, nil)
			b.must("GET", "/v1/orders/"+id, "", "").Expect(t, want)
		})
	}
}

func TestAPartAndTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	page := b.press(b.visit("/pay/"+id, http.StatusOK), "underpay", http.StatusOK, nil)
	if got := page.Find(".state .pill").Text(); got != "Partly paid" {
		t.Errorf("state %q", got)
	}
	if got := page.Find(`button[value="pay"]`).Text(); got != "Pay the rest, €24.50" {
		t.Errorf("offers %q", got)
	}
	b.press(page, "pay", http.StatusOK, nil)
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"paymentStatus": "paid", "receivedAmount": "4900"})
}

func TestADoubleClickActsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	page := b.visit("/pay/"+id, http.StatusOK)
	b.press(page, "underpay", http.StatusOK, nil)
	b.press(page, "underpay", http.StatusOK, nil)
	paid := b.press(b.visit("/pay/"+id, http.StatusOK), "pay", http.StatusOK, nil)
	b.press(paid, "refund_half", http.StatusOK, nil)
	b.press(paid, "refund_half", http.StatusOK, nil)
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{
		"receivedAmount": "4900", "refundedAmount": "2450", "revision": "4"})
}

func TestRefundsAndRiskOnThePage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	page := b.press(b.visit("/pay/"+id, http.StatusOK), "pay", http.StatusOK, nil)
	page = b.press(page, "refund", http.StatusOK, url.Values{"amount": {"1.05"}})
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"refundedAmount": "105", "refundStatus": "partial"})
	for _, typed := range []string{"1.055", "-3", "0", "a lot", "1,05"} {
		refused := b.press(page, "refund", http.StatusUnprocessableEntity, url.Values{"amount": {typed}})
		if refused.Find("[role=alert]").Text() == "" {
			t.Errorf("%q was refused without a reason", typed)
		}
	}
	page = b.press(page, "risk", http.StatusOK, url.Values{"decision": {"deny"}, "chain": {"blocked"}, "validity": {"-1"}})
	o := b.must("GET", "/v1/orders/"+id, "", "")
	o.Expect(t, object{"fulfillmentDecision": "deny"})
	o.At("merchantRisk").Expect(t, object{"chainEnforcement": "blocked", "serviceStatus": "enabled"})
	b.press(page, "refund_all", http.StatusOK, nil)
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"refundedAmount": "4900", "refundStatus": "full"})
	if page := b.visit("/pay/"+id, http.StatusOK); page.Find(".usual button, .trouble button").Length() != 0 {
		t.Error("a refunded order can still be paid")
	}
}

func TestFormsFromOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	for name, header := range map[string][2]string{
		"cross-site": {"Sec-Fetch-Site", "cross-site"}, "same-site": {"Sec-Fetch-Site", "same-site"}, "by origin": {"Origin", "https://evil.example"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), "POST", b.URL+"/pay/"+id, strings.NewReader("do=pay&revision=1"))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set(header[0], header[1])
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if response.StatusCode != http.StatusForbidden {
				t.Errorf("answered %d", response.StatusCode)
			}
		})
	}
	b.must("GET", "/v1/orders/"+id, "", "").Expect(t, object{"revision": "1"})
}

func TestPagesNeedNoScriptAndAllowNone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.order()
	b.act(id, "pay", "")
	b.Deliver()
	for _, path := range []string{"/", "/pay/" + id, "/orders/" + id, "/faults", "/nowhere"} {
		response, err := http.Get(b.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		if got := response.Header.Get("Content-Security-Policy"); got != pages.Policy {
			t.Errorf("%s has the policy %q", path, got)
		}
		if got := response.Header.Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s may be cached: %q", path, got)
		}
		page := b.read(response, response.StatusCode)
		if n := page.Find("script, style, [style], [onclick], iframe").Length(); n != 0 {
			t.Errorf("%s has %d of what its policy forbids", path, n)
		}
		page.Find("link[href], img[src]").Each(func(_ int, s *goquery.Selection) {
			asset := s.AttrOr("href", s.AttrOr("src", ""))
			if !strings.HasPrefix(asset, "/assets/") {
				t.Errorf("%s loads %s", path, asset)
			}
			b.visit(asset, http.StatusOK)
		})
		if page.Find("h1").Length() != 1 || page.Find("html[lang]").Length() != 1 || page.Find("main").Length() != 1 {
			t.Errorf("%s lacks a heading, a language or a main part", path)
		}
	}
}

func TestOddCharactersAreShownAndNotRun(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := strings.Replace(euros, "A license", `Pro 🚀 <b>x</b> & عربى`, 1)
	id := b.must("POST", "/v1/orders", "k", body).At("order").Text("id")
	page := b.visit("/pay/"+id, http.StatusOK)
	if got := strings.TrimSpace(page.Find(".to").Text()); got != `Pro 🚀 <b>x</b> & عربى` {
		t.Errorf("shows %q", got)
	}
	if page.Find(".to b").Length() != 0 {
		t.Error("the description became markup")
	}
}

func TestAnUnknownOrderIsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/pay/nobody", "/orders/nobody", "/elsewhere"} {
		b.visit(path, http.StatusNotFound)
	}
}
