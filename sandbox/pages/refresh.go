package pages

// payRefresh is how soon the payment page looks again: only while blocks come
// by themselves, so that nobody's half-typed amount is lost for nothing.
func payRefresh(p Pay) string {
	if p.Blocks != nil && p.Blocks.Automatic {
		return "2"
	}
	return ""
}
