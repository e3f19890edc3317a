package browsertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long the browser may take to start, and a page to show what a test
// waits for: far more than it takes, on a machine that has other work.
const patience = 60 * time.Second

// tab is one tab of the browser. When the test ends it reports whatever the pages
// complained about, and every request that left the two servers.
type tab struct {
	*testing.T
	ctx    context.Context
	origin []string

	mu         sync.Mutex
	complaints []string
	expected   map[string]bool // addresses that may answer with an error
}

// tab opens a tab in a profile of its own.
func (p *place) tab(width int64) *tab {
	p.Helper()
	c := launch()
	if c.err != nil {
		p.Fatal(c.err)
	}
	return p.newTab(c.ctx, width, chromedp.WithNewBrowserContext())
}

// beside opens another tab of the same profile.
func (p *place) beside(t *tab, width int64) *tab {
	p.Helper()
	return p.newTab(t.ctx, width)
}

func (p *place) newTab(parent context.Context, width int64, options ...chromedp.ContextOption) *tab {
	p.Helper()
	t := &tab{T: p.T, origin: []string{p.url, p.payURL}, expected: map[string]bool{}}
	ctx, cancel := chromedp.NewContext(parent, append(options, chromedp.WithListener(t.listen))...)
	t.ctx = ctx
	p.Cleanup(func() {
		cancel()
		t.mu.Lock()
		defer t.mu.Unlock()
		for _, complaint := range t.complaints {
			t.Error(complaint)
		}
	})
	// The tab lives as long as the context of its first action, so that one has no
	// end of its own.
	if err := chromedp.Do(ctx); err != nil {
		p.Fatal(err)
	}
	t.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		// A tab in the background would run slower and not show its focus.
		_, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		return err
	}))
	t.size(width)
	return t
}

// listen runs in the loop that reads from the browser: it must be quick.
func (t *tab) listen(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			t.complain("the console says %s: %v", e.Type, e.Args)
		}
	case *runtime.EventExceptionThrown:
		t.complain("script failed: %s %v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *log.EventEntryAdded: // refused by the content security policy, or not loaded
		t.mu.Lock()
		expected := t.expected[e.Entry.URL]
		t.mu.Unlock()
		if !expected && e.Entry.Level != log.EntryLevelVerbose {
			t.complain("the log says %s: %s (%s)", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if !t.ours(e.Request.URL) {
			t.complain("a request left the shop: %s", e.Request.URL)
		}
	}
}

func (t *tab) ours(address string) bool {
	for _, origin := range t.origin {
		if address == "about:blank" || strings.HasPrefix(address, "data:") || strings.HasPrefix(address, origin+"/") {
			return true
		}
	}
	return false
}

func (t *tab) complain(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.complaints = append(t.complaints, fmt.Sprintf(format, args...))
}

// expect lets the address answer with an error page.
func (t *tab) expect(address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.expected[address] = true
}

// do runs steps, and stops the test with a picture of the page's words if they
// take too long.
func (t *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		t.Fatalf("%v\n%s", err, t.screen())
	}
}

func value[T any](t *tab, a chromedp.Action[T]) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, a)
	if err != nil {
		t.Fatalf("%v\n%s", err, t.screen())
	}
	return v
}

// screen is what the tab shows, for messages.
func (t *tab) screen() string {
	ctx, cancel := context.WithTimeout(t.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText"))
	if err != nil {
		return "(the page can't be read: " + err.Error() + ")"
	}
	return text
}

// visit opens an address and waits until it is loaded.
func (t *tab) visit(address string) {
	t.Helper()
	t.do(chromedp.Navigate(address))
}

// write shows a page of the test's own, which is bound by no policy.
func (t *tab) write(html string) {
	t.Helper()
	t.visit("about:blank")
	t.do(chromedp.Evaluate[chromedp.Void]("document.write(" + quote(html) + "); document.close()"))
}

// press clicks on what the CSS selector finds.
func (t *tab) press(selector string) {
	t.Helper()
	t.do(click(selector))
}

// click waits for what the selector finds and clicks into its middle, as it stands
// then. chromedp's own actions hold on to a node, and an order's page may be
// replaced under their hands.
func click(selector string) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := chromedp.WaitVisible(chromedp.CSS(selector))(ctx, target); err != nil {
			return err
		}
		at, err := chromedp.Evaluate[[2]float64](`(e => {
			e.scrollIntoView({ block: "center", behavior: "instant" });
			const box = e.getBoundingClientRect();
			return [box.left + box.width / 2, box.top + box.height / 2];
		})(document.querySelector(`+quote(selector)+`))`)(ctx, target)
		if err != nil {
			return err
		}
		_, err = chromedp.MouseClickXY(at[0], at[1])(ctx, target)
		return err
	})
}

// text is what an element holds, shown or not.
func (t *tab) text(selector string) string {
	t.Helper()
	return value(t, chromedp.Evaluate[string]("document.querySelector("+quote(selector)+").textContent"))
}

// fillIn replaces what a field holds.
func (t *tab) fillIn(selector, text string) {
	t.Helper()
	t.do(chromedp.WaitVisible(chromedp.CSS(selector)))
	t.do(chromedp.Evaluate[chromedp.Void]("document.querySelector(" + quote(selector) + ").value = " + quote(text)))
}

// heading waits for the page's main heading to be this.
func (t *tab) heading(text string) {
	t.Helper()
	t.do(chromedp.WaitVisible(`//h1[starts-with(normalize-space(), "` + text + `")]`))
}

// says waits until an element of the page shows this text.
func (t *tab) says(text string) {
	t.Helper()
	t.do(chromedp.WaitVisible(`//main//*[text()[contains(normalize-space(), "` + text + `")]]`))
}

// size makes the window so wide, with the height of a usual one.
func (t *tab) size(width int64) {
	t.Helper()
	height := int64(900)
	if width < 600 {
		height = 844
	}
	t.do(chromedp.EmulateViewport(width, height))
}

// scheme makes the reader prefer "light" or "dark".
func (t *tab) scheme(name string) {
	t.Helper()
	t.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"},
		}})
		return err
	}))
}

// withoutScript is a reader who has turned script off.
func (t *tab) withoutScript() {
	t.Helper()
	t.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
}

// still keeps a page, which refreshes itself where script is off, from doing so under
// the hands of the next step.
func (t *tab) still() {
	t.Helper()
	t.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for {
			stopped, err := chromedp.Evaluate[bool](`document.readyState === "complete" && (window.stop(), true)`)(ctx, target)
			if stopped || ctx.Err() != nil {
				return err
			} // otherwise the page is just being loaded anew
		}
	}))
}

// follow presses on a link or button and waits until the page that it leads to is
// loaded.
func (t *tab) follow(selector string) {
	t.Helper()
	value(t, loads(click(selector)))
}

// loads waits, after the step, for the page that it leads to.
func loads(step chromedp.Action[chromedp.Void]) chromedp.Action[page.EventLoadEventFired] {
	return chromedp.WaitEvent(page.LoadEventFired, nil, step)
}

// quote makes a Go string one of JavaScript.
func quote(s string) string {
	quoted, _ := json.Marshal(s) // a string always encodes
	return string(quoted)
}
