package onceshop

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"onceshop/shoptest"
	"onceshop/testdb"
)

// cost is what one thing that the shop does asks of its database.
type cost struct {
	what           string
	trips, commits int
}

// TestTheREADMECountsWhatIsAskedOfTheDatabase does each thing once, alone, over
// real HTTP and on a real server, and counts.
func TestTheREADMECountsWhatIsAskedOfTheDatabase(t *testing.T) {
	var table strings.Builder
	table.WriteString("| what | round trips | commits |\n|---|---:|---:|\n")
	for _, c := range measured(t) {
		fmt.Fprintf(&table, "| %s | %d | %d |\n", c.what, c.trips, c.commits)
	}
	keepSection(t, "costs", table.String())
}

func measured(t *testing.T) (costs []cost) {
	t.Helper()
	faulty := shoptest.NewFaulty(t, testdb.New(t))
	s := shoptest.New(t, shoptest.Options{Pool: faulty.Open(t), Scripts: faulty.OpenForScripts(t)})
	s.Product("inkwell", "Inkwell", "50000", "USDC")
	b := s.Pages().Browser()
	count := func(what string, do func()) {
		t.Helper()
		faulty.Arm(shoptest.Fault{})
		do()
		c := cost{what: what}
		trips := faulty.Mend()
		for i, trip := range trips {
			c.trips++
			// A script ends with its commit, unless it broke off and is rolled back.
			script := strings.HasSuffix(trip, "COMMIT") && (i+1 == len(trips) || trips[i+1] != "ROLLBACK")
			if trip == "commit" || script {
				c.commits++
			}
		}
		costs = append(costs, c)
	}
	want := func(status int, page shoptest.Page) shoptest.Page {
		t.Helper()
		if page.Status != status {
			t.Fatalf("%s answered %d", page.URL, page.Status)
		}
		return page
	}

	count("home page", func() { want(200, b.Get("/")) })
	count("product page", func() { want(200, b.Get("/products/inkwell")) })
	count("“Add to cart”", func() { want(303, b.Post("/cart/lines", url.Values{"product": {"inkwell"}, "quantity": {"1"}})) })
	count("cart page", func() { want(200, b.Get("/cart")) })
	var hosted string
	count("“Pay”: order, first revision, payment at the provider", func() {
		hosted = want(303, b.Post("/checkout", url.Values{"email": {shoptest.Buyer}})).Header.Get("Location")
	})

	ref := hosted[strings.LastIndex(hosted, "/")+1:]
	placed := s.Platform.Order(ref)
	paid := shoptest.Event{Type: "payment.paid", Order: s.Platform.Set(placed.With(func(o *shoptest.Order) { o.Revision, o.PaymentStatus = "2", "paid" }))}
	body := paid.Encode()
	deliver := func() {
		if a := s.Do(shoptest.Signed(s.URL(), paid.ID, shoptest.Secret, body)); a.Status != 200 {
			t.Fatalf("answered %d %s", a.Status, a.Body)
		}
	}
	once := func(what string, found int, err error) {
		t.Helper()
		if err != nil || found != 1 {
			t.Fatalf("%s: found %d, %v", what, found, err)
		}
	}
	count("webhook, new event: until the answer", deliver)
	count("webhook, the same event again", deliver)
	count("processor: a due event, claimed, fetched and booked", func() {
		n, err := s.Processor.RunOnce(t.Context())
		once("processor", n, err)
	})
	count("worker: a license issued, the order delivered", func() {
		n, err := s.Worker.RunOnce(t.Context())
		once("worker", n, err)
	})
	count("mail worker: a mail", func() {
		n, err := s.Mails.RunOnce(t.Context())
		once("mails", n, err)
	})
	count("any queue, nothing due", func() {
		if n, err := s.Processor.RunOnce(t.Context()); n != 0 || err != nil {
			t.Fatal(n, err)
		}
	})

	page := s.Shop.OrderURL(s.Order(placed.MerchantOrderID))
	count("order page", func() { want(200, b.Get(page)) })
	count("order page, license file", func() {
		want(200, b.Get(page+"/licenses/"+s.Licenses(placed.MerchantOrderID)[0].ID+".license"))
	})
	return costs
}
