package assets

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
	"sync"
)

//go:embed css js svg
var source embed.FS

// sheet lists the parts of the style sheet in the order in which they apply.
func sheet() []string {
	return []string{
		"css/theme.css", "css/base.css", "css/layout.css", "css/controls.css", "css/catalogue.css",
		"css/cart.css", "css/order.css", "css/license.css", "css/history.css", "css/service.css", "css/print.css",
	}
}

// file is one asset as it is served.
type file struct {
	name    string // with the hash of its content
	kind    string // Content-Type
	plain   []byte
	gzipped []byte
}

// shelf is all that is served: by the plain name, for pages, and by the served
// one, for requests.
type shelf struct {
	byName, byServed map[string]file
	artVersion       string
}

// load reads the shelf once; the embedded files can't change while we run.
var load = sync.OnceValue(func() shelf {
	s := shelf{byName: map[string]file{}, byServed: map[string]file{}}
	var css bytes.Buffer
	for _, part := range sheet() {
		css.Write(read(part))
	}
	s.add("shop.css", css.Bytes())
	s.add("shop.js", read("js/shop.js"))
	s.add("mark.svg", read("svg/mark.svg"))
	s.add("hero.svg", drawHero())
	s.artVersion = artVersion()
	return s
})

func (s shelf) add(name string, content []byte) {
	ext := path.Ext(name)
	f := file{
		name:    strings.TrimSuffix(name, ext) + "." + digest(content) + ext,
		kind:    contentType(ext),
		plain:   content,
		gzipped: squeeze(content),
	}
	s.byName[name], s.byServed[f.name] = f, f
}

// Path is the address of an asset: shop.css, shop.js, mark.svg or hero.svg. A
// name we don't have is a mistake in a template, found by the first test that
// draws the page.
func Path(name string) string {
	f, ok := load().byName[name]
	if !ok {
		panic("assets: no file named " + name)
	}
	return Prefix + f.name
}

// read returns an embedded file. It can only be missing if this package was
// built wrong.
func read(name string) []byte {
	b, err := source.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("assets: %v", err))
	}
	return b
}

// digest shortens a hash to what tells versions of one file apart.
func digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:6])
}

// squeeze compresses as far as gzip goes: it is done once, sent often.
func squeeze(content []byte) []byte {
	var b bytes.Buffer
	w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // fails for unknown levels only
	// Writing to a bytes.Buffer can't fail.
	_, _ = w.Write(content)
	_ = w.Close()
	return b.Bytes()
}

func contentType(ext string) string {
	switch ext {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "application/octet-stream"
}
