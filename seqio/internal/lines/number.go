package lines

import (
	"regexp"
	"strconv"
	"strings"
)

// number is a decimal number: sign, digits before and after the point, exponent.
var number = regexp.MustCompile(`^([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?$`)

// mostZeros is how many zeros are written that an exponent could stand for.
const mostZeros = 1000

// mostExponent bounds exponents, so that sums of them are integers.
const mostExponent = 1 << 30

// CanonicalNumber returns the spelling that all decimal numbers of one value share, exact to the last digit, such as 1
// for 1.0, +1 and 10e-1. It reports false for other texts, and for exponents beyond ±2³⁰.
func CanonicalNumber(text string) (canonical string, ok bool) {
	parts := number.FindStringSubmatch(text)
	if parts == nil || parts[2]+parts[3] == "" {
		return "", false
	}
	exponent := 0
	if parts[4] != "" {
		var err error
		if exponent, err = strconv.Atoi(parts[4]); err != nil || exponent > mostExponent || exponent < -mostExponent {
			return "", false
		}
	}
	significant := strings.TrimLeft(parts[2]+parts[3], "0")
	digits := strings.TrimRight(significant, "0")
	if digits == "" {
		return "0", true
	}
	exponent += len(significant) - len(digits) - len(parts[3])
	before := len(digits) + exponent // digits before the point
	sign := strings.TrimPrefix(parts[1], "+")
	switch {
	case exponent > mostZeros || before < -mostZeros:
		return sign + digits + "e" + strconv.Itoa(exponent), true
	case exponent >= 0:
		return sign + digits + strings.Repeat("0", exponent), true
	case before > 0:
		return sign + digits[:before] + "." + digits[before:], true
	}
	return sign + "0." + strings.Repeat("0", -before) + digits, true
}
