package assess

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
)

// Part is what one column adds to an output.
type Part struct {
	Name  string  // "max@CONF.svm"; of ByModality "max@CONF"
	Value float64 // of the column; 0 in ByModality
	Phi   float64
}

// What an explained output is: Explanation.Unit, Summary.Unit.
const (
	UnitShare      = "share of trees' leaves"
	UnitDecision   = "decision value"
	UnitRegression = "regression value"
)

// Explanation splits an assessor's output for one model into the parts of the columns: Base + sum
// of Phi = Output to 1e-10.
type Explanation struct {
	Class label.Value // whose output it is
	// Unit says what the output is: "share of trees' leaves", "decision value", "regression value".
	Unit         string
	Base, Output float64
	Parts        []Part // in the order of the columns
}

// errNoColumns is why the baseline is not explained.
var errNoColumns = errors.New("the baseline judges by one score and looks at no columns; explain a tree, a forest, " +
	"AdaBoost or the regression")

// Explain computes exact Shapley values of the class's output at x (spec/assessors.md, TreeSHAP;
// linear closed form): of a tree or forest its share, of AdaBoost its decision value. A regression
// has one value, which grows with variance: its class is the last, whichever was asked for. The
// baseline has no columns to explain; the error says so. Other errors: as many numbers as columns
// are needed, they must be finite, and the class must be one of the assessor's.
func (a *Assessor) Explain(x []float64, class int) (Explanation, error) {
	if err := a.explainable(class); err != nil {
		return Explanation{}, err
	}
	o, err := a.outputAt(x, class)
	if err != nil {
		return Explanation{}, fmt.Errorf("explain: %w", err)
	}
	e := Explanation{
		Class: a.explained(class), Unit: a.unit(), Base: o.base, Output: o.value, Parts: make([]Part, len(x)),
	}
	for c, phi := range o.phi {
		e.Parts[c] = Part{Name: a.Names[c], Value: x[c], Phi: phi}
	}
	return e, nil
}

func (a *Assessor) explainable(class int) error {
	switch {
	case a.Threshold != nil:
		return errNoColumns
	case class < 0 || class >= len(a.Classes):
		return fmt.Errorf("explain class %d: the assessor has classes 0..%d", class, len(a.Classes)-1)
	case a.unit() == "":
		return errors.New("the assessor has learned nothing that could be explained; train it or open a saved one")
	}
	return nil
}

// explained is the class whose output is explained when one asks for class.
func (a *Assessor) explained(class int) label.Value {
	if a.Linear != nil {
		class = len(a.Classes) - 1
	}
	return a.Classes[class]
}

func (a *Assessor) unit() string {
	switch {
	case a.Tree != nil, a.Forest != nil:
		return UnitShare
	case a.Boost != nil:
		return UnitDecision
	case a.Linear != nil:
		return UnitRegression
	}
	return ""
}

// output is an explained output: base + sum of phi = value.
type output struct {
	base, value float64
	phi         []float64 // by column
}

// outputAt explains the output at x of an assessor that is explainable.
func (a *Assessor) outputAt(x []float64, class int) (o output, err error) {
	if len(x) != len(a.Names) {
		return o, fmt.Errorf("%d features, not %d; measure the model with the assessor's matrices", len(x),
			len(a.Names))
	}
	for c, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return o, fmt.Errorf("feature %s is %v; it must be a finite number", a.Names[c], v)
		}
	}
	switch {
	case a.Tree != nil:
		o.phi = make([]float64, len(x))
		o.base = a.Tree.Explain(x,
			func(leaf int) float64 { return a.Tree.Counts[leaf][class] / a.Tree.Cover[leaf] }, o.phi)
		o.value = a.Tree.Shares(x)[class]
	case a.Forest != nil:
		o.base, o.phi = a.Forest.Explain(x, class)
		o.value = a.Forest.Shares(x)[class]
	case a.Boost != nil:
		o.base, o.phi = a.Boost.Explain(x, class)
		o.value = a.Boost.Decision(x)[class]
	default:
		return a.Linear.outputAt(x)
	}
	return o, nil
}

// outputAt explains a regression: phi_f = b_f (z_f - centre_f), where z is x as the regression sees
// it.
func (l *Linear) outputAt(x []float64) (o output, err error) {
	o.phi = l.normal(make([]float64, len(x)), x)
	floats.Sub(o.phi, l.Centre)
	floats.Mul(o.phi, l.Coefficients)
	o.base = l.Intercept + floats.Dot(l.Coefficients, l.Centre)
	o.value = l.Value(x)
	if sum := o.base + floats.Sum(o.phi); math.IsNaN(sum) || math.IsInf(sum, 0) {
		return o, errors.New("the features are too large to be summed; measure the model anew")
	}
	return o, nil
}

// Strongest are the k parts with the largest |Phi|, zeros left out, the lower column first among
// equals.
func (e Explanation) Strongest(k int) []Part {
	parts := slices.DeleteFunc(slices.Clone(e.Parts), func(p Part) bool { return p.Phi == 0 })
	strongestFirst(parts)
	return parts[:min(max(k, 0), len(parts))]
}

// ByModality sums the parts of each matrix, largest |Phi| first: the matrices that matter. A column
// that is no feature of a matrix is a group by itself, under its own name.
func (e Explanation) ByModality() []Part {
	var groups []Part
	place := map[string]int{}
	for _, p := range e.Parts {
		name, ok := feature.MatrixOf(p.Name)
		if !ok {
			name = p.Name
		}
		k, known := place[name]
		if !known {
			k = len(groups)
			place[name] = k
			groups = append(groups, Part{Name: name})
		}
		groups[k].Phi += p.Phi
	}
	strongestFirst(groups)
	return groups
}

func strongestFirst(parts []Part) {
	slices.SortStableFunc(parts, func(a, b Part) int { return cmp.Compare(math.Abs(b.Phi), math.Abs(a.Phi)) })
}
