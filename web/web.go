package web

import (
	"crypto/ed25519"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"

	"onceshop/checkout"
	"onceshop/requestlog"
	"onceshop/store"
	"onceshop/web/assets"
	"onceshop/web/view"
)

// Config is what the pages need. All fields but Contact, Demo and PayOrigins are
// required.
type Config struct {
	Shop          *checkout.Shop
	DB            *store.DB
	ShopName      string
	Contact       string // the mail address for buyers' questions; empty: no page has one
	Version       string
	Ways          []view.Way         // the providers, for people; which of them a payment may go to, Shop decides
	PayOrigins    []string           // where a form may lead besides the shop: "https://pay.example"
	LicenseSecret []byte             // derives the keys that a buyer asks to see
	LicenseSigner ed25519.PrivateKey // signs license files
	Demo          bool               // shows the mailbox and says that it is a demo
	Closing       <-chan struct{}    // closed when the server stops: ends the streams
	Log           *slog.Logger
}

type site struct {
	Config
	public    ed25519.PublicKey
	secure    bool // served over https: cookies are bound to it
	emergency []byte
}

// maxForm bounds what a form may send; the largest has two fields.
const maxForm = 64 << 10

// New returns the handler of all pages.
func New(c Config) (http.Handler, error) {
	s := &site{Config: c, public: c.LicenseSigner.Public().(ed25519.PublicKey), secure: strings.HasPrefix(c.Shop.BaseURL, "https://")}
	if err := s.renderEmergency(); err != nil {
		return nil, err
	}

	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.HTTPErrorHandler = s.fail
	e.Pre(decoded)
	e.Use(s.secureHeaders, nameRoute, middleware.RecoverWithConfig(middleware.RecoverConfig{LogErrorFunc: s.logPanic}))
	get := func(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) {
		e.GET(path, h, m...)
		e.HEAD(path, h, m...)
	}
	squeezed := compress()

	get("/", s.home, public, squeezed)
	get("/products/:slug", s.product, public, squeezed)
	get("/cart", s.cart)
	e.POST("/cart/lines", s.addLine)
	e.POST("/cart/lines/:slug", s.setLine)
	e.POST("/checkout", s.checkout)
	get("/checkout/return", s.returned)
	get("/orders/:token", s.order)
	get("/orders/:token/events", s.stream)
	get("/orders/:token/licenses/:file", s.licenseFile)
	e.POST("/orders/:token/pay", s.payAgain)
	get("/orders/:token/pay", s.backToOrder)
	get("/licenses", s.verify, public, squeezed)
	get("/licenses/public-key.pem", s.publicKey)
	get("/robots.txt", s.robots)
	if c.Demo {
		get("/mailbox", s.ownHost(s.mailbox))
		get("/mailbox/:seq", s.ownHost(s.mail))
		get("/mailbox/:seq/html", s.ownHost(s.mailHTML))
	}
	get("/assets/*", echo.WrapHandler(assets.Handler()))

	protect := http.NewCrossOriginProtection()
	protect.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := e.NewContext(r, w)
		s.setSecurityHeaders(c)
		s.fail(errForeignForm, c)
	}))
	return http.MaxBytesHandler(protect.Handler(e), maxForm), nil
}

// logPanic keeps what a panic leaves behind; the buyer gets the error page.
func (s *site) logPanic(c echo.Context, err error, stack []byte) error {
	s.Log.Error("page panicked", "request_id", requestlog.ID(c.Request().Context()), "route", c.Path(), "error", err, "stack", string(stack))
	return err
}

// ownHost shows a page under the shop's own name only: another site's name may be
// made to lead to this machine, and its script would then read the page as its own.
func (s *site) ownHost(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		_, own, _ := strings.Cut(s.Shop.BaseURL, "://")
		if asked := c.Request().Host; asked != own && !(isThisMachine(asked) && isThisMachine(own)) {
			return echo.ErrNotFound
		}
		return next(c)
	}
}

// isThisMachine tells whether a host, with or without its port, names the machine
// that the browser runs on.
func isThisMachine(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host == "localhost" || net.ParseIP(strings.Trim(host, "[]")).IsLoopback()
}

// decoded routes by the address as it is meant: some mail programs write letters
// of a link as %XX.
func decoded(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.Request().URL.RawPath = ""
		return next(c)
	}
}

// nameRoute gives the request's log line the route instead of the address.
func nameRoute(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		requestlog.Route(c.Request().Context(), c.Path())
		return next(c)
	}
}

// plainLayout is of a page that knows nothing of its visitor.
func (s *site) plainLayout(title string) view.Layout {
	return view.Layout{ShopName: s.ShopName, Title: title, Contact: s.Contact, Demo: s.Demo, Version: s.Version}
}

func (s *site) layout(c echo.Context, title string) view.Layout {
	l := s.plainLayout(title)
	// The count is a courtesy: a page isn't worth failing for it.
	if cart, err := s.Shop.Cart(c.Request().Context(), s.cartToken(c)); err == nil && cart.Order == nil {
		l.CartCount = cart.Count()
	}
	return l
}

const cartLife = 30 * 24 * time.Hour

// cookieName ties the cookie to this very host where the browser can hold us to
// it.
func (s *site) cookieName() string {
	if s.secure {
		return "__Host-cart"
	}
	return "cart"
}

func (s *site) cartToken(c echo.Context) string {
	cookie, err := c.Cookie(s.cookieName())
	if err != nil {
		return ""
	}
	return cookie.Value
}

func (s *site) keepCart(c echo.Context, token string) {
	c.SetCookie(&http.Cookie{
		Name: s.cookieName(), Value: token, Path: "/", MaxAge: int(cartLife.Seconds()),
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	})
}
