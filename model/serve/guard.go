package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// guard decides who may ask.
type guard struct {
	hosts  []string // names in lower case
	token  *[sha256.Size]byte
	origin *http.CrossOriginProtection
}

func newGuard(o Options) *guard {
	g := &guard{hosts: []string{"localhost"}, origin: http.NewCrossOriginProtection()}
	for _, name := range o.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(name))
	}
	if o.Token != "" {
		sum := sha256.Sum256([]byte(o.Token))
		g.token = &sum
	}
	return g
}

// admit returns an error unless the request may be answered; open ones need no token.
func (g *guard) admit(r *http.Request, open bool) error {
	if !g.knows(r.Host) {
		return refusef(http.StatusMisdirectedRequest,
			"the host %.80q is none that the service listens to; --host adds a name", r.Host)
	}
	if err := g.origin.Check(r); err != nil {
		return refusef(http.StatusForbidden, "a request from another site: %w", err)
	}
	if open || g.token == nil {
		return nil
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(token)))
	if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare(sum[:], g.token[:]) != 1 {
		return refusef(http.StatusUnauthorized, "no token, or a wrong one; want the header Authorization: Bearer TOKEN")
	}
	return nil
}

// knows reports whether a Host header has a name that is known, or an address, which no one can make point elsewhere.
func (g *guard) knows(host string) bool {
	name := host
	if before, _, err := net.SplitHostPort(host); err == nil {
		name = before
	}
	name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return slices.Contains(g.hosts, name)
}

// protect sets the headers that keep browsers from loading anything from elsewhere, from guessing types, and from
// showing the page within another.
func protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "+
		"img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
	h.Set("Cache-Control", "no-store")
}
