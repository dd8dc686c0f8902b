package catalog

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Site is a place in windows of one length: where letters tell the classes apart more sharply than around it.
type Site struct {
	Place int     // of the letter, from 0
	Sharp float64 // how many standard deviations its G statistic is above that of its neighbours
	Width int     // letters of the windows
}

// Aligned reports whether windows are aligned on the site: of some hundred places that tell the classes apart no more
// than their neighbours, one is as sharp by chance in one of a hundred sets.
func (s Site) Aligned() bool { return s.Sharp >= 3.9 }

// neighbours on either side are what a place is compared with: composition changes along windows, but less quickly.
const neighbours = 8

// SiteOf finds the site of windows whose classes are known ([stringkernel.Corpus.WithClasses]), by the G statistic of
// letters and classes at each place, 2 Σ n log(n/expected), which is χ² distributed where the letter does not matter
// (Sokal & Rohlf 1995, Biometry, chapter 17); where it does, as composition does everywhere, it is noncentral χ² with
// the mean of the neighbours, whose cube root is nearly normal (Sankaran 1959, doi:10.1093/biomet/46.1-2.235). Records
// of other lengths than the first, or of no classes, have none. O(letters).
func SiteOf(c *stringkernel.Corpus, a stringkernel.Alphabet) (site Site) {
	classes := c.Classes()
	if c.Len() == 0 || len(classes) != c.Len() || a == stringkernel.Bytes {
		return site
	}
	length, codes, letters, many := len(c.Seq(0)), a.Codes(), a.Size(), 1+slices.Max(classes)
	counts := make([]float64, length*letters*many)
	for i, class := range classes {
		x := c.Seq(i)
		if len(x) != length {
			return Site{}
		}
		for at, letter := range x {
			if code := int(codes[letter]); code >= 0 {
				counts[(at*letters+code)*many+class]++
			}
		}
	}
	g := make([]float64, length)
	for at := range g {
		g[at] = gStatistic(counts[at*letters*many:][:letters*many], many)
	}
	free := float64((letters - 1) * (many - 1))
	for at := range g {
		around := slices.Concat(g[max(0, at-neighbours):at], g[at+1:min(length, at+1+neighbours)])
		if len(around) == 0 {
			continue
		}
		slices.Sort(around)
		mean := max(free, around[len(around)/2])
		scale := 2 * (mean + mean - free) / (9 * mean * mean) // the variance of ∛(χ²/mean)
		if sharp := (math.Cbrt(g[at]/mean) - 1 + scale) / math.Sqrt(scale); sharp > site.Sharp {
			site = Site{at, sharp, length}
		}
	}
	return site
}

// gStatistic returns 2 Σ n log(n/expected) over the cells of a table, row by row.
func gStatistic(table []float64, columns int) (g float64) {
	rows, sums, all := make([]float64, len(table)/columns), make([]float64, columns), 0.0
	for i, n := range table {
		rows[i/columns] += n
		sums[i%columns] += n
		all += n
	}
	for i, n := range table {
		if n > 0 {
			g += float64(2 * n * math.Log(n*all/(rows[i/columns]*sums[i%columns])))
		}
	}
	return g
}

var (
	sitePattern = regexp.MustCompile(`site([-+][0-9]+)?`)
	partPattern = regexp.MustCompile(`,(from|to)=([0-9]+)|,anycase`)
)

// shortWindow is too short for parts of it.
const shortWindow = 100

// place writes a place into a recipe that has site, site-30 or site+1, say, in from= and to=. It reports whether
// windows are long, aligned, and have all of these; a recipe without them is as it is.
func (s Site) place(recipe string) (placed string, has bool) {
	has = true
	return sitePattern.ReplaceAllStringFunc(recipe, func(text string) string {
		shift, _ := strconv.Atoi(strings.TrimPrefix(text, "site")) // the pattern has digits, or none
		at := s.Place + 1 + shift
		has = has && s.Aligned() && s.Width >= shortWindow && at >= 1 && at <= s.Width
		return strconv.Itoa(at)
	}), has
}

// part takes from a term what says which letters it is on, and returns the share of a record of a length that these
// are.
func part(term string, length int) (whole string, share float64) {
	from, to := 1, length
	for _, p := range partPattern.FindAllStringSubmatch(term, -1) {
		switch n, _ := strconv.Atoi(p[2]); p[1] {
		case "from":
			from = n
		case "to":
			to = n
		}
	}
	return partPattern.ReplaceAllString(term, ""), float64(to-from+1) / float64(max(1, length))
}
