package assets

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// A pattern draws one kind of line work over a cover's ground.
type pattern func(b *strings.Builder, rng *rand.Rand, c ink)

func patterns() []pattern {
	return []pattern{rosette, waves, vortex, interference, envelope, twist}
}

// rosette turns one ellipse around a point: the flower in the corner of a note.
func rosette(b *strings.Builder, rng *rand.Rand, c ink) {
	cx, cy := 190+rng.Float64()*100, 150+rng.Float64()*20
	ring := func(id string, rx, ry, n, stroke, opacity float64, colour string) {
		fmt.Fprintf(b, `<g transform="translate(%.0f %.0f)" fill="none" stroke="%s" stroke-width="%.1f" stroke-opacity="%.2f">`, cx, cy, colour, stroke, opacity)
		fmt.Fprintf(b, `<ellipse id="%s" rx="%.0f" ry="%.0f"/>`, id, rx, ry)
		for i := 1.0; i < n; i++ {
			fmt.Fprintf(b, `<use href="#%s" transform="rotate(%.4g)"/>`, id, i*180/n)
		}
		b.WriteString(`</g>`)
	}
	squeeze := 0.3 + rng.Float64()*0.15
	ring("a", 290, 290*squeeze, 30, 1, .38, c.line)
	ring("b", 150, 150*(squeeze+.12), 24, 1.1, .8, c.line)
	ring("c", 62, 24, 16, 1.2, .95, c.bright)
}

// waves lets many copies of one curve swell and shrink across the note.
func waves(b *strings.Builder, rng *rand.Rand, c ink) {
	band := func(id string, y, half, length, phase float64, n int, stroke, opacity float64, colour string) {
		fmt.Fprintf(b, `<g transform="translate(%.0f %.0f)" fill="none" stroke="%s" stroke-width="%.1f" stroke-opacity="%.2f">`, -phase, y, colour, stroke, opacity)
		fmt.Fprintf(b, `<path id="%s" vector-effect="non-scaling-stroke" d="M-20 0`, id)
		// A cubic with its handles at 0.3642 of half a wave is within a
		// thousandth of a sine.
		h := length / 2
		for x, up := -20.0, 1.0; x < artWidth+length; x, up = x+h, -up {
			fmt.Fprintf(b, `c%.4g %.4g %.4g %.4g %.4g 0`, h*.3642, -up*half*1.8, h*.6358, -up*half*1.8, h)
		}
		b.WriteString(`"/>`)
		for i := 1; i < n; i++ {
			s := 1 - 2*float64(i)/float64(n-1)
			fmt.Fprintf(b, `<use href="#%s" transform="scale(1 %.3g)"/>`, id, s)
		}
		b.WriteString(`</g>`)
	}
	long := 260 + rng.Float64()*80
	band("a", 165, 190, long*1.6, rng.Float64()*long, 34, 1, .36, c.line)
	band("b", 165, 92, long, rng.Float64()*long/2, 26, 1.1, .85, c.line)
	band("c", 165, 26, long/2, rng.Float64()*long/2, 9, 1.2, .95, c.bright)
}

// vortex turns one S-shaped thread around a point, and its mirror image the
// other way.
func vortex(b *strings.Builder, rng *rand.Rand, c ink) {
	swirl := func(id string, r, bend float64, n int, stroke, opacity float64, colour string) {
		for side := -1.0; side <= 1; side += 2 {
			name := id
			if side > 0 {
				name += "m"
			}
			fmt.Fprintf(b, `<g transform="translate(240 160)" fill="none" stroke="%s" stroke-width="%.1f" stroke-opacity="%.2f">`, colour, stroke, opacity)
			fmt.Fprintf(b, `<path id="%s" d="M0 0C%.0f %.0f %.0f %.0f %.0f 0"/>`, name, r*.3, side*r*bend, r*.75, -side*r*bend*.5, r)
			for i := 1; i < n; i++ {
				fmt.Fprintf(b, `<use href="#%s" transform="rotate(%.4g)"/>`, name, float64(i)*360/float64(n))
			}
			b.WriteString(`</g>`)
		}
	}
	bend := .7 + rng.Float64()*.4
	swirl("a", 330, bend, 36, 1, .36, c.line)
	swirl("b", 150, bend+.3, 30, 1.1, .8, c.line)
	swirl("c", 52, .9, 14, 1.2, .95, c.bright)
}

// interference lays rings over rings; the eye draws the rest.
func interference(b *strings.Builder, rng *rand.Rand, c ink) {
	gap := 96 + rng.Float64()*30
	fmt.Fprintf(b, `<g fill="none" stroke="%s" stroke-width="1.2">`, c.line)
	for i, x := range []float64{240 - gap, 240, 240 + gap} {
		step := 10.0
		if i == 1 {
			step = 7.5
		}
		for r := step; r < 230; r += step {
			fmt.Fprintf(b, `<circle cx="%.0f" cy="160" r="%.4g" stroke-opacity="%.2f"/>`, x, r, .95-r/260)
		}
	}
	fmt.Fprintf(b, `</g><g fill="none" stroke="%s" stroke-width="1.4">`, c.bright)
	for r := 5.0; r < 34; r += 5 {
		fmt.Fprintf(b, `<circle cx="240" cy="160" r="%.0f"/>`, r)
	}
	b.WriteString(`</g>`)
}

// envelope joins points of a circle by straight threads; a curve that nobody
// drew appears along their edge.
func envelope(b *strings.Builder, rng *rand.Rand, c ink) {
	threads := func(n, times int, r, stroke, opacity float64, colour string) {
		fmt.Fprintf(b, `<path fill="none" stroke="%s" stroke-width="%.1f" stroke-opacity="%.2f" d="`, colour, stroke, opacity)
		at := func(i int) (x, y float64) {
			a := 2*math.Pi*float64(i)/float64(n) - math.Pi/2
			return 240 + r*math.Cos(a), 160 + r*math.Sin(a)
		}
		for i := 1; i < n; i++ {
			x1, y1 := at(i)
			x2, y2 := at(i * times % n)
			if math.Hypot(x1-x2, y1-y2) < 1 {
				continue
			}
			fmt.Fprintf(b, "M%.0f %.0fL%.0f %.0f", x1, y1, x2, y2)
		}
		b.WriteString(`"/>`)
	}
	times := 3 + rng.IntN(3)
	threads(150, times, 292, .9, .42, c.line)
	threads(96, times, 140, 1, .85, c.line)
	threads(40, 2, 46, 1, .95, c.bright)
}

// twist turns a rounded square a little more with every step inwards.
func twist(b *strings.Builder, rng *rand.Rand, c ink) {
	turn := 3.2 + rng.Float64()*1.6
	if rng.IntN(2) == 0 {
		turn = -turn
	}
	fmt.Fprintf(b, `<g transform="translate(240 160)" fill="none" stroke="%s"><rect id="a" x="-100" y="-100" width="200" height="200" rx="26" vector-effect="non-scaling-stroke" stroke-opacity="0"/>`, c.line)
	scale, angle := 3.3, 0.0
	for i := 0; scale > .16; i++ {
		opacity := .32 + .6*float64(i)/44
		colour := ""
		if scale < .42 {
			colour = fmt.Sprintf(` stroke="%s"`, c.bright)
			opacity = .95
		}
		fmt.Fprintf(b, `<rect x="-100" y="-100" width="200" height="200" rx="26" vector-effect="non-scaling-stroke"%s stroke-opacity="%.2f" transform="rotate(%.1f)scale(%.3f)"/>`, colour, min(opacity, .95), angle, scale)
		scale *= .932
		angle += turn
	}
	b.WriteString(`</g>`)
}
