package transform

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// Parse reads a family: NAME:LO:HI:STEP, then for geometric families ;interpolation=... and
// ;border=... in any order, each at most once. LO must be -HI and HI a whole multiple of STEP;
// scaling also takes factors, symmetric about 1 ("scaling:0.7:1.3:0.02" and "scaling:-0.3:0.3:0.02"
// are the same family). Numbers are decimal text and exact. The error names the text and says what
// is wrong with it: unknown name or option, ends that are not symmetric, a step that does not fit,
// fewer than 3 or an even number of transformations, values that are not strictly increasing, or
// more than MaxTransformations. The name of a transformation set is an error that wraps ErrSet.
// spec/variance.md section 2.
func Parse(text string) (Family, error) {
	f, err := parse(text)
	if err != nil {
		return Family{}, fmt.Errorf("family %q: %w", text, err)
	}
	return f, nil
}

func parse(text string) (Family, error) {
	options := strings.Split(text, ";")
	parts := strings.Split(options[0], ":")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if IsSet(parts[0]) {
		return Family{}, ErrSet
	}
	k, ok := kindOf(parts[0])
	if !ok {
		return Family{}, fmt.Errorf("unknown name %q; known are %s", parts[0], strings.Join(Names(), ", "))
	}
	if len(parts) != 4 {
		return Family{}, fmt.Errorf("write it as NAME:LO:HI:STEP, like %s", k.preset)
	}
	f := Family{name: k.name}
	if k.geometric() {
		f.interpolation, f.border = Bilinear, Zero
	}
	if err := f.setRange(k, parts[1:]); err != nil {
		return Family{}, err
	}
	err := f.setOptions(options[1:])
	return f, err
}

// setRange sets half-width and step count from the texts of lo, hi and step.
func (f *Family) setRange(k kind, texts []string) error {
	var numbers [3]*big.Rat
	for i, t := range texts {
		n, err := decimal(t)
		if err != nil {
			return err
		}
		numbers[i] = n
	}
	lo, hi, step := numbers[0], numbers[1], numbers[2]
	half, err := halfWidth(k, lo, hi)
	if err != nil {
		return err
	}
	if step.Sign() <= 0 {
		return fmt.Errorf("step %s must be above 0", texts[2])
	}
	count, err := steps(half, step)
	if err != nil {
		return err
	}
	if k.limit > 0 && half.Cmp(big.NewRat(k.limit, 1)) >= 0 {
		return fmt.Errorf("range %s..%s is too wide: %s", texts[0], texts[1], k.reason)
	}
	for _, n := range []*big.Rat{half, step} {
		if t := decimalText(n); len(t) > maxDigits {
			return fmt.Errorf("%s has more than %d digits", t, maxDigits)
		}
	}
	f.alpha, f.k = decimalText(half), count
	_, err = sample(half, count, f.centre())
	return err
}

// halfWidth is alpha for lo = -alpha, hi = alpha, or, for scale factors, lo = 1 - alpha, hi = 1 +
// alpha.
func halfWidth(k kind, lo, hi *big.Rat) (*big.Rat, error) {
	if lo.Cmp(hi) >= 0 {
		return nil, fmt.Errorf("the lower end %s must be below the upper end %s: fewer than 3 transformations",
			decimalText(lo), decimalText(hi))
	}
	sum := new(big.Rat).Add(lo, hi)
	switch {
	case sum.Sign() == 0:
		return hi, nil
	case k.factors && sum.Cmp(big.NewRat(2, 1)) == 0:
		return new(big.Rat).Sub(hi, big.NewRat(1, 1)), nil
	case k.factors:
		return nil, fmt.Errorf("the ends %s and %s must lie symmetric about 1 (factors) or about 0 (relative changes)",
			decimalText(lo), decimalText(hi))
	}
	return nil, fmt.Errorf("the ends %s and %s must lie symmetric about 0", decimalText(lo), decimalText(hi))
}

// steps is k = half / step, which must be a whole number: with a centre that is hit, N = 2k+1 is
// odd.
func steps(half, step *big.Rat) (int, error) {
	count := new(big.Rat).Quo(half, step)
	twice := new(big.Rat).Add(count, count)
	switch {
	case count.Cmp(big.NewRat(1, 1)) < 0:
		return 0, fmt.Errorf("step %s is larger than half the range: fewer than 3 transformations around the identity",
			decimalText(step))
	case !count.IsInt() && twice.IsInt():
		return 0, fmt.Errorf("step %s gives an even number of transformations, which misses the identity; %s must be "+
			"a whole multiple of the step", decimalText(step), decimalText(half))
	case !count.IsInt():
		return 0, fmt.Errorf("%s is not a whole multiple of step %s", decimalText(half), decimalText(step))
	case count.Cmp(big.NewRat((MaxTransformations-1)/2, 1)) > 0:
		return 0, fmt.Errorf("step %s gives more than %d transformations", decimalText(step), MaxTransformations)
	}
	return int(count.Num().Int64()), nil
}

func (f *Family) setOptions(options []string) error {
	seen := map[string]bool{}
	for _, option := range options {
		key, value, ok := strings.Cut(option, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key != "interpolation" && key != "border" {
			return fmt.Errorf("unknown option %q; write interpolation=WORD or border=WORD", option)
		}
		if !f.Geometric() {
			return fmt.Errorf("%s changes pixel values only; it has no %s", f.name, key)
		}
		if seen[key] {
			return fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if err := f.setOption(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (f *Family) setOption(key, value string) error {
	if key == "interpolation" {
		if !slices.Contains(Interpolations(), Interpolation(value)) {
			return fmt.Errorf("unknown interpolation %q; known are bilinear, nearest, bicubic", value)
		}
		f.interpolation = Interpolation(value)
		return nil
	}
	if !slices.Contains(Borders(), Border(value)) {
		return fmt.Errorf("unknown border %q; known are zero, edge, reflect", value)
	}
	f.border = Border(value)
	return nil
}
