package assets

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The covers are drawn like the line work of banknotes: one figure, turned and
// repeated, on a ground of its own ink. Pattern, colours and proportions come
// from the slug alone, so a new product has a cover at once and keeps it.

// The size of a cover in its own units.
const (
	artWidth  = 480
	artHeight = 320
)

// artSalt was chosen so that the demo catalogue shows every pattern and no
// ground twice; any other value is as good for any other catalogue.
const artSalt = 1634

// ink is one banknote's colours: a ground of two tones, the fine lines, and one
// brighter tone for the figure's heart.
type ink struct{ from, to, line, bright string }

func inks() []ink {
	return []ink{
		{"#0b3f31", "#12614a", "#7fd9b4", "#f3e7b3"}, // bottle green
		{"#132a52", "#1f4684", "#8db9f5", "#ffd9a0"}, // ink blue
		{"#431a45", "#6b2d66", "#e5a5d8", "#ffe0b8"}, // aubergine
		{"#5b2d0b", "#8a4c12", "#f6c27d", "#fff0cf"}, // umber
		{"#631d22", "#96333a", "#f7aa9c", "#ffe6c7"}, // brick
		{"#0d3e49", "#15606d", "#86d4df", "#fbe3ae"}, // petrol
		{"#2b2f36", "#474e59", "#b9c4d3", "#ffd79c"}, // graphite
		{"#33401a", "#52661f", "#c9db8b", "#fff3c4"}, // olive
	}
}

// drawArt is the cover of a product. The same slug gives the same bytes.
func drawArt(slug string) []byte {
	pattern, colours, rng := choose(slug, artSalt)
	draw, c := patterns()[pattern], inks()[colours]

	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`,
		artWidth, artHeight, artWidth, artHeight)
	fmt.Fprintf(&b, `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="%s"/><stop offset="1" stop-color="%s"/></linearGradient></defs>`,
		c.from, c.to)
	b.WriteString(`<rect width="100%" height="100%" fill="url(#g)"/>`)
	draw(&b, rng, c)
	b.WriteString(`</svg>`)
	return []byte(b.String())
}

// choose lets the slug decide: which pattern, which ink, and the chances within
// the pattern.
func choose(slug string, salt uint64) (pattern, colours int, rng *rand.Rand) {
	h := sha256.Sum256(fmt.Appendf(nil, "%d:%s", salt, slug))
	word := func(i int) uint64 { return binary.BigEndian.Uint64(h[8*i:]) }
	return int(word(0) % uint64(len(patterns()))), int(word(1) % uint64(len(inks()))), rand.New(rand.NewPCG(word(2), word(3)))
}

// artVersion changes whenever any pattern or ink does: it is the hash of enough
// covers to have seen all of them.
func artVersion() string {
	var all []byte
	for i := range 64 {
		all = append(all, drawArt(fmt.Sprintf("sample-%d", i))...)
	}
	return digest(all)
}

// drawHero is the large rosette of the first page. It has no ground: it takes
// the colour of whatever it lies on.
func drawHero() []byte {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-320 -320 640 640" width="640" height="640"><g fill="none">`)
	ring := func(id string, rx, ry float64, n int, colour string, opacity float64) {
		fmt.Fprintf(&b, `<g stroke="%s" stroke-opacity="%.2f"><ellipse id="%s" rx="%.0f" ry="%.0f"/>`, colour, opacity, id, rx, ry)
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, `<use href="#%s" transform="rotate(%.4g)"/>`, id, float64(i)*180/float64(n))
		}
		b.WriteString(`</g>`)
	}
	ring("a", 316, 196, 36, "#7fd9b4", .42)
	ring("b", 186, 120, 30, "#7fd9b4", .8)
	ring("c", 112, 58, 24, "#f3e7b3", .9)
	b.WriteString(`</g></svg>`)
	return []byte(b.String())
}
