package fulfillment_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	gomail "github.com/wneessen/go-mail"

	"onceshop/fulfillment"
)

const oddName = `Pro 🚀 Édition <b>"x"</b> & عربى`

func TestOddProductNameArrivesWholeInSubjectTextAndHTML(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	s.Product("odd", oddName, "50000", "USDC")
	order, _ := s.delivered("odd", 1)
	s.mail(1)

	raw := s.post.got()[0].raw
	m := open(t, raw)
	if want := "Your license for " + oddName + " – order " + order.Number; m.Subject != want {
		t.Errorf("subject %q, want %q", m.Subject, want)
	}
	head, _, _ := strings.Cut(raw, "\r\n\r\n")
	for line := range strings.Lines(head) {
		if len(line) > 80 || strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
			t.Errorf("header line isn't short ASCII: %q", line)
		}
	}
	if !strings.Contains(m.Text, "\n"+oddName+"\n") {
		t.Errorf("the name isn't a line of the text:\n%s", m.Text)
	}
	if !strings.Contains(m.HTML, "&lt;b&gt;") || strings.Contains(m.HTML, "<b>") {
		t.Error("the name isn't escaped in the HTML")
	}
	doc := parse(t, m.HTML)
	if name := doc.Find("h2 bdi").First().Text(); name != oddName {
		t.Errorf("the HTML shows %q", name)
	}
}

func TestNameCannotBeginAHeaderOrALine(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	const hostile = "Pro\r\nBcc: eve@example.com\r\n\r\n<script>alert(1)</script>\u202egnp.exe\u2028x"
	s.Product("hostile", hostile, "50000", "USDC")
	s.Mails.ShopName = "Shop\nX-Evil: yes"
	s.delivered("hostile", 1)
	s.mail(1)

	letters := s.post.got()
	if len(letters) != 1 {
		t.Fatalf("%d mails", len(letters))
	}
	m := open(t, letters[0].raw)
	if m.Get("Bcc") != "" || m.Get("X-Evil") != "" {
		t.Errorf("a name became a header: %v", m.Header)
	}
	if strings.ContainsAny(m.Subject, "\r\n\u202e\u2028") || !strings.Contains(m.Subject, "Pro  Bcc: eve@example.com") {
		t.Errorf("subject %q", m.Subject)
	}
	if strings.Contains(m.Text, "\nBcc:") || strings.Contains(m.Text, "\u202e") {
		t.Errorf("a name broke out of its line:\n%s", m.Text)
	}
	if parse(t, m.HTML).Find("script").Length() != 0 {
		t.Error("a name became a script")
	}
}

func TestNameThatLooksEncodedArrivesAsItIsWritten(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	const name = "=?utf-8?q?Free=21?= plan"
	s.Product("encoded", name, "50000", "USDC")
	s.delivered("encoded", 1)
	s.mail(1)
	if m := open(t, s.post.got()[0].raw); !strings.Contains(m.Subject, name) {
		t.Errorf("subject %q", m.Subject)
	}
}

func TestMailNeedsNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	order, _ := s.delivered(house, 1)
	s.mail(1)
	doc := parse(t, open(t, s.post.got()[0].raw).HTML)
	if n := doc.Find("img, link, script, iframe, form, svg, object").Length(); n != 0 {
		t.Errorf("%d elements that load or do something", n)
	}
	links := doc.Find("a")
	if href, _ := links.Attr("href"); links.Length() != 1 || href != s.Shop.Shop.OrderURL(order) {
		t.Errorf("%d links, the first to %s; want one, to the order", links.Length(), href)
	}
	if style := doc.Find("style").Text(); strings.Contains(style, "url(") || !strings.Contains(style, "prefers-color-scheme: dark") {
		t.Errorf("style:\n%s", style)
	}
}

func TestAmountsOfAnySizeArriveExactly(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	s.Product("dear", "Dear", "1000000000000000000000001", "DAI")
	s.delivered("dear", 1)
	s.mail(1)
	m := open(t, s.post.got()[0].raw)
	for _, form := range []string{m.Text, parse(t, m.HTML).Text()} {
		if !strings.Contains(form, "1,000,000.000000000000000001\u00a0DAI") {
			t.Errorf("the amount isn't in:\n%s", form)
		}
	}
}

func TestMailboxKeepsTheSameMailOnce(t *testing.T) {
	t.Parallel()
	s := newMailShop(t)
	s.Product("odd", oddName, "50000", "USDC")
	s.Mails.Sender = fulfillment.Mailbox{DB: s.DB}
	order, _ := s.delivered("odd", 1)
	s.mail(1)
	s.retry(s.job(order.ID).Seq, 1)
	s.mail(1)

	list, err := s.DB.ListMails(t.Context(), 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d mails, %v; want 1", len(list), err)
	}
	kept, err := s.DB.GetMail(t.Context(), list[0].Seq)
	if err != nil {
		t.Fatal(err)
	}
	if kept.Sent != 2 || kept.Recipient != order.Email || !strings.Contains(kept.Subject, oddName) {
		t.Errorf("kept %d times, to %s: %s", kept.Sent, kept.Recipient, kept.Subject)
	}
	m := open(t, string(kept.Raw))
	if m.Get("Message-ID") != "<"+kept.MessageID+">" || !strings.Contains(m.Text, s.keys(order.ID)[0]) {
		t.Errorf("message id %s, kept as %s", m.Get("Message-ID"), kept.MessageID)
	}
	// The mailbox page reads it with the library that wrote it.
	read, err := gomail.EMLToMsgFromReader(bytes.NewReader(kept.Raw))
	if err != nil || len(read.GetParts()) != 2 {
		t.Fatalf("%v: %d parts", err, len(read.GetParts()))
	}
	if text, err := read.GetParts()[0].GetContent(); err != nil || !strings.Contains(string(text), oddName) {
		t.Errorf("%v in:\n%s", err, text)
	}
}

func parse(t *testing.T, html string) *goquery.Document {
	t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(html))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
