package web

import (
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/web/view"
)

func (s *site) checkout(c echo.Context) error {
	if err := readForm(c); err != nil {
		return err
	}
	form := c.Request().PostForm
	email, way := form.Get("email"), form.Get("way")
	started, err := s.Shop.Begin(c.Request().Context(), s.cartToken(c), email, way)
	switch {
	case err == nil:
		return c.Redirect(http.StatusSeeOther, started.PayURL)
	case problem.KindOf(err) == problem.Unavailable && started.PageURL != "":
		// The order is placed; its page says so and offers to try the payment again.
		s.logUnstarted(c, started.Order.Number, err)
		return c.Redirect(http.StatusSeeOther, started.PageURL+"?"+unstarted+"=1")
	case problem.KindOf(err) != problem.Invalid && problem.KindOf(err) != problem.Conflict:
		return err
	}
	v, failed := s.cartView(c)
	if failed != nil {
		return failed
	}
	v.Email, v.Way = email, way
	refuse(&v, err)
	return render(c, describe(err).Code, view.CartPage(v))
}

// refuse puts what was wrong where the buyer can put it right.
func refuse(v *view.Cart, err error) {
	field := ""
	if p := (*problem.Error)(nil); errors.As(err, &p) {
		field = p.Field
	}
	switch {
	case field == "email":
		v.EmailError = message(err)
	case field == "way" && len(v.Ways) > 1:
		v.WayError = message(err)
	case field == "way" && len(v.Ways) == 1:
		v.Problem = "The way to pay that you chose is no longer offered. There is another: " + v.Ways[0].Label + "."
	case len(v.Lines) > 0 && len(v.Ways) == 0:
		// The page says it already.
	default:
		v.Problem = message(err)
	}
}

// returned is where the provider sends the buyer back to. Its address proves
// nothing: the order's page is shown to the browser whose cart became the order,
// and nobody else.
func (s *site) returned(c echo.Context) error {
	private(c)
	cart, err := s.Shop.Cart(c.Request().Context(), s.cartToken(c))
	if err != nil {
		return err
	}
	if cart.Order == nil || cart.Order.Number != c.QueryParam("order") {
		v := view.Return{Layout: s.layout(c, "Welcome back")}
		v.Private = true
		return render(c, http.StatusOK, view.ReturnPage(v))
	}
	page := s.Shop.OrderURL(*cart.Order)
	if c.QueryParam("cancelled") == "" {
		page += "?returned=" + strconv.FormatInt(time.Now().Unix(), 10)
	}
	return c.Redirect(http.StatusSeeOther, page)
}

func (s *site) payAgain(c echo.Context) error {
	private(c)
	if err := readForm(c); err != nil {
		return err
	}
	row, err := s.findOrder(c)
	if err != nil {
		return err
	}
	started, err := s.Shop.PayAgain(c.Request().Context(), row.Order.ID, c.Request().PostForm.Get("way"))
	if err == nil {
		return c.Redirect(http.StatusSeeOther, started.PayURL)
	}
	kind := problem.KindOf(err)
	if kind != problem.Unavailable && kind != problem.Invalid && kind != problem.Conflict {
		return err
	}
	v, failed := s.orderView(c)
	if failed != nil {
		return failed
	}
	v.Problem, v.Refresh = message(err), 0 // a page that reloads itself would take the message away
	if kind == problem.Unavailable {
		s.logUnstarted(c, row.Order.Number, err)
		c.Response().Header().Set("Retry-After", "10")
		v.Problem = sayUnstarted(v.Others)
	}
	return render(c, describe(err).Code, view.OrderPage(v))
}

// unstarted marks the address of an order's page to which the buyer is sent whose
// payment could not begin. The page believes it only while that is still so.
const unstarted = "unstarted"

// sayUnstarted tells that a payment could not begin, and what can be done.
func sayUnstarted(others []view.Way) string {
	const sentence = "The payment could not be started right now. Your order is kept and nothing was charged. "
	if len(others) == 0 {
		return sentence + "Try again in a moment."
	}
	return sentence + "Try again, or pay another way."
}

// logUnstarted is loud where no buyer can pay until somebody has mended our key.
func (s *site) logUnstarted(c echo.Context, number string, err error) {
	level := slog.LevelWarn
	if errors.Is(err, payment.ErrUnauthorised) {
		level = slog.LevelError
	}
	s.Log.Log(c.Request().Context(), level, "payment not created", "order", number, "error", err)
}

// backToOrder is for who opens the address of the form again: it is no page.
func (s *site) backToOrder(c echo.Context) error {
	private(c)
	row, err := s.findOrder(c)
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, s.Shop.OrderURL(row.Order))
}

func (s *site) robots(c echo.Context) error {
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /orders/\nDisallow: /cart\nDisallow: /checkout/\n")
}
