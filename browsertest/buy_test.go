package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"onceshop/license"
)

// fill puts a product into the cart and leads to the hosted page.
func (t *tab) fill(p *place) {
	t.Helper()
	t.visit(p.url)
	t.follow(`a[href="/products/inkwell"]`)
	t.heading("Inkwell")
	t.follow(".buy button")
	t.heading("Your cart")
	t.fillIn("#email", buyer)
	t.follow(".checkout button")
	t.heading("Amount to pay")
}

// copies takes the step that copies a key, and waits for the button to say so. It
// says so for two seconds only, which a busy test could miss.
func (t *tab) copies(step chromedp.Action[chromedp.Void]) {
	t.Helper()
	t.do(chromedp.Evaluate[chromedp.Void](`window.said = []; new MutationObserver(() => said.push(document.querySelector("[data-copy]").textContent.trim())).
		observe(document.body, { subtree: true, childList: true, characterData: true })`),
		step, chromedp.Poll[chromedp.Void](`said.includes("Copied")`))
}

// key is the order's only key.
func (p *place) key(t *tab) string {
	p.Helper()
	number := t.text(".state .number")
	o, err := p.app.DB.FindOrderByNumber(p.Context(), number)
	if err != nil {
		p.Fatal(err)
	}
	licenses, err := p.app.DB.ListLicensesOfOrder(p.Context(), o.ID)
	if err != nil {
		p.Fatal(err)
	}
	if len(licenses) != 1 {
		p.Fatalf("%d licenses, want one", len(licenses))
	}
	return license.Key(p.app.Config.LicenseSecret.Bytes(), licenses[0].ID)
}

func TestAnOrderPageTurnsToPaidBeforeTheBuyersEyes(t *testing.T) {
	t.Parallel()
	p := open(t)
	buyer := p.tab(1280)
	buyer.fill(p)
	// The buyer looks at the order first and pays in another tab.
	buyer.follow("a.quiet")
	buyer.heading("Waiting for payment")
	buyer.do(chromedp.Evaluate[chromedp.Void]("window.neverReloaded = true"))
	pay := p.beside(buyer, 1280)
	pay.visit(value(buyer, chromedp.Evaluate[string](`document.querySelector("#pay").href`)))

	pay.follow(`button[value="pay3"]`)
	buyer.heading("Confirming your payment")
	buyer.says("The payment was seen")
	for _, sentence := range []string{"1 confirmation so far", "2 confirmations so far"} {
		pay.follow(`button[value="confirm"]`)
		buyer.says(sentence)
	}
	if title := value(buyer, chromedp.Title()); !strings.HasPrefix(title, "Confirming your payment – ") {
		t.Errorf("the title of the waiting tab is %q", title)
	}
	pay.follow(`button[value="confirm"]`)
	buyer.heading("Paid")
	buyer.says("Delivered: your license is below and in your mail.")
	if !value(buyer, chromedp.Evaluate[bool]("window.neverReloaded === true")) {
		t.Error("the page was loaded anew instead of changing")
	}
	if got := value(buyer, chromedp.Title()); !strings.HasPrefix(got, "Paid – ") {
		t.Errorf("the title is %q", got)
	}
	if got := buyer.text("[role=status]"); got != "Paid" {
		t.Errorf("a screen reader is told %q", got)
	}

	key := p.key(buyer)
	if shown := buyer.text(".license"); strings.Contains(shown, key) {
		t.Error("the key is shown before anybody asked")
	}
	buyer.follow(`.license a[id$="-reveal"]`)
	if got := buyer.text(".license code.key"); got != key {
		t.Errorf("the key shown is %q, want %q", got, key)
	}
	buyer.copies(click(`.license button[data-copy]`))

	pay.follow("a.button.strong") // return to the shop: the same order
	pay.heading("Paid")

	pay.visit(p.url + "/mailbox")
	pay.follow(".mails a")
	pay.says(key)
}

func TestALicenseIsBoughtWithScriptTurnedOff(t *testing.T) {
	t.Parallel()
	p := open(t)
	buyer := p.tab(390)
	buyer.withoutScript()
	buyer.fill(p)
	buyer.follow(`button[value="pay3"]`)
	pay := p.beside(buyer, 390)
	pay.withoutScript()
	pay.visit(value(buyer, chromedp.Location()))
	buyer.follow("a.button.strong")
	buyer.heading("Confirming your payment")
	// Waited for, not asked: the page may be refreshing itself at this moment.
	buyer.do(chromedp.WaitReady(chromedp.CSS("noscript meta[http-equiv=refresh]")))

	for range 3 {
		pay.follow(`button[value="confirm"]`)
	}
	buyer.heading("Paid")
	buyer.says("Delivered: your license is below")
	key := p.key(buyer)
	buyer.follow(`.license a[id$="-reveal"]`)
	if got := buyer.text(".license code.key"); got != key {
		t.Errorf("the key shown is %q, want %q", got, key)
	}
	if value(buyer, chromedp.Evaluate[bool]("document.querySelector('[data-copy]').checkVisibility()")) {
		t.Error("a button that needs script is shown without it")
	}
	buyer.follow(`.license a[id$="-reveal"]`)
	if got := buyer.text(".license code.key"); strings.Contains(got, key) {
		t.Error("the key stays shown")
	}
}
