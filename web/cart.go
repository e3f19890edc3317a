package web

import (
	"errors"
	"mime"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/web/view"
)

func (s *site) cart(c echo.Context) error {
	v, err := s.cartView(c)
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, view.CartPage(v))
}

func (s *site) cartView(c echo.Context) (view.Cart, error) {
	private(c)
	cart, err := s.Shop.Cart(c.Request().Context(), s.cartToken(c))
	if err != nil {
		return view.Cart{}, err
	}
	v := view.Cart{Layout: s.layout(c, "Cart"), Total: price(cart.Total, cart.Currency)}
	v.Section, v.Private = view.SectionCart, true
	if cart.Order != nil {
		v.OrderURL, v.OrderNumber = s.Shop.OrderURL(*cart.Order), cart.Order.Number
		return v, nil
	}
	v.Ways = s.ways(payment.Money{Amount: cart.Total, Currency: cart.Currency})
	for _, l := range cart.Lines {
		p, n := l.Product, l.CartLine.Quantity
		v.Lines = append(v.Lines, view.CartLine{
			Slug: p.Slug, Name: p.Name, Quantity: n,
			UnitPrice: price(p.Price, p.Currency), Total: price(p.Price.Times(int64(n)), p.Currency),
		})
	}
	return v, nil
}

func (s *site) addLine(c echo.Context) error {
	if err := readForm(c); err != nil {
		return err
	}
	quantity, typed, err := readQuantity(c)
	slug := c.Request().PostForm.Get("product")
	if err == nil && !isSlug(slug) {
		return errNotOnOffer
	}
	if err == nil {
		var token string
		token, err = s.Shop.AddToCart(c.Request().Context(), s.cartToken(c), slug, quantity)
		if err == nil {
			s.keepCart(c, token)
			return c.Redirect(http.StatusSeeOther, "/cart")
		}
	}
	if kind := problem.KindOf(err); kind != problem.Invalid && kind != problem.Conflict {
		return err
	}
	p, missing := s.findProduct(c, slug)
	if missing != nil {
		return missing
	}
	v := s.productView(c, p)
	v.Typed, v.Error = typed, message(err)
	return render(c, describe(err).Code, view.ProductPage(v))
}

func (s *site) setLine(c echo.Context) error {
	if err := readForm(c); err != nil {
		return err
	}
	slug := c.Param("slug")
	quantity, typed, err := readQuantity(c)
	if err == nil {
		err = s.Shop.SetQuantity(c.Request().Context(), s.cartToken(c), slug, quantity)
	}
	if err == nil {
		return c.Redirect(http.StatusSeeOther, "/cart")
	}
	if problem.KindOf(err) != problem.Invalid {
		return err
	}
	v, failed := s.cartView(c)
	if failed != nil {
		return failed
	}
	for i := range v.Lines {
		if v.Lines[i].Slug == slug {
			v.Lines[i].Typed, v.Lines[i].Error = typed, message(err)
		}
	}
	return render(c, http.StatusUnprocessableEntity, view.CartPage(v))
}

func readQuantity(c echo.Context) (n int, typed string, err error) {
	typed = c.Request().PostForm.Get("quantity")
	if typed == "" {
		return 1, typed, nil
	}
	n, err = strconv.Atoi(typed)
	if err != nil {
		return 0, typed, problem.Bad("quantity", "The quantity has to be a whole number.")
	}
	return n, typed, nil
}

// readForm reads the body of a form, and only that: what is in the address doesn't
// count. A form that can't be read is the sender's fault; its size is told apart.
func readForm(c echo.Context) error {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.ContentLength != 0 && (err != nil || kind != "application/x-www-form-urlencoded") {
		return echo.NewHTTPError(http.StatusUnsupportedMediaType)
	}
	err = r.ParseForm()
	var tooLarge *http.MaxBytesError
	if err != nil && !errors.As(err, &tooLarge) {
		return problem.Bad("", "The form could not be read.")
	}
	return err
}

// message is what a person may read of an error.
func message(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Message
	}
	return ""
}
