package pages

import "unicode/utf8"

// payRefresh is how soon the payment page looks again: only while blocks come
// by themselves, so that nobody's half-typed amount is lost for nothing.
func payRefresh(p Pay) string {
	if p.Blocks != nil && p.Blocks.Automatic {
		return "2"
	}
	return ""
}

// isLong reports whether an amount needs a smaller face to stay on one line of
// a small screen.
func isLong(amount string) bool { return utf8.RuneCountInString(amount) > 11 }
