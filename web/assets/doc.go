// Package assets holds what pages load: one style sheet, one small script, the
// shop's mark and the products' art.
//
// Every file is served under a name that carries the hash of its content, so a
// browser may keep it for ever and still gets a new version at once. Nothing is
// built beforehand: the style sheet's parts are joined when the program starts,
// the art is computed from the product's slug.
//
// A merchant's own colours belong into css/theme.css, and nowhere else.
package assets
