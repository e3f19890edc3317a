package view

import (
	"net/url"

	"github.com/a-h/templ"
)

// Layout is what every page shares. The zero value of each field leaves its
// part out.
type Layout struct {
	ShopName    string // the merchant's name, in header, footer and title
	Title       string // of this page, without the shop's name
	Description string // one sentence for search results; empty on private pages
	Section     string // which entry of the navigation is the current one: SectionProducts, …
	CartCount   int    // units in the cart
	Refresh     int    // seconds between reloads in a browser without script; 0 never
	Private     bool   // keeps the page out of search results
	Contact     string // the mail address for questions, in the footer and where a page says to get in touch
	Demo        bool   // says that payments go to the sandbox and where the mail lands
	Version     string // of the program, in the footer
}

// The entries of the navigation.
const (
	SectionProducts = "products"
	SectionLicenses = "licenses"
	SectionCart     = "cart"
	SectionMailbox  = "mailbox"
)

// mailTo leads to a mail with a subject, if there is one.
func mailTo(address, subject string) templ.SafeURL {
	to := "mailto:" + url.PathEscape(address)
	if subject != "" {
		to += "?subject=" + url.PathEscape(subject)
	}
	return templ.SafeURL(to)
}
