package assets

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestColoursKeepTheirContrast holds the theme, light and dark, against WCAG
// AA, so that a merchant's own colours can't make a page unreadable unseen.
func TestColoursKeepTheirContrast(t *testing.T) {
	t.Parallel()
	light, dark, found := strings.Cut(string(read("css/theme.css")), "@media (prefers-color-scheme: dark)")
	if !found {
		t.Fatal("theme.css has no dark colours")
	}
	lightColours := colours(light)
	darkColours := colours(light)
	for name, c := range colours(dark) {
		darkColours[name] = c
	}
	for scheme, c := range map[string]map[string]string{"light": lightColours, "dark": darkColours} {
		for _, pair := range []struct {
			text, ground string
			least        float64
		}{
			{"ink", "paper", 4.5}, {"ink", "surface", 4.5}, {"ink", "sunk", 4.5},
			{"ink-soft", "paper", 4.5}, {"ink-soft", "surface", 4.5}, {"ink-soft", "sunk", 4.5},
			{"brand", "paper", 4.5}, {"brand", "surface", 4.5}, {"brand", "sunk", 4.5},
			{"on-brand", "brand", 4.5}, {"on-brand", "brand-strong", 4.5},
			{"on-note", "note", 4.5}, {"on-note", "note-far", 4.5}, {"on-note-soft", "note", 4.5}, {"on-note-soft", "note-far", 4.5},
			{"gilt", "note", 4.5}, {"gilt", "note-far", 4.5},
			{"idle", "idle-ground", 4.5}, {"wait", "wait-ground", 4.5}, {"good", "good-ground", 4.5},
			{"warn", "warn-ground", 4.5}, {"bad", "bad-ground", 4.5}, {"bad", "surface", 4.5}, {"bad", "paper", 4.5}, {"warn", "surface", 4.5},
			{"line-strong", "surface", 3}, {"line-strong", "paper", 3}, {"focus", "surface", 3}, {"focus", "paper", 3},
		} {
			if got := contrast(t, c[pair.text], c[pair.ground]); got < pair.least {
				t.Errorf("%s: --%s on --%s has %.2f:1, wants %.1f:1", scheme, pair.text, pair.ground, got, pair.least)
			}
		}
	}
}

func colours(css string) map[string]string {
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`--([a-z-]+):\s*#([0-9a-f]{6});`).FindAllStringSubmatch(css, -1) {
		all[m[1]] = m[2]
	}
	return all
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	la, lb := luminance(t, a), luminance(t, b)
	return (math.Max(la, lb) + .05) / (math.Min(la, lb) + .05)
}

func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) != 6 {
		t.Fatalf("a colour is missing from the theme")
	}
	sum := 0.0
	for i, weight := range []float64{.2126, .7152, .0722} {
		v, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
