package web_test

import (
	"log"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"
	"go.uber.org/goleak"

	"onceshop/checkout"
	"onceshop/shoptest"
	"onceshop/store/db"
)

// A stream or a handler that outlives its server fails the whole run.
// All tests run in a process whose own zone is New York: pages show UTC.
func TestMain(m *testing.M) {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		log.Fatal(err)
	}
	time.Local = zone
	goleak.VerifyTestMain(m,
		// The connection to the shared test server lives as long as the process.
		goleak.IgnoreAnyFunction("onceshop/testdb.join.func1"),
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionOpener"),
		goleak.IgnoreTopFunction("database/sql.(*DB).connectionCleaner"),
		goleak.IgnoreTopFunction("github.com/go-sql-driver/mysql.(*mysqlConn).startWatcher.func1"),
	)
}

// parse reads a page's HTML.
func parse(t testing.TB, page shoptest.Page) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(page.Body))
	if err != nil {
		t.Fatalf("%s: %v", page.URL, err)
	}
	return doc
}

// words returns the text of what the selector finds, with single blanks.
func words(doc *goquery.Document, selector string) string {
	return strings.Join(strings.Fields(doc.Find(selector).Text()), " ")
}

// wantStatus stops the test at an unexpected answer.
func wantStatus(t testing.TB, page shoptest.Page, status int) {
	t.Helper()
	if page.Status != status {
		t.Fatalf("%s answered %d, want %d:\n%s", page.URL, page.Status, status, page.Body)
	}
}

// wantWords reports which of the sentences the text lacks.
func wantWords(t testing.TB, text string, sentences ...string) {
	t.Helper()
	for _, s := range sentences {
		if !strings.Contains(text, s) {
			t.Errorf("the page doesn't say %q; it says:\n%s", s, text)
		}
	}
}

// lackWords reports which of the sentences the text has all the same.
func lackWords(t testing.TB, text string, sentences ...string) {
	t.Helper()
	for _, s := range sentences {
		if strings.Contains(strings.ToLower(text), strings.ToLower(s)) {
			t.Errorf("the page says %q:\n%s", s, text)
		}
	}
}

// pathOf is an order's page.
func pathOf(s *shoptest.Pages, number string) string {
	s.Helper()
	o, err := s.DB.FindOrderByNumber(s.Context(), number)
	if err != nil {
		s.Fatal(err)
	}
	return strings.TrimPrefix(s.Shop.Shop.OrderURL(o), s.URL)
}

// orderAt is the order whose page has that address.
func orderAt(s *shoptest.Pages, address string) db.Order {
	s.Helper()
	row, err := s.DB.FindOrderByToken(s.Context(), checkout.HashToken(strings.TrimPrefix(address, "/orders/")))
	if err != nil {
		s.Fatal(err)
	}
	return row.Order
}
