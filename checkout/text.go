package checkout

import "github.com/rivo/uniseg"

// cutText shortens s to at most n bytes between two characters as a reader sees
// them: an emoji joined from several code points stays whole or goes.
func cutText(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const ellipsis = "…"
	kept := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		_, end := g.Positions()
		if end > n-len(ellipsis) {
			break
		}
		kept = end
	}
	return s[:kept] + ellipsis
}
