package browsertest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

// chromium is the one browser of all tests; each test has a profile of its own in
// it.
type chromium struct {
	ctx  context.Context
	stop func()
	err  error
}

// launch starts the browser at first use.
var launch = sync.OnceValue(func() (c chromium) {
	program, err := findBrowser()
	if err != nil {
		return chromium{err: err}
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program),
		chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true),
		chromedp.Flag("font-render-hinting", "none"),
	)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.Flag("no-sandbox", true)) // Chromium has no other way for root
	}
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	c = chromium{ctx: ctx, stop: func() { stop(); stopAllocator() }}
	if err := chromedp.Do(ctx); err != nil {
		c.stop()
		return chromium{err: fmt.Errorf("start %s: %w", program, err)}
	}
	return c
})

func findBrowser() (string, error) {
	if program := os.Getenv("SHOP_CHROMIUM"); program != "" {
		return program, nil
	}
	for _, name := range []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
		"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	} {
		if program, err := exec.LookPath(name); err == nil {
			return program, nil
		}
	}
	return "", errors.New("no browser found; install one, for example with: sudo apt-get install chromium (or name one in SHOP_CHROMIUM)")
}

func TestMain(m *testing.M) {
	code := m.Run()
	if c := launch(); c.stop != nil {
		c.stop()
	}
	os.Exit(code)
}
