package exchange

import "github.com/variscope/variscope/engine/assess"

// linear is the graph of a regression: normalisation in float64, a LinearRegressor in float32, and
// the number of thresholds that its value reaches.
func (g *graph) linear(l *assess.Linear, classes int) {
	normalise := g.unitRows
	if l.ZScores {
		normalise = func() string { return g.zScores(l) }
	}
	normal := normalise()
	g.apply("Cast", "normal_float", []string{normal}, attrInt("to", float32Type))
	g.node(learning, "LinearRegressor", []string{"normal_float"}, []string{Scores},
		attrFloats("coefficients", l.Coefficients), attrFloats("intercepts", []float64{l.Intercept}),
		attrInt("targets", 1), attrText("post_transform", "NONE"))
	g.constant("thresholds", floats("thresholds", thresholds(classes), 1, int64(classes-1)))
	g.constant("last", integers("last", []int64{1}, 1))
	g.apply("GreaterOrEqual", "reached", []string{Scores, "thresholds"})
	g.apply("Cast", "reached_number", []string{"reached"}, attrInt("to", int64Type))
	g.apply("ReduceSum", Label, []string{"reached_number", "last"}, attrInt("keepdims", 0))
	g.outputs = append(g.outputs, value(Label, int64Type, -1), value(Scores, float32Type, -1, 1))
}

// thresholds lie half-way between the classes' positions 0, 1/(K-1), ..., 1.
func thresholds(classes int) []float64 {
	list := make([]float64, classes-1)
	for k := range list {
		list[k] = (float64(k) + 0.5) / float64(classes-1)
	}
	return list
}

// unitRows divides each row by its length; a row of zeros is divided by 1.
func (g *graph) unitRows() string {
	g.constant("zero", doubles("zero", []float64{0}, 1))
	g.apply("ReduceSumSquare", "squares", []string{Input}, attrInts("axes", []int64{1}), attrInt("keepdims", 1))
	g.apply("Sqrt", "length", []string{"squares"})
	g.apply("Equal", "is_zero", []string{"length", "zero"})
	g.apply("Cast", "one_for_zero", []string{"is_zero"}, attrInt("to", float64Type))
	g.apply("Add", "divisor", []string{"length", "one_for_zero"})
	return g.apply("Div", "normal", []string{Input, "divisor"})
}

// zScores subtracts the columns' means and divides by their deviations.
func (g *graph) zScores(l *assess.Linear) string {
	width := int64(len(l.Mean))
	g.constant("mean", doubles("mean", l.Mean, 1, width))
	g.constant("std", doubles("std", l.Std, 1, width))
	g.apply("Sub", "centred", []string{Input, "mean"})
	return g.apply("Div", "normal", []string{"centred", "std"})
}
