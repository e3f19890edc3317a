package shoptest

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	"onceshop/providers/stablein"
	"onceshop/requestlog"
	"onceshop/web"
	"onceshop/web/view"
)

// Pages is the shop's pages on a server of their own, as buyers reach them.
type Pages struct {
	*Shop
	URL     string // where they are served, and the shop's BaseURL
	closing chan struct{}
	close   func()
	server  *httptest.Server
}

// Pages serves the shop's pages until the test ends. Each change may set another
// configuration than the usual one: a demo shop without a log.
func (s *Shop) Pages(changes ...func(*web.Config)) *Pages {
	s.Helper()
	p := &Pages{Shop: s, closing: make(chan struct{})}
	p.close = sync.OnceFunc(func() { close(p.closing) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		s.Fatal(err)
	}
	p.URL = "http://" + listener.Addr().String()
	s.Shop.BaseURL = p.URL
	c := web.Config{
		Shop: s.Shop, DB: s.DB, ShopName: "Test Shop", Version: "test",
		Ways:       []view.Way{{Name: stablein.Name, Label: "StableIn", Hint: "Stablecoins, from your own wallet"}},
		PayOrigins: []string{s.Platform.server.URL}, LicenseSecret: s.Keys.Secret, LicenseSigner: s.Keys.Signer,
		Demo: true, Closing: p.closing, Log: slog.New(slog.DiscardHandler),
	}
	for _, change := range changes {
		change(&c)
	}
	pages, err := web.New(c)
	if err != nil {
		s.Fatal(err)
	}
	p.server = httptest.NewUnstartedServer(requestlog.Middleware(c.Log, pages))
	p.server.Listener.Close()
	p.server.Listener = listener
	p.server.Start()
	s.Cleanup(func() {
		p.Close() // Server.Close waits for the streams
		p.server.Close()
	})
	return p
}

// PlatformURL is where the payment platform shows its hosted pages.
func (p *Pages) PlatformURL() string { return p.Platform.server.URL }

// Close tells the pages that the server stops.
func (p *Pages) Close() { p.close() }

// Browser is what pages without script need of one: it keeps cookies and says
// where its forms come from. It stays where it is when an answer redirects.
type Browser struct {
	pages  *Pages
	client *http.Client
}

// Page is an answer to a browser.
type Page struct {
	Answer
	URL string // what was asked for
}

// Browser returns one that hasn't been here before.
func (p *Pages) Browser() *Browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		p.Fatal(err)
	}
	return &Browser{p, &http.Client{
		Transport:     p.server.Client().Transport,
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Get asks for an address: a path of the shop, or all of it.
func (b *Browser) Get(address string) Page {
	b.pages.Helper()
	return b.Do(b.request(http.MethodGet, address, nil))
}

// Head is Get without the body.
func (b *Browser) Head(address string) Page {
	b.pages.Helper()
	return b.Do(b.request(http.MethodHead, address, nil))
}

// Post sends a form of the shop's own pages.
func (b *Browser) Post(address string, form url.Values) Page {
	b.pages.Helper()
	r := b.request(http.MethodPost, address, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", b.pages.URL)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.Do(r)
}

// Follow asks for what the answer redirects to. Anything but 303 fails the test:
// it is the only redirect that this shop gives.
func (b *Browser) Follow(from Page) Page {
	b.pages.Helper()
	to := from.Header.Get("Location")
	if from.Status != http.StatusSeeOther || to == "" {
		b.pages.Fatalf("%s answered %d to %q, want 303 to somewhere:\n%s", from.URL, from.Status, to, from.Body)
	}
	return b.Get(to)
}

// Do sends any request. It may be called from any goroutine.
func (b *Browser) Do(r *http.Request) Page {
	b.pages.Helper()
	resp, err := b.client.Do(r)
	if err != nil {
		b.pages.Errorf("%s %s: %v", r.Method, r.URL, err)
		return Page{URL: r.URL.String()}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.pages.Errorf("%s %s: %v", r.Method, r.URL, err)
	}
	return Page{Answer{resp.StatusCode, resp.Header, string(body)}, r.URL.String()}
}

func (b *Browser) request(method, address string, body io.Reader) *http.Request {
	b.pages.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.pages.URL + address
	}
	r, err := http.NewRequestWithContext(b.pages.Context(), method, address, body)
	if err != nil {
		b.pages.Fatal(err)
	}
	return r
}
