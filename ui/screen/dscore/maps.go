package dscore

import (
	"math"
	"slices"

	"github.com/variscope/variscope/engine/render"
)

// The three maps, in the order in which they stand side by side.
const (
	features = iota
	attention
	difference
	mapKinds // their number
)

// Maps are the distributions of one model over n x n regions, in percent: features, attention, and
// features minus attention.
type Maps struct {
	Name   string // of the model, and of the image where it is about one
	N      int
	Values [mapKinds][]float64
	Scales [mapKinds]render.Scale
}

// mapTitle is the heading of a map.
func mapTitle(kind int) string {
	return [mapKinds]string{"Features", "Attention", "Features − attention"}[kind]
}

// mapLegend names the values of a map.
func mapLegend(kind int) string {
	return [mapKinds]string{"share of the features, %", "share of the attention, %", "features minus attention, points"}[kind]
}

// mapKey names a map in files.
func mapKey(kind int) string { return [mapKinds]string{"features", "attention", "difference"}[kind] }

// newMaps makes the maps of two distributions; setScales colours them.
func newMaps(name string, n int, feature, attend []float64) Maps {
	m := Maps{Name: name, N: n}
	m.Values[features], m.Values[attention] = percent(feature), percent(attend)
	m.Values[difference] = make([]float64, min(len(feature), len(attend)))
	for k := range m.Values[difference] {
		m.Values[difference][k] = 100 * (feature[k] - attend[k])
	}
	return m
}

// percent are shares in percent.
func percent(shares []float64) []float64 {
	list := make([]float64, len(shares))
	for k, v := range shares {
		list[k] = 100 * v
	}
	return list
}

// setScales gives maps the same colours: shares from 0 to the largest of all, rounded up, and
// differences as far to both sides as the largest goes.
func setScales(list []Maps, colours *render.Map) {
	var shares, signed float64
	for _, m := range list {
		shares = max(shares, largest(m.Values[features]), largest(m.Values[attention]))
		signed = max(signed, largest(m.Values[difference]))
	}
	shares, signed = ceiling(shares), ceiling(signed)
	for k := range list {
		scale := render.Scale{High: shares, Map: colours}
		list[k].Scales = [mapKinds]render.Scale{features: scale, attention: scale, difference: {Low: -signed, High: signed, Map: &render.Diverging}}
	}
}

// largest is the largest magnitude of numbers; what is no number does not count.
func largest(list []float64) (most float64) {
	for _, v := range list {
		if !math.IsNaN(v) {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// steps are the ends that a scale may have, times powers of ten: few enough that scales of
// different models are often the same.
var steps = []float64{1, 1.5, 2, 3, 4, 5, 6, 8, 10}

// ceiling rounds the end of a scale up; it is at least 1 percent.
func ceiling(v float64) float64 {
	const least, slack = 1, 1 - 1e-9
	v = max(v, least)
	power := math.Pow(10, math.Floor(math.Log10(v)))
	at := slices.IndexFunc(steps, func(s float64) bool { return s*power >= v*slack })
	if at < 0 {
		at = len(steps) - 1
	}
	return steps[at] * power
}

// mapText writes the number in a cell of a map over n x n regions.
func mapText(kind, n int) func(v float64) string {
	const fine = 4 // with more regions there is no room for decimals
	digits := 1
	if n > fine {
		digits = 0
	}
	return func(v float64) string {
		text := decimals(v, digits)
		if kind == difference && v > 0 && text[0] != '<' && text != decimals(0, digits) {
			return "+" + text
		}
		return text
	}
}
