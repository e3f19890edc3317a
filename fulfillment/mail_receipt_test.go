package fulfillment

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"onceshop/license"
	"onceshop/payment"
	"onceshop/store/db"
)

const receiptSecret = "a secret for receipts in tests 32"

// sale is an order of Once Pro (twice) and Once Team, and its licenses.
func sale() (db.Order, []db.OrderLine, []db.ListLicensesOfOrderRow) {
	paid := time.Date(2026, 12, 31, 20, 50, 0, 0, time.FixedZone("Chicago", -6*3600))
	o := db.Order{
		ID: "019ad0c2-7f00-7000-8000-000000000001", Number: "OS-K7QWE-2MXPA", Currency: "EUR",
		Total: payment.NewAmount(14700), PaidAt: &paid,
	}
	lines := []db.OrderLine{
		{LineNo: 1, Name: "Once Pro", UnitPrice: payment.NewAmount(4900), Quantity: 2},
		{LineNo: 2, Name: "Once Team", UnitPrice: payment.NewAmount(4900), Quantity: 1},
	}
	var licenses []db.ListLicensesOfOrderRow
	for _, u := range [][2]int{{1, 1}, {1, 2}, {2, 1}} {
		id := fmt.Sprintf("019ad0c2-7f00-7000-8000-0000000001%d%d", u[0], u[1])
		hash := license.Hash(license.Key([]byte(receiptSecret), id))
		licenses = append(licenses, db.ListLicensesOfOrderRow{ID: id, LineNo: u[0], UnitNo: u[1], KeyHash: hash[:], Status: "active"})
	}
	return o, lines, licenses
}

func TestReceiptReadsAsItShould(t *testing.T) {
	t.Parallel()
	o, lines, licenses := sale()
	r, err := newReceipt("Onceshop", "https://shop.example/orders/token", []byte(receiptSecret), o, lines, licenses)
	if err != nil {
		t.Fatal(err)
	}
	r.Contact = "help@shop.example"
	got, _, err := r.render()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/mail_receipt.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

func TestAMailWithoutAnAddressForQuestionsInvitesNone(t *testing.T) {
	t.Parallel()
	o, lines, licenses := sale()
	r, err := newReceipt("Onceshop", "https://shop.example/", []byte(receiptSecret), o, lines, licenses)
	if err != nil {
		t.Fatal(err)
	}
	text, html, err := r.render()
	if err != nil || strings.Contains(text, "Questions") || strings.Contains(html, "Questions") {
		t.Errorf("%v:\n%s\n%s", err, text, html)
	}
}

func TestSubjectCountsLicensesAndProducts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		products []int // keys of each
		want     string
	}{
		{[]int{1}, "Your license for Product 1 – order N"},
		{[]int{3}, "Your licenses for Product 1 – order N"},
		{[]int{1, 1}, "Your licenses for Product 1 and 1 more product – order N"},
		{[]int{1, 2, 1}, "Your licenses for Product 1 and 2 more products – order N"},
	} {
		r := receipt{Number: "N"}
		for i, n := range c.products {
			r.Products = append(r.Products, heldProduct{Name: fmt.Sprintf("Product %d", i+1), Keys: make([]heldKey, n)})
		}
		if got := r.Subject(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestRevokedLicensesAreLeftOut(t *testing.T) {
	t.Parallel()
	o, lines, licenses := sale()
	licenses[0].Status = "revoked"
	r, err := newReceipt("Onceshop", "https://shop.example/", []byte(receiptSecret), o, lines, licenses)
	if err != nil || r.Keys() != 2 || r.Products[0].Keys[0].Unit != 2 {
		t.Errorf("%+v, %v", r.Products, err)
	}
	for i := range licenses {
		licenses[i].Status = "revoked"
	}
	if _, err := newReceipt("Onceshop", "https://shop.example/", []byte(receiptSecret), o, lines, licenses); err != errAllRevoked {
		t.Errorf("got %v, want errAllRevoked", err)
	}
}

func TestMessageIDComesFromOperationAndDomain(t *testing.T) {
	t.Parallel()
	const key = "send-licenses-mail:019ad0c2-7f00-7000-8000-000000000001:4"
	first := mailID(key, "https://shop.example/orders/token")
	if again := mailID(key, "https://shop.example/orders/another-token"); first != again {
		t.Errorf("%s and %s for one operation", first, again)
	}
	if other := mailID(key+"1", "https://shop.example/orders/token"); first == other {
		t.Error("two operations share a message id")
	}
	for address, want := range map[string]string{
		"https://shop.example:8443/orders/x": "shop.example",
		"http://127.0.0.1:8080/orders/x":     "127.0.0.1",
		"http://localhost:8080/":             "localhost",
		"https://bücher.example/":            "xn--bcher-kva.example",
		"http://shop_demo/":                  "shop_demo",
		"http://[::1]:8080/":                 "--1",
		"":                                   "localhost",
	} {
		if local, domain, _ := strings.Cut(mailID(key, address), "@"); domain != want || len(local) != 32 {
			t.Errorf("%s: %s@%s, want domain %s", address, local, domain, want)
		}
	}
}

func TestAddressThatCannotBeWrittenToIsRefused(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"", "nobody", "a@b.example>\r\nBcc: c@d.example", "a b@c.example", "A <a@b.example>", "a@-bücher-.example"} {
		_, err := Mail{To: to}.message(time.Now())
		if err == nil || !strings.HasPrefix(err.Error(), ErrRefused.Error()) {
			t.Errorf("%q: %v", to, err)
		} else if to != "" && strings.Contains(err.Error(), to) {
			t.Errorf("the error repeats the address: %v", err)
		}
	}
	msg, err := Mail{To: "jörg@bücher.example"}.message(time.Now())
	if err != nil || msg.GetTo()[0].Address != "jörg@xn--bcher-kva.example" {
		t.Errorf("%v, %v", msg, err)
	}
}
