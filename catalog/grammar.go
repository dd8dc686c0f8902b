package catalog

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// grammar reads a formula of kernels:
//
//	sum     = [WEIGHT "*"] product {"+" [WEIGHT "*"] product}
//	product = atom {"*" atom}
//	atom    = (KERNEL | "(" sum ["+" CONSTANT] ")") ["^" DEGREE] [":" parameters]
//
// where parameters stand after parentheses or a power. A plus, an asterisk or a ^ between spaces is an operator, as is
// one at the end after a space, a plus or an asterisk before a kernel or parentheses, and a ^ before a digit; any other
// belongs to the parameters of a kernel, as in a file's name.
type grammar struct {
	text   string
	at     int // the next letter
	start  int // the first letter of the last piece
	depth  int // of parentheses
	starts func(text string) bool
	term   func(text string) (int, error) // the number of a kernel by its text
	// parameters reads what is around parentheses.
	parameters func(text string) (group, error)
}

// mostDepth bounds the parentheses inside of each other.
const mostDepth = 32

// parse reads the whole text.
func (g *grammar) parse() (formula, error) {
	f, constant, err := g.sum()
	switch {
	case err != nil:
		return f, err
	case g.at < len(g.text) && g.text[g.at] == ')':
		return f, fmt.Errorf("the ) at %q closes no (", g.text[g.at:])
	case g.at < len(g.text):
		return f, fmt.Errorf("%q after %q, want +, * or ^ between", g.text[g.at:], strings.TrimRight(g.text[:g.at], " "))
	case constant != 0:
		return f, errConstant
	case f.op == sum && len(f.parts) == 1 && f.weights != nil:
		return f, fmt.Errorf("%s*… is a part of a sum of one kernel, want the kernel alone or a sum, as in 0.3*A + B",
			number(f.weights[0]))
	}
	return f, nil
}

var errConstant = errors.New("a constant stands in a power alone, as in (A + 1)^2: a machine has its bias besides")

// sum reads kernels with weights, and a constant.
func (g *grammar) sum() (formula, float64, error) {
	f, constant, weighted := formula{op: sum}, 0.0, false
	for {
		weight, isConstant, err := g.weight()
		if err != nil {
			return f, 0, err
		}
		if isConstant {
			constant += weight
		} else {
			part, err := g.product()
			if err != nil {
				return f, 0, err
			}
			f.parts, f.weights = append(f.parts, part), append(f.weights, weight)
			weighted = weighted || weight != 1
		}
		if !g.skip('+') {
			break
		}
	}
	switch {
	case len(f.parts) == 0:
		return f, 0, errConstant
	case len(f.parts) == 1 && f.weights[0] == 1 && constant != 0:
		return formula{op: sum, parts: f.parts}, constant, nil // the constant is a share of what is in parentheses
	case len(f.parts) == 1 && f.weights[0] == 1:
		return f.parts[0], 0, nil
	case len(f.parts) > 1 && !weighted:
		f.weights = nil
	}
	return f, constant, nil
}

var numberPattern = regexp.MustCompile(`^-?[0-9.]+([eE][-+]?[0-9]+)?`)

// weight reads a weight, a number followed by an asterisk, or a constant, a number alone; without a number the weight
// is 1.
func (g *grammar) weight() (value float64, constant bool, err error) {
	g.skipSpaces()
	text := numberPattern.FindString(g.text[g.at:])
	if text == "" {
		return 1, false, nil
	}
	if value, err = parseNumber(text); err != nil || value <= 0 {
		return 0, false, fmt.Errorf("%q is no weight, want a number > 0", text)
	}
	g.at += len(text)
	if g.skip('*') {
		return value, false, nil
	}
	if rest := g.text[g.at:]; rest != "" && rest[0] != '+' && rest[0] != ')' {
		return 0, false, fmt.Errorf("%q after the number %s, want * between a weight and its kernel, as in 0.3*A + B",
			rest, text)
	}
	return value, true, nil
}

// product reads kernels with asterisks between them.
func (g *grammar) product() (formula, error) {
	f := formula{op: product}
	for {
		factor, err := g.atom()
		if err != nil {
			return f, err
		}
		f.parts = append(f.parts, factor)
		if !g.skip('*') {
			break
		}
	}
	if len(f.parts) == 1 {
		return f.parts[0], nil
	}
	return f, nil
}

// atom reads a kernel or a formula in parentheses, with a power and what is around it.
func (g *grammar) atom() (formula, error) {
	f, constant, err := g.base()
	if err != nil {
		return f, err
	}
	grouped := g.at > 0 && g.text[g.at-1] == ')'
	if g.skip('^') {
		f = formula{op: power, parts: []formula{f}, constant: constant}
		constant, grouped = 0, true
		if f.degree, err = g.degree(); err != nil {
			return f, err
		}
	}
	if constant != 0 {
		return f, errConstant
	}
	if grouped && g.at < len(g.text) && g.text[g.at] == ':' {
		g.at++
		around, err := g.parameters(g.piece())
		if err != nil {
			return f, err
		}
		f = f.bare()
		f.around = around
	}
	return f, nil
}

// degree reads that of a power.
func (g *grammar) degree() (int, error) {
	g.skipSpaces()
	text := g.text[g.at:]
	if end := strings.IndexAny(text, " :+*)"); end >= 0 {
		text = text[:end]
	}
	g.at += len(text)
	degree, err := strconv.Atoi(text)
	if err != nil || degree < 1 {
		return 0, fmt.Errorf("a power of %q, want an integer of at least 1, as in A^2", text)
	}
	return degree, nil
}

// base reads a kernel or what is in parentheses.
func (g *grammar) base() (formula, float64, error) {
	if !g.skip('(') {
		text := g.piece()
		if err := g.checkKernel(text); err != nil {
			return formula{}, 0, err
		}
		i, err := g.term(text)
		if err != nil && strings.Count(text, ")") > strings.Count(text, "(") {
			err = fmt.Errorf("%w; a ) in it closes no (", err)
		}
		return formula{op: leaf, term: i}, 0, err
	}
	if g.depth++; g.depth > mostDepth {
		return formula{}, 0, fmt.Errorf("more than %d parentheses inside of each other", mostDepth)
	}
	opened := g.at - 1
	f, constant, err := g.sum()
	if err != nil {
		return f, 0, err
	}
	g.depth--
	switch {
	case g.skip(')'):
	case g.at < len(g.text):
		return f, 0, fmt.Errorf("%q after %q, want +, *, ^ or ) between", g.text[g.at:],
			strings.TrimRight(g.text[opened:g.at], " "))
	default:
		return f, 0, fmt.Errorf("a ) is missing, to close %q", g.text[opened:])
	}
	if f.op == sum && len(f.parts) == 1 && f.weights != nil && constant == 0 {
		return f, 0, fmt.Errorf("a weight %s in parentheses of one kernel, want it before a part of a sum",
			number(f.weights[0]))
	}
	return f, constant, nil
}

var (
	functionPattern = regexp.MustCompile(`^([[:alnum:]]+)\(`)
	numberAlone     = regexp.MustCompile(`^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$`)
)

// checkKernel returns an error about a text that is no kernel but may be one of another notation for formulas.
func (g *grammar) checkKernel(text string) error {
	switch called := functionPattern.FindStringSubmatch(text); {
	case text == "" && strings.TrimSpace(g.text[:g.start]) != "":
		return fmt.Errorf("a kernel is missing after %q", g.text[:g.start])
	case text == "" && g.start < len(g.text):
		return fmt.Errorf("a kernel is missing before %q", g.text[g.start:])
	case strings.HasPrefix(text, "pair:"):
		return errPair
	case numberAlone.MatchString(text):
		return fmt.Errorf("the number %s where a kernel should be, want a weight before its kernel, as in 0.3*A + B", text)
	case called != nil && g.starts(called[1]):
		return fmt.Errorf("%s… has its parameters in parentheses, want them after a colon, as in %s:KEY=VALUE", called[0],
			called[1])
	case called != nil:
		return fmt.Errorf("%s…) is no function of kernels, want what is made of one after it, as in (A):exp=1, (A):rbf=0.5, "+
			"(A):normalize or (A)^2", called[0])
	}
	return nil
}

// piece reads up to the next operator: a kernel, or the parameters of parentheses.
func (g *grammar) piece() string {
	g.skipSpaces()
	g.start = g.at
	for g.at < len(g.text) && !g.operates() {
		g.at++
	}
	return strings.TrimRight(g.text[g.start:g.at], " ")
}

// operates reports whether the next letter is an operator.
func (g *grammar) operates() bool {
	rest := g.text[g.at+1:]
	switch g.text[g.at] {
	case ')':
		return g.depth > 0
	case '^':
		return digits(rest) > 0 || g.spaced()
	case '*':
		return g.spaced() || g.startsAtom(rest)
	case '+':
		return g.spaced() || g.startsAtom(rest) || g.startsNumber(rest)
	}
	return false
}

// spaced reports whether the next letter stands between spaces, or at the end after one.
func (g *grammar) spaced() bool {
	return g.at > 0 && g.text[g.at-1] == ' ' && (g.at+1 == len(g.text) || g.text[g.at+1] == ' ')
}

func (g *grammar) startsAtom(rest string) bool {
	rest = strings.TrimLeft(rest, " ")
	return strings.HasPrefix(rest, "(") || g.starts(rest)
}

var weightPattern = regexp.MustCompile(`^ *-?[0-9.]+([eE][-+]?[0-9]+)? *[*)]`)

// startsNumber reports whether a weight or a constant follows the plus that is next, which is not the sign of an
// exponent.
func (g *grammar) startsNumber(rest string) bool {
	exponent := g.at > 1 && strings.ContainsRune("eE", rune(g.text[g.at-1])) && digits(g.text[g.at-2:]) > 0
	return !exponent && weightPattern.MatchString(rest)
}

// skip skips spaces and then a letter, if that is next.
func (g *grammar) skip(letter byte) bool {
	g.skipSpaces()
	if g.at < len(g.text) && g.text[g.at] == letter {
		g.at++
		return true
	}
	return false
}

func (g *grammar) skipSpaces() { g.at = len(g.text) - len(strings.TrimLeft(g.text[g.at:], " ")) }

// digits returns the number of digits at the beginning of a text.
func digits(text string) (n int) {
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}
