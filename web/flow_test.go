package web_test

import (
	"crypto/ed25519"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"onceshop/fulfillment"
	"onceshop/license"
	"onceshop/shoptest"
)

// The whole way of a buyer whose browser runs no script.
func TestALicenseIsBoughtWithoutScript(t *testing.T) {
	t.Parallel()
	s := shoptest.New(t).Pages()
	s.Mails.Sender = fulfillment.Mailbox{DB: s.DB}
	s.Product("inkwell", "Inkwell", "49000000", "USDC")
	b := s.Browser()

	home := b.Get("/")
	wantStatus(t, home, http.StatusOK)
	link, ok := parse(t, home).Find("#products a").Attr("href")
	if !ok {
		t.Fatal("the first page links no product")
	}
	product := b.Get(link)
	wantStatus(t, product, http.StatusOK)
	wantWords(t, words(parse(t, product), "main"), "Inkwell", "49.00", "USDC")

	cart := b.Follow(b.Post("/cart/lines", fields(t, product, "form.buy", "quantity", "2")))
	doc := parse(t, cart)
	wantWords(t, words(doc, "main"), "Inkwell", "98.00")
	if got := words(doc, ".site-nav .count"); !strings.HasPrefix(got, "2") {
		t.Errorf("the cart counts %q", got)
	}

	pay := b.Post("/checkout", fields(t, cart, ".checkout form", "email", shoptest.Buyer))
	wantStatus(t, pay, http.StatusSeeOther)
	hosted := pay.Header.Get("Location")
	id := hosted[strings.LastIndex(hosted, "/")+1:]
	placed := s.Platform.Order(id)
	if placed.Amount != "98000000" || placed.Currency != "USDC" {
		t.Fatalf("the provider was asked for %s %s, want 98000000 USDC", placed.Amount, placed.Currency)
	}

	// The buyer pays there and comes back before the provider's word does.
	back := b.Get("/checkout/return?order=" + numberOf(s, placed.MerchantOrderID))
	order := b.Follow(back)
	wantStatus(t, order, http.StatusOK)
	wantWords(t, words(parse(t, order), "main"), "Confirming your payment")

	s.Report("payment.paid", placed.With(func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "paid" }))
	s.Settle()
	order = b.Get(order.URL)
	doc = parse(t, order)
	wantWords(t, words(doc, "main"), "Paid", "Delivered", "Inkwell", "1 of 2", "2 of 2")

	// The keys are masked; one is shown when it is asked for, the other stays hidden.
	licenses := s.Licenses(placed.MerchantOrderID)
	if len(licenses) != 2 {
		t.Fatalf("%d licenses, want 2", len(licenses))
	}
	first, second := license.Key(s.Keys.Secret, licenses[0].ID), license.Key(s.Keys.Secret, licenses[1].ID)
	if strings.Contains(order.Body, first) || strings.Contains(order.Body, second) {
		t.Error("a key is shown before anybody asked")
	}
	wantWords(t, words(doc, ".licenses"), license.Mask(first), license.Mask(second))
	shown := b.Get(doc.Find(`.license a[id$="-reveal"]`).First().AttrOr("href", ""))
	if !strings.Contains(shown.Body, first) || strings.Contains(shown.Body, second) {
		t.Error("the key that was asked for isn't the one that is shown")
	}

	// The file proves itself with nothing but the public key.
	key := b.Get(parse(t, b.Get("/licenses")).Find(`a[href$=".pem"]`).AttrOr("href", ""))
	public, err := license.ParsePublic([]byte(key.Body))
	if err != nil {
		t.Fatal(err)
	}
	file := b.Get(doc.Find(`.license a[id$="-file"]`).First().AttrOr("href", ""))
	wantStatus(t, file, http.StatusOK)
	got, err := license.Verify([]byte(file.Body), map[string]ed25519.PublicKey{license.KeyID(public): public})
	if err != nil {
		t.Fatalf("%v:\n%s", err, file.Body)
	}
	number := numberOf(s, placed.MerchantOrderID)
	if got.License != licenses[0].ID || got.Product != "Inkwell" || got.Order != number || got.Buyer != shoptest.Buyer {
		t.Errorf("the license says %+v", got)
	}
	if d := file.Header.Get("Content-Disposition"); !strings.HasPrefix(d, "attachment") || !strings.Contains(d, number) {
		t.Errorf("Content-Disposition is %q", d)
	}

	// The mail lies in the demo's mailbox, with the way back to the order.
	mail := b.Get(parse(t, b.Get("/mailbox")).Find(".mails a").AttrOr("href", ""))
	wantStatus(t, mail, http.StatusOK)
	wantWords(t, mail.Body, order.URL[:strings.IndexByte(order.URL, '?')], first, second)
}

// fields is the form that the selector finds on a page, filled in as a browser
// would, with one field typed over.
func fields(t testing.TB, page shoptest.Page, selector, name, value string) url.Values {
	t.Helper()
	form := url.Values{}
	found := parse(t, page).Find(selector)
	if found.Length() != 1 {
		t.Fatalf("%s has %d forms %q, want one", page.URL, found.Length(), selector)
	}
	inputs := found.Find("input[name]")
	for i := range inputs.Length() {
		in := inputs.Eq(i)
		form.Set(in.AttrOr("name", ""), in.AttrOr("value", ""))
	}
	if !form.Has(name) {
		t.Fatalf("the form %q of %s has no field %q", selector, page.URL, name)
	}
	form.Set(name, value)
	return form
}

func numberOf(s *shoptest.Pages, orderID string) string {
	s.Helper()
	return s.Order(orderID).Number
}
