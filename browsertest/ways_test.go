package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chosen is the way to pay that the cart's form would send.
func (t *tab) chosen() string {
	t.Helper()
	return value(t, chromedp.Evaluate[string](`document.querySelector(".ways :checked").value`))
}

// carted puts a product into the cart that several providers can be paid for.
func (t *tab) carted(p *place) {
	t.Helper()
	t.visit(p.url + "/products/quarry")
	t.follow(".buy button")
	t.heading("Your cart")
}

// atStripe tells whether the tab shows the hosted page of Stripe's stand-in.
func (p *place) atStripe(t *tab) {
	t.Helper()
	t.heading("Amount to pay")
	provider := ""
	if err := p.app.DB.Pool().QueryRowContext(p.Context(), "SELECT provider FROM shop_payments ORDER BY created_at DESC LIMIT 1").Scan(&provider); err != nil {
		t.Fatal(err)
	}
	if provider != "stripe" {
		t.Errorf("the newest payment is with %s", provider)
	}
}

func TestAWayToPayIsChosenByKeyboard(t *testing.T) {
	t.Parallel()
	p := open(t)
	b := p.tab(1280)
	b.carted(p)
	b.tabTo("#email")
	b.do(chromedp.KeyEvent(buyer))
	b.tabTo("#way-stablein") // the first of them is chosen, and one stop for all
	b.do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
	if f := b.focus("#way-checkoutcom"); !f.Here || !f.Shown || b.chosen() != "checkoutcom" {
		t.Errorf("the arrow leads to %+v, and %s is chosen", f, b.chosen())
	}
	b.do(chromedp.KeyEvent(kb.ArrowUp))
	if f := b.focus("#way-stripe"); !f.Here || !f.Shown {
		t.Errorf("the arrow leads to %+v", f)
	}
	b.do(chromedp.KeyEvent(kb.Tab))
	if f := b.focus(".checkout button"); !f.Here {
		t.Errorf("after the choice the focus goes to %s", f.Name)
	}
	b.enter()
	p.atStripe(b)
	b.tabTo(`button[value="pay"]`)
	b.enter()
	b.tabTo("a.button.strong")
	b.enter()
	b.heading("Paid")
}

func TestAWayToPayIsChosenAndChangedWithScriptTurnedOff(t *testing.T) {
	t.Parallel()
	p := open(t)
	b := p.tab(390)
	b.withoutScript()
	b.carted(p)
	// A mistake elsewhere doesn't take the choice back.
	b.press(`label[for="way-stripe"] .name`) // anywhere on its row
	b.expect(p.url + "/checkout")
	b.fillIn("#email", "ada")
	b.follow(".checkout button")
	b.says("This could not be done yet")
	if got := b.chosen(); got != "stripe" {
		t.Errorf("%s is chosen, want stripe", got)
	}
	b.press(`label[for="way-stablein"]`)
	b.fillIn("#email", buyer)
	b.follow(".checkout button")
	b.heading("Amount to pay")
	b.follow("a.quiet") // back without paying
	b.heading("Waiting for payment")
	b.still()
	b.follow(`#pay-way-stripe`)
	p.atStripe(b)
	b.follow(`button[value="pay"]`)
	b.follow("a.button.strong")
	b.heading("Paid")
	if got := b.text(".history"); !strings.Contains(got, "A new payment was started: Card or wallet (Stripe)") {
		t.Errorf("the history says %q", got)
	}
}

func TestAWayThatIsNotOfferedLeadsBackToTheChoice(t *testing.T) {
	t.Parallel()
	p := open(t)
	b := p.tab(1280)
	b.carted(p)
	b.fillIn("#email", buyer)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#way-stablein").value = "cash"`))
	b.expect(p.url + "/checkout")
	b.follow(".checkout button")
	b.press(`[role=alert] a[href="#way-stablein"]`)
	b.do(chromedp.Poll[chromedp.Void](`document.activeElement.id === "way-stablein"`))
	if got := value(b, chromedp.Evaluate[string](`document.querySelector("#email").value`)); got != buyer {
		t.Errorf("the address became %q", got)
	}
}
