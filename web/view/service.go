package view

// Verify is the page that tells how a license is checked without us.
type Verify struct {
	Layout
	BaseURL string // where this shop is reached: https://shop.example
	Keys    []PublicKey
}

// checkCommand is what a reader types to check a file.
const checkCommand = "shop license verify --key public-key.pem FILE"

// PublicKey is one key that license files are signed with. The first is the one
// in use.
type PublicKey struct {
	ID  string
	PEM string
}

// Mailbox lists what the demo shop has mailed, newest first.
type Mailbox struct {
	Layout
	Mails []MailItem
}

// MailItem is one mail in the list.
type MailItem struct {
	URL     string
	Subject string
	To      string
	At      Moment
}

// Mail is one mail, its text beside its HTML.
type Mail struct {
	Layout
	Subject   string
	From      string
	To        string
	MessageID string
	At        Moment
	Text      string
	HTMLURL   string // shown in a sandboxed frame; empty if there is no HTML part
}

// Problem is every page that says no.
type Problem struct {
	Layout
	Code      int
	Heading   string // "Page not found"
	Sentence  string // what happened and what to do
	RequestID string // to quote when asking for help
}
