package web

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

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
	v := view.Cart{Layout: s.layout(c, "Cart"), Total: price(cart.Total, cart.Currency), Provider: s.ProviderName}
	v.Section, v.Private = view.SectionCart, true
	if cart.Order != nil {
		v.OrderURL, v.OrderNumber = s.Shop.OrderURL(*cart.Order), cart.Order.Number
		return v, nil
	}
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
	quantity, typed, err := readQuantity(c)
	slug := c.FormValue("product")
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

// readQuantity comes before anything else that reads the form: only the first
// reader is told that it was too large.
func readQuantity(c echo.Context) (n int, typed string, err error) {
	if err := c.Request().ParseForm(); err != nil {
		return 0, "", badForm(err)
	}
	typed = c.FormValue("quantity")
	if typed == "" {
		return 1, typed, nil
	}
	n, err = strconv.Atoi(typed)
	if err != nil {
		return 0, typed, problem.Bad("quantity", "The quantity has to be a whole number.")
	}
	return n, typed, nil
}

// badForm keeps a form that can't be read the sender's fault, and its size apart.
func badForm(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return problem.Bad("", "The form could not be read.")
}

// message is what a person may read of an error.
func message(err error) string {
	var p *problem.Error
	if errors.As(err, &p) {
		return p.Message
	}
	return ""
}
