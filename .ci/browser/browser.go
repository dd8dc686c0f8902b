// Package browser tests the pages of this module in a browser: Chromium, driven by chromedp. It is a module of its own,
// so that chromedp is not among the dependencies of the tool and the library.
package browser
