package view_test

import (
	"time"

	"github.com/a-h/templ"

	"onceshop/web/view"
)

// now is the clock of every sample.
func now() time.Time { return time.Date(2026, 11, 30, 11, 42, 7, 0, time.UTC) }

func ago(d time.Duration) view.Moment { return view.At(now().Add(-d), now()) }

// oddName has everything in it that a name can do to a page.
const oddName = `Pro 🚀 Édition <b>"x"</b> & عربى`

// sample is one page with canned data, under the name of its golden file.
type sample struct {
	name string
	page templ.Component
}

// samples are all pages in all their states: what the golden files fix and what
// the storybook shows.
func samples() []sample {
	all := []sample{
		{"home", view.HomePage(view.Home{Layout: layout("", view.SectionProducts, "Software licenses, delivered exactly once."), Products: catalogue()})},
		{"home-empty", view.HomePage(view.Home{Layout: layout("", view.SectionProducts, "")})},
		{"product", view.ProductPage(product())},
		{"product-sold-out", view.ProductPage(soldOut())},
		{"product-unpayable", view.ProductPage(unpayableProduct())},
		{"product-refused-quantity", view.ProductPage(refusedQuantity())},
		{"product-odd-name", view.ProductPage(oddProduct())},
		{"cart", view.CartPage(cart())},
		{"cart-several-ways", view.CartPage(severalWays())},
		{"cart-refused-way", view.CartPage(refusedWay())},
		{"cart-unpayable", view.CartPage(unpayableCart())},
		{"cart-refused", view.CartPage(refusedCart())},
		{"cart-empty", view.CartPage(view.Cart{Layout: layout("Your cart", view.SectionCart, "")})},
		{"cart-already-ordered", view.CartPage(view.Cart{Layout: layout("Your cart", view.SectionCart, ""), OrderURL: orderURL, OrderNumber: "1007"})},
		{"return-without-cookie", view.ReturnPage(view.Return{Layout: layout("Welcome back", "", "")})},
		{"verify", view.VerifyPage(verify())},
		{"mailbox", view.MailboxPage(mailbox())},
		{"mailbox-empty", view.MailboxPage(view.Mailbox{Layout: layout("Mailbox", view.SectionMailbox, "")})},
		{"mail", view.MailPage(mail())},
		{"problem-404", problem(404, "Page not found", "There is nothing at this address. If it came from a mail, check that the whole address was copied.")},
		{"problem-403", problem(403, "Not accepted", "This form was sent from another site, so nothing was done. Open the page here and try again.")},
		{"problem-422", problem(422, "Not understood", "Something in the form can’t be used. Go back, change it and send it again.")},
		{"problem-500", problem(500, "Something went wrong", "It is our fault and it was written down. Nothing was charged or delivered by this request.")},
		{"problem-503", problem(503, "Try again in a moment", "The shop can’t reach its records right now. Nothing is lost; the same request works again shortly.")},
	}
	return append(all, orderSamples()...)
}

func layout(title, section, description string) view.Layout {
	return view.Layout{
		ShopName: "Onceshop", Title: title, Section: section, Description: description,
		CartCount: 2, Contact: "help@shop.example", Demo: true, Version: "0.1.0",
	}
}

func catalogue() []view.Card {
	return []view.Card{
		{Slug: "inkwell", Name: "Inkwell", Summary: "A quiet editor for long texts. Opens a whole book at once and never loses a word.", Price: "$49.00"},
		{Slug: "tally", Name: "Tally", Summary: "Double-entry bookkeeping for one person, in a file you own.", Price: "$79.00"},
		{Slug: "lantern", Name: "Lantern", Summary: "Finds the photo you mean by describing it. Everything stays on your machine.", Price: "$35.00"},
		{Slug: "quarry", Name: "Quarry", Summary: "A database client that explains a slow query before you ask.", Price: "$120.00"},
		{Slug: "meridian", Name: "Meridian", Summary: "One calendar across all time zones, daylight saving included.", Price: "$19.00", SoldOut: true},
		{Slug: "stillpoint", Name: "Stillpoint", Summary: "Backups that restore themselves once a week to prove they can.", Price: "$64.00"},
	}
}

func product() view.Product {
	return view.Product{
		Layout: layout("Inkwell", view.SectionProducts, "A quiet editor for long texts."),
		Slug:   "inkwell", Name: "Inkwell", Price: "$49.00", Activations: 3, MaxQuantity: 20,
		Summary: "A quiet editor for long texts. Opens a whole book at once and never loses a word.",
		Description: []string{
			"Inkwell keeps a manuscript of any length in one window: chapters at the side, notes in the margin, and nothing else. It starts in less than a second and saves with every keystroke.",
			"Your text is plain Markdown in a folder of your choice. Inkwell reads it, you own it, and any other editor can open it tomorrow.",
		},
		Updates:    "All updates of version 4, free of charge.",
		RefundRule: "Refund within 14 days; a full refund ends the license.",
	}
}

func soldOut() view.Product {
	p := product()
	p.SoldOut = true
	return p
}

func unpayableProduct() view.Product {
	p := product()
	p.Unpayable = true
	return p
}

func refusedQuantity() view.Product {
	p := product()
	p.Quantity, p.Error = 400, "At most 20 of one product fit into an order."
	return p
}

func oddProduct() view.Product {
	p := product()
	p.Title, p.Name, p.Slug = oddName, oddName, "pro"
	return p
}

func cart() view.Cart {
	return view.Cart{
		Layout: layout("Your cart", view.SectionCart, ""),
		Lines: []view.CartLine{
			{Slug: "inkwell", Name: "Inkwell", Quantity: 1, MaxQuantity: 20, UnitPrice: "$49.00", Total: "$49.00"},
			{Slug: "stillpoint", Name: "Stillpoint", Quantity: 2, MaxQuantity: 20, UnitPrice: "$64.00", Total: "$128.00"},
		},
		Total: "$177.00", Ways: ways()[:1],
	}
}

func ways() []view.Way {
	return []view.Way{
		{Name: "stablein", Label: "Stablecoin (StableIn)", Hint: "From your own wallet"},
		{Name: "stripe", Label: "Card or wallet (Stripe)", Hint: "Visa, Mastercard, Apple Pay, Google Pay"},
		{Name: "bank", Label: oddName},
	}
}

func severalWays() view.Cart {
	c := cart()
	c.Ways, c.Way = ways(), "stripe"
	return c
}

func refusedWay() view.Cart {
	c := severalWays()
	c.Email, c.Way, c.WayError = "ada@example.com", "cash", "Choose one of the ways to pay that are offered."
	return c
}

func unpayableCart() view.Cart {
	c := cart()
	c.Ways = nil
	return c
}

func refusedCart() view.Cart {
	c := cart()
	c.Email, c.EmailError = "ada@example", "Enter a mail address like name@example.com."
	c.Lines[1].Name, c.Lines[1].Quantity, c.Lines[1].Error = oddName, 400, "At most 20 of one product fit into an order."
	c.Problem = "Meridian is sold out. Remove it to go on."
	return c
}

func verify() view.Verify {
	return view.Verify{
		Layout:  layout("Verify a license", view.SectionLicenses, "How to check a license file offline."),
		BaseURL: "https://shop.example",
		Keys: []view.PublicKey{
			{ID: "ed-2026-11", PEM: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"},
			{ID: "ed-2025-01", PEM: "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n"},
		},
	}
}

func mailbox() view.Mailbox {
	return view.Mailbox{
		Layout: layout("Mailbox", view.SectionMailbox, ""),
		Mails: []view.MailItem{
			{URL: "/mailbox/2", Subject: "Your licenses of order 1007", To: "ada@example.com", At: ago(3 * time.Minute)},
			{URL: "/mailbox/1", Subject: "Your license: " + oddName, To: "b.o'hara@example.org", At: ago(26 * time.Hour)},
		},
	}
}

func mail() view.Mail {
	return view.Mail{
		Layout:  layout("Your licenses of order 1007", view.SectionMailbox, ""),
		Subject: "Your licenses of order 1007", From: "Onceshop <shop@example.com>", To: "ada@example.com",
		MessageID: "<send-licenses-mail.1007.r4@shop.example>", At: ago(3 * time.Minute),
		Text:    "Thank you. Your order 1007 is paid.\n\nInkwell\n  7QX4M-2KPD9-RW6TN-V83HC\n\nYour order page: https://shop.example/orders/3q2-7wEjRWeJq83vASNFZw\n",
		HTMLURL: "/mailbox/2/html",
	}
}

func problem(code int, heading, sentence string) templ.Component {
	return view.ProblemPage(view.Problem{
		Layout: layout(heading, "", ""), Code: code, Heading: heading, Sentence: sentence,
		RequestID: "01937c5a-9d1e-7b3a-8a55-3b1d6f2e9001",
	})
}
