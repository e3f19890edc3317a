package browsertest_test

import (
	"context"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// focus is what a keyboard's user sees of where they are.
type focus struct {
	Here    bool   `json:"here"`    // it is what the test looks for
	Name    string `json:"name"`    // for messages
	Shown   bool   `json:"shown"`   // something sets it apart
	InSight bool   `json:"inSight"` // it isn't scrolled away
}

const readFocus = `(selector => {
	const e = document.activeElement || document.body, box = e.getBoundingClientRect();
	const row = e.type === "radio" && e.closest("label") || e; // a choice is its whole row
	const outlined = ["", "::after"].some(part => {
		const style = getComputedStyle(row, part);
		return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
	});
	return {
		here: e.matches(selector),
		name: e.tagName + " " + (e.id || e.getAttribute("href") || e.name || "") + " " + e.textContent.trim().slice(0, 40),
		shown: e === document.body || outlined && e.matches(":focus-visible"),
		inSight: e === document.body || box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
	};
})`

// tabTo presses Tab until the focus is on what the selector finds; all the way it
// has to be seen.
func (t *tab) tabTo(selector string) {
	t.Helper()
	for range 80 {
		t.do(chromedp.KeyEvent(kb.Tab))
		f := t.focus(selector)
		if !f.Shown || !f.InSight {
			t.Errorf("at %s the focus can't be seen: %+v", f.Name, f)
		}
		if f.Here {
			return
		}
	}
	t.Fatalf("the keyboard doesn't reach %s\n%s", selector, t.screen())
}

// enter presses the Enter key and waits for the page that it leads to.
func (t *tab) enter() {
	t.Helper()
	value(t, loads(enterKey()))
}

// enterKey is the key as keyboards send it. chromedp.KeyEvent types the character
// as well, into whatever has the focus by then.
func enterKey() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		key := input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13}
		if _, err := chromedp.Call(ctx, input.DispatchKeyEvent, key); err != nil {
			return err
		}
		key.Type, key.Text = input.DispatchKeyEventTypeKeyUp, ""
		_, err := chromedp.Call(ctx, input.DispatchKeyEvent, key)
		return err
	})
}

// focus tells what is seen of the keyboard's place.
func (t *tab) focus(selector string) focus {
	t.Helper()
	return value(t, chromedp.Evaluate[focus](readFocus+"("+quote(selector)+")"))
}

func TestALicenseIsBoughtByKeyboardAlone(t *testing.T) {
	t.Parallel()
	p := open(t)
	for _, width := range []int64{1280, 390} {
		b := p.tab(width)
		b.visit(p.url)
		b.tabTo("a.skip")
		b.do(enterKey())
		b.tabTo(`.card a[href="/products/inkwell"]`)
		b.enter()
		b.heading("Inkwell")
		b.tabTo("#quantity")
		b.do(chromedp.KeyEvent(kb.ArrowUp))
		b.tabTo(".buy button")
		b.enter()
		b.heading("Your cart")
		b.tabTo("#quantity-inkwell")
		b.do(chromedp.KeyEvent("1"))
		b.enter()
		b.heading("Your cart")

		// A mistake leads back to its field.
		b.expect(p.url + "/checkout")
		b.tabTo("#email")
		b.do(chromedp.KeyEvent("ada"))
		b.enter()
		b.says("This could not be done yet")
		b.tabTo(`[role=alert] a[href="#email"]`)
		b.do(enterKey())
		if f := b.focus("#email"); !f.Here || !f.Shown {
			t.Errorf("the way to the field leads to %s", f.Name)
		}
		b.do(chromedp.KeyEvent(kb.End), chromedp.KeyEvent("@example.com"))
		b.tabTo(".checkout button")
		b.enter()

		b.heading("Amount to pay")
		b.tabTo(`button[value="pay"]`)
		b.enter()
		b.says("Payment complete")
		b.tabTo("a.button.strong")
		b.enter()
		b.heading("Paid")
		b.tabTo(`.license a[id$="-reveal"]`)
		b.enter()
		key := p.key(b)
		if got := b.text(".license code.key"); got != key {
			t.Errorf("the key shown is %q, want %q", got, key)
		}
		b.tabTo(".license button[data-copy]")
		b.copies(enterKey())
		b.tabTo("#gate-summary")
		b.do(enterKey(), chromedp.Poll[chromedp.Void](`document.querySelector("#gate").open`))
	}
}

// The stream begins with the version that the page shows already: whoever is at
// work in it by then must not notice.
func TestTheSameVersionAgainTouchesNothing(t *testing.T) {
	t.Parallel()
	p := open(t)
	b := p.tab(1280)
	b.visit(p.order("inkwell", 1).page)
	b.do(chromedp.WaitVisible(chromedp.CSS("#r2"))) // the platform's first word has come
	b.do(chromedp.Reload(), chromedp.Evaluate[chromedp.Void](`document.querySelector("[data-order]").mine = true`))
	value(b, awaited[bool](`new Promise(heard => {
		const again = new EventSource(document.querySelector("[data-events-url]").dataset.eventsUrl);
		again.addEventListener("order", () => { again.close(); heard(true); });
	})`))
	if !value(b, chromedp.Evaluate[bool](`document.querySelector("[data-order]").mine === true`)) {
		t.Error("the page was replaced by what it shows")
	}
}

// What changes by itself doesn't take the focus away from whoever is at work.
func TestTheFocusAndTheFoldsSurviveAChange(t *testing.T) {
	t.Parallel()
	p := open(t)
	o := p.order("inkwell", 1)
	b := p.tab(1280)
	b.visit(o.page)
	b.heading("Waiting for payment")
	b.tabTo("#gate-summary")
	b.do(enterKey(), chromedp.Poll[chromedp.Void](`document.querySelector("#gate").open`)) // it was folded
	p.practise(o, "pay", map[string]any{"confirmations": 2})
	b.heading("Confirming your payment")
	if f := b.focus("#gate-summary"); !f.Here || !f.Shown {
		t.Errorf("the focus went to %s", f.Name)
	}
	if !value(b, chromedp.Evaluate[bool](`document.querySelector("#gate").open`)) {
		t.Error("the change closed what the reader had opened")
	}
}
