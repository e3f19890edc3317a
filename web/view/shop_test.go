package view_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"onceshop/web/assets"
	"onceshop/web/view"
)

// firstView is what a first visit may transfer, in bytes.
const firstView = 60_000

func TestFirstViewOfTheHomePageIsLight(t *testing.T) {
	t.Parallel()
	page := render(t, samples()[0].page)
	sum := len(page) // not even compressed
	seen := map[string]bool{}
	parse(t, page).Find("img[src], script[src], link[href]").Each(func(_ int, e *goquery.Selection) {
		address := e.AttrOr("src", e.AttrOr("href", ""))
		if seen[address] {
			return
		}
		seen[address] = true
		r := httptest.NewRequest("GET", address, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		w := httptest.NewRecorder()
		assets.Handler().ServeHTTP(w, r)
		if w.Code != 200 {
			t.Errorf("GET %s: %d", address, w.Code)
		}
		sum += w.Body.Len()
	})
	t.Logf("%d bytes in %d requests", sum, len(seen)+1)
	if sum > firstView {
		t.Errorf("%d bytes", sum)
	}
}

func TestOddNamesAreShownAsTheyAreAndEscaped(t *testing.T) {
	t.Parallel()
	for _, s := range samples() {
		page := render(t, s.page)
		if strings.Contains(page, "<b>\"") || strings.Contains(page, "<b>&#34;") {
			t.Errorf("%s: a name became markup", s.name)
		}
	}
	page := render(t, view.ProductPage(oddProduct()))
	if !strings.Contains(page, "&lt;b&gt;") {
		t.Error("the name's markup is not escaped")
	}
	doc := parse(t, page)
	if got := doc.Find("h1").Text(); got != oddName {
		t.Errorf("heading %q", got)
	}
	if got := doc.Find("title").Text(); got != oddName+" – Onceshop" {
		t.Errorf("title %q", got)
	}
	if doc.Find("h2 bdi").Length() == 0 {
		t.Error("a right-to-left name could reorder its sentence")
	}
}

func TestSoldOutProductTakesNoOrder(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, view.ProductPage(soldOut())))
	if doc.Find("form").Length() != 0 || !strings.Contains(doc.Find("main").Text(), "Sold out") {
		t.Error("still sells")
	}
}

func TestAProductThatNobodyTakesMoneyForTakesNoOrder(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, view.ProductPage(unpayableProduct())))
	if doc.Find("form").Length() != 0 || !strings.Contains(doc.Find("main").Text(), "can’t be bought at the moment") {
		t.Error("still sells")
	}
}

func TestRefusedCartTellsEveryReasonTwice(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, view.CartPage(refusedCart())))
	summary := doc.Find("[role=alert]")
	for _, want := range []string{"Meridian is sold out", "At most 20", "Enter a mail address"} {
		if !strings.Contains(summary.Text(), want) {
			t.Errorf("summary lacks %q", want)
		}
	}
	for field, reason := range map[string]string{"#email": "#email-error", "#quantity-stillpoint": "#quantity-error-stillpoint"} {
		in := doc.Find(field)
		if in.AttrOr("aria-invalid", "") != "true" || !strings.Contains(in.AttrOr("aria-describedby", ""), reason[1:]) || doc.Find(reason).Length() != 1 {
			t.Errorf("%s does not name its reason", field)
		}
	}
	if got := doc.Find("#email").AttrOr("value", ""); got != "ada@example" {
		t.Errorf("address %q was not kept", got)
	}
	if got := doc.Find("title").Text(); !strings.HasPrefix(got, "Error: ") {
		t.Errorf("title %q", got)
	}
}

func TestOrderedCartShowsTheOrderInsteadOfPay(t *testing.T) {
	t.Parallel()
	doc := parse(t, render(t, view.CartPage(view.Cart{OrderURL: orderURL, OrderNumber: "1007", Lines: cart().Lines})))
	if doc.Find("form").Length() != 0 || doc.Find(`a[href="`+orderURL+`"]`).Length() != 1 {
		t.Error("could be paid again")
	}
}

func TestReturnWithoutCookiePromisesNothing(t *testing.T) {
	t.Parallel()
	text := strings.ToLower(parse(t, render(t, view.ReturnPage(view.Return{}))).Find("main").Text())
	for _, word := range []string{"thank", "success", "paid", "complete"} {
		if strings.Contains(text, word) {
			t.Errorf("says %q of an order it does not know", word)
		}
	}
}

func TestMailIsShownInAFrameThatMayDoNothing(t *testing.T) {
	t.Parallel()
	frame := parse(t, render(t, view.MailPage(mail()))).Find("iframe")
	if sandbox, ok := frame.Attr("sandbox"); !ok || sandbox != "" || frame.AttrOr("title", "") == "" {
		t.Error("the mail's HTML has rights")
	}
}
