package view

// Home is the first page: what the shop promises and what it sells.
type Home struct {
	Layout
	Products []Card
}

// Card is one product in the grid.
type Card struct {
	Slug    string // also decides the art
	Name    string
	Summary string
	Price   string // formatted with its currency
	SoldOut bool
}

// Product is the page of one product.
type Product struct {
	Layout
	Slug        string
	Name        string
	Summary     string
	Price       string
	Description []string // paragraphs
	Activations int      // devices one key may be used on; 0 no limit
	Updates     string   // what later versions cost: "One year of updates"
	RefundRule  string   // one sentence; empty leaves it out
	SoldOut     bool
	Unpayable   bool   // no payment provider takes its price at the moment
	MaxQuantity int    // most units in one order; 0 leaves it to the server
	Quantity    int    // 0 shows 1
	Typed       string // what was refused, shown instead of Quantity as it was typed
	Error       string // why the last attempt to add was refused
}
