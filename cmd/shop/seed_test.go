package main

import (
	"testing"

	"onceshop/testdb"
)

func TestSeedingTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	dsn := testdb.New(t)
	environ := []string{"SHOP_DATABASE_URL=" + dsn}
	wantCode(t, shop(t, environ, "seed"), exitDone, "7 products added")
	d := open(t, dsn)
	if _, err := d.Pool().ExecContext(t.Context(), "UPDATE shop_products SET name = 'Mine now', withdrawn_at = NOW(6) WHERE slug = 'tally'"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, shop(t, environ, "seed"), exitDone, "0 products added")
	products, err := d.ListProducts(t.Context())
	if err != nil || len(products) != 6 {
		t.Errorf("%d products on offer, %v; the withdrawn one came back", len(products), err)
	}
}

func TestAnyTwoDemoProductsGoIntoOneCartAndEveryProviderTakesSome(t *testing.T) {
	t.Parallel()
	sold := map[string]int{}
	for _, p := range catalogue {
		sold[p.currency]++
	}
	if len(sold) != 2 || sold["USD"] != len(catalogue)-1 || sold["INR"] != 1 {
		t.Errorf("the catalogue is sold in %v, want USD but for one product in INR", sold)
	}
}
