package transform

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// MaxTransformations is the largest N of a family: beyond it the N x N matrices and tap tables no
// longer fit a desk.
const MaxTransformations = 1001

// maxDigits bounds the digits of alpha and step, and exponents, so that exact arithmetic stays
// small; the ends of a family need up to two digits more.
const maxDigits = 24

// sample returns the 2k+1 values V_i = centre + half (i - k) / k, i = 0..2k: each the float64
// nearest to the exact rational number (spec/variance.md section 2). It is an error when k < 1, or
// neighbouring values round to the same float64.
func sample(half *big.Rat, k int, centre *big.Rat) ([]float64, error) {
	if k < 1 {
		return nil, errors.New("fewer than 3 transformations")
	}
	if 2*k+1 > MaxTransformations {
		return nil, fmt.Errorf("%d transformations; at most %d are possible", 2*k+1, MaxTransformations)
	}
	values := make([]float64, 2*k+1)
	for i := range values {
		v := new(big.Rat).Mul(half, big.NewRat(int64(i-k), int64(k)))
		values[i], _ = v.Add(v, centre).Float64()
		if i > 0 && !(values[i] > values[i-1]) {
			return nil, fmt.Errorf("the values are not strictly increasing: %g follows %g; use a larger step",
				values[i], values[i-1])
		}
	}
	return values, nil
}

// decimal reads a decimal number exactly: sign, digits, at most one point, at most one exponent.
func decimal(text string) (*big.Rat, error) {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(text), "e")
	digits := strings.TrimLeft(mantissa, "+-")
	whole, fraction, _ := strings.Cut(digits, ".")
	bad := len(mantissa)-len(digits) > 1 || whole+fraction == "" || strings.Trim(whole+fraction, "0123456789") != ""
	if scientific {
		e, err := strconv.Atoi(exponent)
		bad = bad || err != nil || e < -maxDigits || e > maxDigits
	}
	if bad {
		return nil, fmt.Errorf("%q is not a decimal number", text)
	}
	if len(whole)+len(fraction) > 2*maxDigits {
		return nil, fmt.Errorf("%q has more than %d digits", text, 2*maxDigits)
	}
	value, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil, fmt.Errorf("%q is not a decimal number", text)
	}
	return value, nil
}

// decimalText prints a number that has a finite decimal expansion in its shortest form: "0.3",
// "-15".
func decimalText(r *big.Rat) string {
	digits, _ := r.FloatPrec()
	return r.FloatString(digits)
}
