package web

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"onceshop/fulfillment"
	"onceshop/license"
	"onceshop/store"
	"onceshop/store/db"
	"onceshop/web/view"
)

// licenses shows each license with its key masked; the one that the buyer asked
// for is shown whole, as long as it is good.
func (s *site) licenses(r record, token, show string) []view.License {
	var list []view.License
	for _, l := range r.licenses {
		key := license.Key(s.LicenseSecret, l.ID)
		address := "/orders/" + token
		v := view.License{
			ID: "license-" + l.ID, Slug: l.ProductSlug, Product: l.ProductName, Status: l.Status, Reason: licenseReason(l.Reason),
			Masked: license.Mask(key), Activations: l.ActivationLimit, Issued: view.At(l.IssuedAt, r.now),
		}
		if units := unitsOf(r, l.LineNo); units > 1 {
			v.Unit = fmt.Sprintf("%d of %d", l.UnitNo, units)
		}
		if l.Status == view.LicenseActive {
			v.HideURL = address + "#license-" + l.ID
			v.RevealURL = address + "?show=" + l.ID + "#license-" + l.ID
			v.FileURL = address + "/licenses/" + l.ID + ".license"
			if show == l.ID {
				v.Key = key
			}
		}
		list = append(list, v)
	}
	return list
}

// licenseReason words why a license isn't active.
func licenseReason(code *string) string {
	switch store.Deref(code) {
	case fulfillment.Refunded:
		return "It ended with the full refund."
	case fulfillment.DisputeLost:
		return "It ended when your bank took money back."
	case fulfillment.PaymentTakenBack:
		return "It ended when the payment was taken back."
	case fulfillment.Disputed:
		return "It rests while your bank disputes the payment."
	}
	return store.Deref(code)
}

func unitsOf(r record, lineNo int) int {
	for _, l := range r.lines {
		if l.LineNo == lineNo {
			return l.Quantity
		}
	}
	return 0
}

// licenseFile signs the file on demand: its content is all in the records, so the
// same license always gives the same bytes.
func (s *site) licenseFile(c echo.Context) error {
	private(c)
	row, err := s.findOrder(c)
	if err != nil {
		return err
	}
	id, ok := strings.CutSuffix(c.Param("file"), ".license")
	if !ok {
		return echo.ErrNotFound
	}
	licenses, err := s.DB.ListLicensesOfOrder(c.Request().Context(), row.Order.ID)
	if err != nil {
		return err
	}
	for _, l := range licenses {
		if l.ID != id {
			continue
		}
		switch l.Status {
		case view.LicenseActive:
		case view.LicenseSuspended:
			return s.noFile(c, http.StatusForbidden, "This license rests", l, "Its file can be downloaded again once that is settled.")
		default:
			return s.noFile(c, http.StatusGone, "This license has ended", l, "It was revoked, and its file can't be downloaded any more.")
		}
		file := license.File{
			License: l.ID, Product: l.ProductName, Order: row.Order.Number, Buyer: row.Order.Email,
			IssuedAt: l.IssuedAt,
		}
		c.Response().Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", row.Order.Number+".license"))
		return c.Blob(http.StatusOK, "text/plain; charset=utf-8", file.Sign(s.LicenseSigner))
	}
	return echo.ErrNotFound
}

// noFile is the answer in place of a license's file, and why.
func (s *site) noFile(c echo.Context, code int, heading string, l db.ListLicensesOfOrderRow, then string) error {
	p := view.Problem{Layout: s.layout(c, heading), Code: code, Heading: heading, Sentence: strings.TrimSpace(licenseReason(l.Reason) + " " + then)}
	p.Private = true
	return render(c, code, view.ProblemPage(p))
}

// verify tells how a license is checked without asking this shop.
func (s *site) verify(c echo.Context) error {
	pem, err := license.MarshalPublic(s.public)
	if err != nil {
		return err
	}
	v := view.Verify{Layout: s.layout(c, "Check a license"), BaseURL: s.Shop.BaseURL,
		Keys: []view.PublicKey{{ID: license.KeyID(s.public), PEM: string(pem)}}}
	v.Section = view.SectionLicenses
	return render(c, http.StatusOK, view.VerifyPage(v))
}

func (s *site) publicKey(c echo.Context) error {
	pem, err := license.MarshalPublic(s.public)
	if err != nil {
		return err
	}
	return c.Blob(http.StatusOK, "application/x-pem-file", pem)
}
