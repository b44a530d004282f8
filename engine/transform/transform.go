// Package transform holds the families of image transformations t_0..t_n over a sampling variable
// V: their text, their exact sampling values, and the tables that apply them to images
// (spec/variance.md section 2, DESIGN.md section 1).
//
// Index order everywhere: transformation i = 0..N-1 has value Values()[i], strictly increasing; i =
// Identity() changes nothing. Images are channels x height x width float32 in [0, 1], row by row,
// before normalisation.
package transform

import (
	"fmt"
	"math/big"
)

// Interpolation is how a geometric family reads between pixels.
type Interpolation string

// The interpolations. Nearest takes the pixel at floor(c + 1/2), so halves go right and down
// (also halves that rounding has moved by less than 1e-9). Bicubic is Keys' kernel
// with a = -0.5; since it overshoots, its result is clipped to [0, 1] as pixels are.
const (
	Nearest  Interpolation = "nearest"
	Bilinear Interpolation = "bilinear"
	Bicubic  Interpolation = "bicubic"
)

// Border is what lies outside the image for a geometric family.
type Border string

// The borders: black, the nearest edge pixel, or the mirrored image without repeating the edge
// pixel.
const (
	Zero    Border = "zero"
	Edge    Border = "edge"
	Reflect Border = "reflect"
)

// Interpolations and Borders return all choices, the default first.
func Interpolations() []Interpolation { return []Interpolation{Bilinear, Nearest, Bicubic} }

// Borders returns all borders, the default first.
func Borders() []Border { return []Border{Zero, Edge, Reflect} }

// Family is a family of N = 2k+1 transformations, or a transformation set (set.go). It is a
// comparable value, made by Parse or ParseAny; equal families have equal canonical texts. The zero
// Family is not usable.
type Family struct {
	name          string
	alpha         string // half-width, shortest decimal text; empty for sets, as the rest
	k             int
	interpolation Interpolation // empty for families that are not geometric
	border        Border
	regions       regions // zero but for shift and mask
	scenes        scenes  // zero but for scenes
}

// Name is the family's name, "rotation", or the set's.
func (f Family) Name() string { return f.name }

// N is the number of transformations, 2k+1, or as many as a set lists: n*n+1 for shift and mask,
// n+1 for scenes.
func (f Family) N() int {
	if f.scenes.n > 0 {
		return f.scenes.n + 1
	}
	if f.regions.n > 0 {
		return f.regions.n*f.regions.n + 1
	}
	if s, ok := setOf(f.name); ok {
		return len(s.steps)
	}
	return 2*f.k + 1
}

// Identity is the index k of the identity; 0 for sets.
func (f Family) Identity() int { return f.k }

// Geometric tells whether interpolation and border belong to the family.
func (f Family) Geometric() bool { return f.interpolation != "" }

// Interpolation is empty for families that are not geometric.
func (f Family) Interpolation() Interpolation { return f.interpolation }

// Border is empty for families that are not geometric.
func (f Family) Border() Border { return f.border }

// Unit is the unit of V on axes: "°", "×", or "" for shares and relative changes.
func (f Family) Unit() string { return f.kind().unit }

// Values returns the N values of the sampling variable in order: degrees, shares, relative changes,
// or, for scaling, factors. Each is the float64 nearest to the exact number. A set has no sampling
// variable and gives nil.
func (f Family) Values() []float64 {
	if f.IsSet() {
		return nil
	}
	values, err := sample(f.half(), f.k, f.centre())
	if err != nil {
		panic("transform: a Family that Parse did not make: " + err.Error())
	}
	return values
}

// With returns the family with another interpolation and border; an empty one stays as it is. It is
// an error for families that have none, and for unknown words.
func (f Family) With(interpolation Interpolation, border Border) (Family, error) {
	if interpolation == "" && border == "" {
		return f, nil
	}
	if f.IsSet() {
		return Family{}, fmt.Errorf("transformation set %s has neither interpolation nor border", f)
	}
	if !f.Geometric() {
		return Family{}, fmt.Errorf("family %s changes pixel values only; "+
			"it has neither interpolation nor border", f.name)
	}
	if interpolation != "" {
		if err := f.setOption("interpolation", string(interpolation)); err != nil {
			return Family{}, err
		}
	}
	if border != "" {
		if err := f.setOption("border", string(border)); err != nil {
			return Family{}, err
		}
	}
	return f, nil
}

// String is the canonical text, part of every key:
// "rotation:-15:15:1;interpolation=bilinear;border=zero". Families that are not geometric end after
// the step; the text of a set is its name, and for shift, mask and scenes the parameters.
func (f Family) String() string {
	switch {
	case f.regions.n > 0:
		return f.name + f.regions.text()
	case f.scenes.n > 0:
		return f.name + f.scenes.text()
	}
	if f.name == "" || f.IsSet() {
		return f.name
	}
	lo, hi := f.ends()
	text := fmt.Sprintf("%s:%s:%s:%s", f.name, lo, hi, decimalText(f.step()))
	if f.Geometric() {
		text += fmt.Sprintf(";interpolation=%s;border=%s", f.interpolation, f.border)
	}
	return text
}

// Short is the text for people: "rotation -15..15°". A step, interpolation or border is named where
// it is not the usual one. A set is its name, with its parameters if it has some: "shift 3x3 t5".
func (f Family) Short() string {
	switch {
	case f.regions.n > 0:
		return f.name + f.regions.short()
	case f.scenes.n > 0:
		return f.name + f.scenes.short()
	}
	if f.name == "" || f.IsSet() {
		return f.name
	}
	lo, hi := f.ends()
	text := fmt.Sprintf("%s %s..%s%s", f.name, lo, hi, f.Unit())
	usual, err := Parse(f.kind().preset)
	if err != nil || usual.step().Cmp(f.step()) != 0 {
		text += " step " + decimalText(f.step())
	}
	if f.interpolation != usual.interpolation {
		text += " " + string(f.interpolation)
	}
	if f.border != usual.border {
		text += " " + string(f.border)
	}
	return text
}

// Words is the text for sentences and forms: "rotation by -15 to 15 degrees, in steps of 1", "shift
// to each of 3 × 3 regions, t = 5". Interpolation and border are named where they are not usual.
func (f Family) Words() string {
	switch s, _ := setOf(f.name); {
	case f.regions.n > 0:
		return f.regions.words()
	case f.scenes.n > 0:
		return f.scenes.words()
	case f.name == "" || s.words != "":
		return s.words
	}
	k, scale := f.kind(), big.NewRat(1, 1)
	if k.percent {
		scale.SetInt64(100)
	}
	said := func(v *big.Rat) string { return decimalText(v.Mul(v, scale)) }
	lo, hi := new(big.Rat).Sub(f.centre(), f.half()), new(big.Rat).Add(f.centre(), f.half())
	text := fmt.Sprintf(k.words, said(lo), said(hi)) + ", in steps of " + said(f.step()) + k.step
	switch f.interpolation {
	case Nearest:
		text += ", nearest pixel"
	case Bicubic:
		text += ", bicubic"
	}
	switch f.border {
	case Edge:
		text += ", edge pixels repeated outside"
	case Reflect:
		text += ", mirrored outside"
	}
	return text
}

// Words are Family.Words of a canonical text; what cannot be read, such as a newer program's, stays
// as it is.
func Words(text string) string {
	f, err := ParseAny(text)
	if err != nil {
		return text
	}
	return f.Words()
}

// MarshalText writes the canonical text.
func (f Family) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads what ParseAny reads; empty text is the zero Family.
func (f *Family) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*f = Family{}
		return nil
	}
	parsed, err := ParseAny(string(text))
	if err == nil {
		*f = parsed
	}
	return err
}

func (f Family) kind() kind {
	k, _ := kindOf(f.name)
	return k
}

func (f Family) half() *big.Rat {
	half, err := decimal(f.alpha)
	if err != nil {
		panic("transform: a Family that Parse did not make: " + err.Error())
	}
	return half
}

func (f Family) centre() *big.Rat {
	if f.kind().factors {
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}

func (f Family) step() *big.Rat {
	return new(big.Rat).Quo(f.half(), big.NewRat(int64(f.k), 1))
}

func (f Family) ends() (lo, hi string) {
	half, centre := f.half(), f.centre()
	return decimalText(new(big.Rat).Sub(centre, half)), decimalText(new(big.Rat).Add(centre, half))
}
