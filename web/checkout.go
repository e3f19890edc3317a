package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"onceshop/problem"
	"onceshop/web/view"
)

func (s *site) checkout(c echo.Context) error {
	if err := readForm(c); err != nil {
		return err
	}
	email := c.Request().PostForm.Get("email")
	started, err := s.Shop.Begin(c.Request().Context(), s.cartToken(c), email, "")
	switch {
	case err == nil:
		return c.Redirect(http.StatusSeeOther, started.PayURL)
	case problem.KindOf(err) == problem.Unavailable && started.PageURL != "":
		// The order is placed; its page offers to try the payment again.
		s.Log.Warn("payment not created", "order", started.Order.Number, "error", err)
		return c.Redirect(http.StatusSeeOther, started.PageURL)
	case problem.KindOf(err) != problem.Invalid:
		return err
	}
	v, failed := s.cartView(c)
	if failed != nil {
		return failed
	}
	v.Email = email
	var p *problem.Error
	if errors.As(err, &p) && p.Field == "email" {
		v.EmailError = p.Message
	} else {
		v.Problem = message(err)
	}
	return render(c, http.StatusUnprocessableEntity, view.CartPage(v))
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
	row, err := s.findOrder(c)
	if err != nil {
		return err
	}
	started, err := s.Shop.PayAgain(c.Request().Context(), row.Order.ID, "")
	if err != nil {
		return err
	}
	return c.Redirect(http.StatusSeeOther, started.PayURL)
}

func (s *site) robots(c echo.Context) error {
	return c.String(http.StatusOK, "User-agent: *\nDisallow: /orders/\nDisallow: /cart\nDisallow: /checkout/\n")
}
