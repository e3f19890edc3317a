package browsertest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"onceshop/checkout"
	"onceshop/payment"
	"onceshop/store"
)

// view is a page, and how it is reached.
type view struct {
	name string
	open func(t *tab)
}

// examined is how each page is looked at. Between them the two cover both widths
// and both schemes; pictures are taken of all four.
var examined = []struct {
	width  int64
	scheme string
}{{390, "light"}, {1280, "dark"}}

func TestEveryPageOfTheShopIsSoundOnPhoneAndDesk(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.look(shopPages(p))
}

func TestEveryPageOfTheSandboxIsSoundOnPhoneAndDesk(t *testing.T) {
	t.Parallel()
	p := open(t)
	p.look(sandboxPages(p))
}

// look opens one page after the other in a tab and examines it.
func (p *place) look(views []view) {
	p.Helper()
	t := p.tab(1280)
	for _, v := range views {
		v.open(t)
		for _, e := range examined {
			t.size(e.width)
			t.scheme(e.scheme)
			t.examine(fmt.Sprintf("%s, %d wide, %s", v.name, e.width, e.scheme))
		}
		t.fits(v.name)
		t.picture(v.name)
	}
}

// fits checks that nothing has to be scrolled sideways and no words are cut off,
// down to the narrowest phones. Only code may be wider than its frame.
func (t *tab) fits(what string) {
	t.Helper()
	for _, width := range []int64{320, 390, 768, 1280} {
		t.size(width)
		wide := value(t, chromedp.Evaluate[[]string](`(() => {
			const room = document.documentElement.clientWidth, found = [];
			const clips = e => e && (getComputedStyle(e).overflowX === "visible" ? clips(e.parentElement) : e);
			const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
			for (let text; text = texts.nextNode();) {
				range.selectNodeContents(text);
				const box = range.getBoundingClientRect(), frame = clips(text.parentElement);
				if (!text.data.trim() || box.width === 0 || text.parentElement.closest(".skip, pre")) continue;
				if (frame && frame.clientWidth <= 1) continue; // for screen readers alone
				const end = Math.min(room, frame && frame !== document.body ? frame.getBoundingClientRect().right : room);
				if (box.right > end + 1) found.push("“" + text.data.trim().slice(0, 40) + "” reaches " + Math.round(box.right) + " of " + Math.round(end));
			}
			if (document.documentElement.scrollWidth > room) found.push("the page is " + document.documentElement.scrollWidth + " wide");
			return found.slice(0, 5);
		})()`))
		if len(wide) > 0 {
			t.Errorf("%s doesn't fit at %d: %s", what, width, strings.Join(wide, "; "))
		}
	}
}

// picture keeps what the page looks like, where somebody wants to see it.
func (t *tab) picture(name string) {
	t.Helper()
	folder := os.Getenv("SHOP_SCREENSHOTS")
	if folder == "" {
		return
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{390, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			t.size(width)
			t.scheme(scheme)
			shot := value(t, chromedp.FullScreenshot(100))
			file := filepath.Join(folder, fmt.Sprintf("%s-%d-%s.png", strings.ReplaceAll(name, " ", "-"), width, scheme))
			if err := os.WriteFile(file, shot, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// awaited evaluates a promise.
func awaited[T any](expression string) chromedp.Action[T] {
	return chromedp.Evaluate[T](expression, func(p *runtime.EvaluateParams) { p.AwaitPromise = new(true) })
}

func shopPages(p *place) []view {
	at := func(address, heading string) func(*tab) {
		return func(t *tab) {
			t.visit(address)
			t.heading(heading)
		}
	}
	// watched is an order's page that has turned to what happened at the platform.
	watched := func(heading string, happen func(o order)) func(*tab) {
		return func(t *tab) {
			o := p.order("odd", 1)
			t.visit(o.page)
			happen(o)
			t.heading(heading)
		}
	}
	pay := func(o order) { p.practise(o, "pay", nil) }
	refunded := func(heading string, how map[string]any) func(*tab) {
		return func(t *tab) {
			o := p.order("odd", 1)
			t.visit(o.page)
			pay(o)
			t.heading("Paid")
			p.practise(o, "refund", how)
			t.heading(heading)
		}
	}
	// after is the page of an order at Stripe that has turned to each of these in turn.
	after := func(actions ...string) func(*tab) {
		return func(t *tab) {
			o := p.orderWith("stripe", "quarry", 1)
			t.visit(o.page)
			for _, step := range actions {
				action, heading, _ := strings.Cut(step, ": ")
				p.practise(o, action, nil)
				t.heading(heading)
			}
		}
	}
	return []view{
		{"home", at(p.url, "Paid once.")},
		{"product", at(p.url+"/products/inkwell", "Inkwell")},
		{"product odd name", at(p.url+"/products/odd", "Pro 🚀")},
		{"product refused", func(t *tab) {
			t.expect(p.url + "/cart/lines")
			t.visit(p.url + "/products/inkwell")
			t.fillIn("#quantity", "400")
			t.follow(".buy button")
			t.says("between 1 and 99")
		}},
		{"cart empty", at(p.url+"/cart", "Your cart")},
		{"cart", func(t *tab) {
			for _, slug := range []string{"inkwell", "odd"} {
				t.visit(p.url + "/products/" + slug)
				t.follow(".buy button")
			}
			t.heading("Your cart")
		}},
		{"cart refused", func(t *tab) {
			t.expect(p.url + "/checkout")
			t.fillIn("#email", "ada")
			t.follow(".checkout button")
			t.says("This could not be done yet")
		}},
		{"cart ordered", func(t *tab) {
			t.fillIn("#email", buyer)
			t.follow(".checkout button")
			t.visit(p.url + "/cart")
			t.says("This cart is already ordered")
		}},
		{"cart three ways", func(t *tab) {
			t.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error { // a buyer who comes anew
				_, err := chromedp.Call(ctx, network.ClearBrowserCookies, cdp.Empty{})
				return err
			}))
			t.carted(p)
		}},
		{"cart refused way", func(t *tab) {
			t.fillIn("#email", buyer)
			t.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#way-stablein").value = "cash"`))
			t.follow(".checkout button")
			t.says("This could not be done yet")
		}},
		{"return without cookie", at(p.url+"/checkout/return?order=OS-AAAAA-AAAAA", "Welcome back")},
		{"order waiting", watched("Waiting for payment", func(order) {})},
		{"order returned", func(t *tab) { at(p.order("inkwell", 2).page+"?returned=1", "Confirming your payment")(t) }},
		{"order waiting three ways", func(t *tab) { at(p.orderWith("stripe", "quarry", 1).page, "Waiting for payment")(t) }},
		{"order returned three ways", func(t *tab) {
			at(p.orderWith("stripe", "quarry", 1).page+"?returned=1", "Confirming your payment")(t)
			t.press("#unfinished-summary")
		}},
		{"order unreachable", func(t *tab) {
			at(p.orderWith("stripe", "quarry", 1).page, "Waiting for payment")(t)
			t.expect(value(t, chromedp.Location()) + "/pay")
			t.follow("#pay-way-checkoutcom")
			t.says("The payment could not be started right now.")
		}},
		{"order reserved", after("authorise: Payment reserved")},
		{"order failed three ways", after("fail: Payment failed")},
		{"order disputed", after("pay: Paid", "dispute: Payment disputed")},
		{"order dispute won", after("pay: Paid", "dispute: Payment disputed", "dispute_win: Paid")},
		{"order dispute lost", after("pay: Paid", "dispute: Payment disputed", "dispute_lose: Payment charged back")},
		{"order refund came back", func(t *tab) {
			o := p.orderWith("stripe", "quarry", 1)
			t.visit(o.page)
			p.practise(o, "pay", nil)
			t.heading("Paid")
			p.practise(o, "refund", map[string]any{"amount": "1900"})
			t.heading("Partially refunded")
			p.practise(o, "refund_fail", nil)
			t.says("It could not be sent to where you paid from")
		}},
		{"order taken back", func(t *tab) {
			o := p.orderWith("stripe", "quarry", 1)
			t.visit(o.page)
			p.practise(o, "pay", nil)
			t.heading("Paid")
			p.takeBack(o)
			t.heading("Payment taken back")
		}},
		{"order confirming", watched("Confirming your payment", func(o order) {
			p.practise(o, "pay", map[string]any{"confirmations": 3})
			p.practise(o, "confirm", nil)
		})},
		{"order partly paid", watched("Partly paid", func(o order) { p.practise(o, "underpay", nil) })},
		{"order withheld", watched("Payment under review", func(o order) {
			p.practise(o, "risk", map[string]any{"decision": "review"})
			pay(o)
		})},
		{"order failed", watched("Payment failed", func(o order) { p.practise(o, "fail", nil) })},
		{"order expired", watched("Payment expired", func(o order) { p.practise(o, "expire", nil) })},
		{"order paid too much", watched("Paid", func(o order) { p.practise(o, "overpay", nil) })},
		{"order paid", func(t *tab) {
			o := p.order("inkwell", 3)
			t.visit(o.page)
			pay(o)
			t.says("Delivered: your licenses are below")
		}},
		{"order key shown", func(t *tab) { t.follow(`.license a[id$="-reveal"]`) }},
		{"order partially refunded", refunded("Partially refunded", map[string]any{"amount": "9000000"})},
		{"order refunded", refunded("Refunded", nil)},
		{"licenses", at(p.url+"/licenses", "Verify a license")},
		{"mailbox", at(p.url+"/mailbox", "Mailbox")},
		{"mail", func(t *tab) {
			t.visit(p.url + "/mailbox")
			t.follow(".mails a")
		}},
		{"mail html", func(t *tab) {
			t.visit(value(t, chromedp.Evaluate[string]("document.querySelector('iframe').src")))
			// Where it is served no script may run, not even axe-core's.
			html := value(t, chromedp.Evaluate[string]("document.documentElement.outerHTML"))
			t.write("<!doctype html>" + html)
		}},
		{"not found", func(t *tab) {
			t.expect(p.url + "/nowhere")
			at(p.url+"/nowhere", "Page not found")(t)
		}},
	}
}

// takeBack lets the provider take the money again, as Adyen may.
func (p *place) takeBack(o order) {
	p.Helper()
	payments, err := p.app.DB.ListPaymentsOfOrder(p.Context(), &o.ID)
	if err != nil {
		p.Fatal(err)
	}
	paid := payments[0]
	err = p.app.DB.InTx(p.Context(), func(tx *store.Tx) error {
		_, err := checkout.ApplyTx(p.Context(), tx, checkout.Application{
			Provider: paid.Provider, Source: store.FromWebhook, Actor: paid.Provider,
			Seen: checkout.Seen{PaymentID: paid.ID, Version: paid.RowVersion},
			Snapshot: payment.Snapshot{
				Ref: store.Deref(paid.ProviderRef), OrderRef: o.ID, Status: payment.Failed, RefundStatus: payment.NotRefunded,
				Amount: paid.Amount, TakenBack: paid.Amount, Currency: paid.Currency, Risk: payment.NotAssessed(),
			},
		})
		return err
	})
	if err != nil {
		p.Fatal(err)
	}
}

func sandboxPages(p *place) []view {
	return []view{
		{"sandbox desk empty", func(t *tab) { t.visit(p.payURL) }},
		{"sandbox pay", func(t *tab) { t.visit(p.order("odd", 1).pay) }},
		{"sandbox pay confirming", func(t *tab) {
			o := p.order("inkwell", 1)
			p.practise(o, "pay", map[string]any{"confirmations": 3})
			p.practise(o, "confirm", nil)
			t.visit(o.pay)
		}},
		{"sandbox pay underpaid", func(t *tab) {
			o := p.order("inkwell", 1)
			p.practise(o, "underpay", nil)
			t.visit(o.pay)
		}},
		{"sandbox pay paid", func(t *tab) {
			o := p.order("inkwell", 1)
			p.practise(o, "pay", nil)
			t.visit(o.pay)
			t.press(".more summary")
		}},
		{"sandbox order", func(t *tab) { t.follow(".desk-link a") }},
		{"sandbox desk", func(t *tab) { t.visit(p.payURL) }},
		{"sandbox faults", func(t *tab) { t.visit(p.payURL + "/faults") }},
		{"sandbox not found", func(t *tab) {
			t.expect(p.payURL + "/pay/nothing")
			t.visit(p.payURL + "/pay/nothing")
		}},
	}
}
