package view

// Cart is the cart and the checkout in one: lines, address, pay.
type Cart struct {
	Layout
	Lines      []CartLine
	Total      string
	Email      string // kept as typed
	EmailError string // why the address was refused
	Problem    string // why the whole cart can't be ordered now ("Sold out: …")
	Ways       []Way  // that can take the total, the preferred one first; none: it can't be paid here
	Way        string // the name of the one that was chosen, kept when the form comes back
	WayError   string // why that one was refused; the page then offers several
	// OrderURL and OrderNumber are set when this cart has become an order
	// already: the page then shows the way there instead of a second Pay.
	OrderURL    string
	OrderNumber string
}

// CartLine is one product in the cart.
type CartLine struct {
	Slug        string
	Name        string
	Quantity    int
	MaxQuantity int // 0 leaves it to the server
	UnitPrice   string
	Total       string
	Typed       string // what was refused, shown instead of Quantity as it was typed
	Error       string // why the last change was refused
}

// Return is where a buyer without our cookie lands after the payment page. It
// knows nothing of any order, so it promises nothing about one.
type Return struct {
	Layout
}

// cartRefused tells whether anything was refused.
func cartRefused(v Cart) bool {
	for _, l := range v.Lines {
		if l.Error != "" {
			return true
		}
	}
	return v.Problem != "" || v.EmailError != "" || v.WayError != ""
}

// cartLayout says in the title, the first thing a screen reader speaks, that
// something was refused.
func cartLayout(v Cart) Layout {
	if cartRefused(v) {
		v.Title = "Error: " + v.Title
	}
	return v.Layout
}
