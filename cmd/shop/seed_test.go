package main

import (
	"testing"

	"onceshop/testdb"
)

func TestSeedingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	dsn := testdb.New(t)
	environ := []string{"SHOP_DATABASE_URL=" + dsn}
	wantCode(t, shop(t, environ, "seed"), exitDone, "6 products added")
	d := open(t, dsn)
	if _, err := d.Pool().ExecContext(t.Context(), "UPDATE shop_products SET name = 'Mine now', withdrawn_at = NOW(6) WHERE slug = 'tally'"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, shop(t, environ, "seed"), exitDone, "0 products added")
	products, err := d.ListProducts(t.Context())
	if err != nil || len(products) != 5 {
		t.Errorf("%d products on offer, %v; the withdrawn one came back", len(products), err)
	}
	for _, p := range products {
		if p.Currency != products[0].Currency {
			t.Errorf("%s is sold in %s: not every two demo products go into one cart", p.Slug, p.Currency)
		}
	}
}
