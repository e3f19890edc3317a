package web

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"onceshop/payment"
	"onceshop/problem"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/web/view"
)

// locale decides how amounts look; the pages are in English.
const locale = "en"

func price(amount payment.Amount, currency string) string {
	return payment.Money{Amount: amount, Currency: currency}.Format(locale)
}

func (s *site) home(c echo.Context) error {
	products, err := s.DB.ListProducts(c.Request().Context())
	if err != nil {
		return err
	}
	v := view.Home{Layout: s.layout(c, "")}
	v.Section = view.SectionProducts
	v.Description = "Software licenses, delivered exactly once."
	for _, p := range products {
		v.Products = append(v.Products, view.Card{Slug: p.Slug, Name: p.Name, Summary: p.Summary, Price: price(p.Price, p.Currency)})
	}
	return render(c, http.StatusOK, view.HomePage(v))
}

func (s *site) product(c echo.Context) error {
	p, err := s.findProduct(c, c.Param("slug"))
	if err != nil {
		return err
	}
	return render(c, http.StatusOK, view.ProductPage(s.productView(c, p)))
}

var errNotOnOffer = problem.Missing("This product isn't on offer.")

// isSlug keeps from the database what it can't compare with a slug: those are
// ASCII.
func isSlug(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

func (s *site) findProduct(c echo.Context, slug string) (db.Product, error) {
	if !isSlug(slug) {
		return db.Product{}, errNotOnOffer
	}
	p, err := s.DB.FindProductBySlug(c.Request().Context(), slug)
	if store.IsNotFound(err) {
		return p, errNotOnOffer
	}
	return p, err
}

func (s *site) productView(c echo.Context, p db.Product) view.Product {
	v := view.Product{
		Layout: s.layout(c, p.Name), Slug: p.Slug, Name: p.Name, Summary: p.Summary, Price: price(p.Price, p.Currency),
		Description: strings.Split(strings.TrimSpace(p.Description), "\n\n"), Activations: p.ActivationLimit,
		Updates: "One year of updates", RefundRule: "A full refund ends the license; a partial one leaves it valid.",
	}
	v.Section, v.Layout.Description = view.SectionProducts, p.Summary
	v.Unpayable = len(s.Shop.Ways(payment.Money{Amount: p.Price, Currency: p.Currency})) == 0
	return v
}
