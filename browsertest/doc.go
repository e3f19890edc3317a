// Package browsertest holds tests only: a real browser, the whole shop and the
// whole practice platform, on real databases. A license is bought with script,
// without, and by keyboard alone; every page of both is measured on a phone and on
// a desk, in light and in dark, and examined by axe-core.
//
// The browser is the first of chromium, chromium-browser and google-chrome on the
// PATH, or the program that SHOP_CHROMIUM names. The tests fail without one.
//
// SHOP_SCREENSHOTS=FOLDER keeps a picture of every page: look at them.
package browsertest
