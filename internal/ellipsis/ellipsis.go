// Package ellipsis shortens texts to what others hold: providers' fields, and ours.
package ellipsis

import "github.com/rivo/uniseg"

const mark = "…"

// Shorten returns s, or as much of it as fits into so many bytes with an ellipsis
// behind it. It is cut between two characters as a reader sees them: an emoji joined
// from several code points stays whole or goes.
func Shorten(s string, maxBytes int) string {
	if len(s) <= maxBytes {
		return s
	}
	kept := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		_, end := g.Positions()
		if end > maxBytes-len(mark) {
			break
		}
		kept = end
	}
	return s[:kept] + mark
}
