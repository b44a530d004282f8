// Package figuretest has a figure of every kind, for the tests of what draws them.
package figuretest

import (
	"image"
	"image/color"
	"math"

	"github.com/variscope/variscope/engine/result"
)

// Ramp are colours from black at Low to white at High; beyond the ends they are blue and red.
type Ramp struct{ Low, High float64 }

// Color implements result.Colours.
func (r Ramp) Color(v float64) color.RGBA {
	switch {
	case math.IsNaN(v):
		return color.RGBA{0x80, 0x80, 0x60, 0xff}
	case v < r.Low:
		return color.RGBA{0, 0, 0xff, 0xff}
	case v > r.High:
		return color.RGBA{0xff, 0, 0, 0xff}
	}
	g := uint8(255*(v-r.Low)/(r.High-r.Low) + 0.5)
	return color.RGBA{g, g, g, 0xff}
}

// Ends implements result.Colours.
func (r Ramp) Ends() (low, high float64) { return r.Low, r.High }

// Kinds are small figures by their kind, each with a title.
func Kinds() map[string]result.Figure {
	return map[string]result.Figure{
		"points": points(), "lines": lines(), "bars": bars(), "histogram": histogram(), "cells": cells(),
		"over": over(), "swarm": swarm(), "matrix": Matrix(5), "absent": Absent(5), "field": Field(6),
		"regions": Regions(3, 28, 20), "coefficients": coefficients(), "network": network(), "tree": tree(),
		"pictures": pictures(),
	}
}

// points have all that points can have, and a line and a trend among them.
func points() result.Figure {
	return result.Figure{
		Title: "Accuracy without labels", Note: "12 sets of images", Crossed: "at chance",
		X: result.Axis{Name: "EI", Format: result.Number},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Groups: []result.Group{
			{Name: "in the fit", Look: result.LookInvariant}, {Name: "held back", Look: result.LookNone},
		},
		Points: []result.Point{
			{Name: "m1", ID: "1", X: 0.2, Y: 0.5, Low: 0.4, High: 0.6},
			{Name: "m2", ID: "2", X: 0.9, Y: 0.98, Group: 1, Crossed: true},
			{Name: "m3", X: math.NaN(), Y: 0.5},
		},
		Lines: []result.Line{{Name: "diagonal", X: []float64{0.2, 0.9}, Y: []float64{0.2, 0.9}}},
		Trends: []result.Trend{{
			X: []float64{0.2, 0.9}, Y: []float64{0.5, 0.9}, Low: []float64{0.4, 0.8},
			High: []float64{0.6, 1},
		}},
	}
}

// lines are broken and of one value.
func lines() result.Figure {
	x := []float64{-15, -10, -5, 0, 5, 10, 15}
	return result.Figure{
		Title: "Accuracy under rotation", X: result.Axis{Name: "rotation", Unit: "°", Ticks: x},
		Y: result.Axis{Name: "accuracy", Format: result.Share, High: 1},
		Lines: []result.Line{
			{Name: "accuracy", X: x, Y: []float64{0.8, 0.9, 0.95, 0.97, math.NaN(), 0.9, 0.8}},
			{Name: "robust", X: []float64{-15, 15}, Y: []float64{0.7, 0.7}},
		},
	}
}

// bars begin where others end, with an interval.
func bars() result.Figure {
	f := result.Figure{
		Title: "m01", Note: "rotation", X: result.Axis{Name: "share of variant", Format: result.Number},
		Groups: []result.Group{
			{Name: "base"},
			{Name: "raises it", Look: result.LookVariant},
			{Name: "lowers it", Look: result.LookInvariant},
		},
		Rules: []result.Rule{{X: 0.4, Y0: 0.36, Y1: 0.64}},
	}
	f.AddBar("base", "0.4", "the base", 0, 0.4, 0)
	bar := f.AddBar("max@CONF.svm", "+0.3", "the first", 0.4, 0.7, 1)
	bar.Low, bar.High = 0.65, 0.75
	f.AddBar("mean@CONV-1.dctny with a long name that has to be cut somewhere", "-0.1", "the second", 0.7, 0.6, 2)
	return f
}

func histogram() result.Figure {
	return result.Figure{
		Title: "svm", X: result.Axis{Name: "max@CONF.svm", Format: result.Number},
		Y: result.Axis{Name: "models", Format: result.Count},
		Groups: []result.Group{
			{Name: "invariant", Look: result.LookInvariant}, {Name: "variant", Look: result.LookVariant},
		},
		Boxes: result.Stacked(result.Edges(0, 0.4, 4), [][]int{{2, 0, 0, 4}, {2, 0, 0, 0}}),
		Rules: []result.Rule{{Name: "m07", X: 0.05}},
	}
}

// cells are three records of two models.
func cells() result.Figure {
	f := result.Figure{
		Title: "The hardest images", X: result.Axis{Name: "models by rank", Names: []string{"m1", "m2"}},
		Y:      result.Axis{Name: "images", Names: []string{"#7", "#3", "#9"}},
		Groups: []result.Group{{Name: "right", Look: result.LookInvariant}, {Name: "wrong", Look: result.LookVariant}},
	}
	for k := range 6 {
		cell := result.Cell(k/2, k%2)
		cell.Group, cell.ID = (k/2+k%2)%2, f.Y.Names[k/2]
		f.Boxes = append(f.Boxes, cell)
	}
	return f
}

func over() result.Figure {
	return result.Figure{
		Title: "Distances", X: result.Axis{Name: "semantic distance", Format: result.Number},
		Y: result.Axis{Name: "share", Format: result.Share},
		Groups: []result.Group{
			{Name: "keywords", Look: result.Category(0)}, {Name: "random", Look: result.Category(1)},
		}, Over: true,
		Boxes: []result.Box{
			{X1: 1, Y1: 0.2}, {X0: 1, X1: 2, Y1: 0.1}, {X1: 1, Y1: 0.05, Group: 1}, {X0: 1, X1: 2, Y1: 0.25, Group: 1},
		},
	}
}

func swarm() result.Figure {
	return result.Figure{
		Title: "forest", X: result.Axis{Name: "Shapley value", Low: -1, High: 2},
		Y: result.Axis{Names: []string{"max@CONF.svm"}, Each: true}, Groups: []result.Group{{}},
		Levels: [2]string{"low value", "high value"},
		Points: []result.Point{
			{Name: "a", X: -1},
			{Name: "b", X: 0, Level: 0.2},
			{Name: "c", X: 2, Level: 1},
			{X: math.NaN(), Level: math.NaN()},
		},
	}
}

// Matrix is a variance matrix of n whole values around 0, whose element (i, j) is |i-j|/n.
func Matrix(n int) result.Figure {
	f := result.Figure{
		Title: "model 307", Note: "all images", X: result.Axis{Name: "V_j: rotation", Unit: "°"},
		Y:      result.Axis{Name: "V_i: rotation", Unit: "°"},
		Matrix: &result.Matrix{Rows: n, Columns: n, Colours: Ramp{0, 1}, Value: result.Axis{Name: "max@CONF"}},
	}
	for i := range n {
		f.X.Values = append(f.X.Values, float64(i-n/2))
		for j := range n {
			f.Matrix.Values = append(f.Matrix.Values, math.Abs(float64(i-j))/float64(n))
		}
	}
	f.Y.Values = f.X.Values
	return f
}

// Absent is a matrix that is not there for a reason.
func Absent(n int) result.Figure {
	f := Matrix(n)
	f.Matrix = &result.Matrix{Colours: Ramp{0, 1}, Value: f.Matrix.Value}
	f.Empty = "no second convolution"
	return f
}

// Field is an interpolated matrix whose element (a, b) is (a + 2b) / 3R: it tells its axes apart.
func Field(r int) result.Figure {
	f := result.Figure{
		Title: "max@CONF, I3", Note: "40 targets", X: result.Axis{Name: "semantic distance of image i", High: 1.3},
		Y:      result.Axis{Name: "semantic distance of image j", High: 1.3},
		Matrix: &result.Matrix{Rows: r, Columns: r, Colours: Ramp{0, 0.5}, Value: result.Axis{Name: "max@CONF"}},
	}
	for e := range r * r {
		f.Matrix.Values = append(f.Matrix.Values, float64(e%r+2*(e/r))/float64(3*r))
	}
	return f
}

// Regions are values over n x n regions of an image of black and white columns.
func Regions(n, width, height int) result.Figure {
	under := image.NewGray(image.Rect(0, 0, width, height))
	for k := range under.Pix {
		under.Pix[k] = uint8(255 * (k % width % 2))
	}
	values := make([]float64, n*n)
	for k := range values {
		values[k] = float64(k) / float64(n*n)
	}
	text := func(v float64) string { return result.Number.Say(v, 0) }
	f := result.Regions(n, values, Ramp{0, 1}, under, "share of features", text)
	f.Title = "CM"
	return f
}

// coefficients are a table of numbers with names on both axes.
func coefficients() result.Figure {
	names := []string{"truth", "LaF without optimising", "CRC"}
	return result.Figure{
		Title: "Spearman between rankers, mnist", Note: "10 models, 200 images", X: result.Axis{Names: names},
		Y: result.Axis{Names: names},
		Matrix: &result.Matrix{
			Rows: 3, Columns: 3, Values: []float64{1, 0.926, -0.31, 0.926, 1, -0.004, -0.31, -0.004, math.NaN()},
			Colours: Ramp{-1, 1}, Text: func(v float64) string { return result.Coefficient.Say(v, 2) },
		},
	}
}

// network has links there and back, by hand, and one that steps back.
func network() result.Figure {
	f := result.Figure{
		Title: "What goes together", NoAxes: true, X: result.Axis{High: 1}, Y: result.Axis{High: 1},
		Groups: []result.Group{{Look: result.LookInvariant}},
		Points: []result.Point{
			{Name: "sky: in 90 images", Label: "sky", ID: "sky", X: 0.9, Y: 0.7},
			{Name: "sea: in 40 images", Label: "sea", ID: "sea", X: 0.3, Y: 1, Emphasis: result.Chosen},
			{Name: "lamp: in 10 images", Label: "lamp", ID: "lamp", Y: 0, Emphasis: result.Faint},
			{Name: "sand: in 10 images", Label: "sand", ID: "sand", X: 1, Y: 0, Emphasis: result.Found},
		},
		Links: []result.Link{
			{From: 0, To: 1, Weight: 0.9, Name: "from sky to sea", ID: "0"},
			{From: 1, To: 0, Weight: 0.3, Name: "from sea to sky", ID: "1"},
			{From: 3, To: 1, Weight: 0.6, Name: "from sand to sea", ID: "2", Marked: true},
			{From: 2, To: 0, Weight: 0.2, Name: "from lamp to sky", ID: "3", Emphasis: result.Faint},
		},
	}
	result.Linked(f.Points, []int{90, 40, 10, 10})
	return f
}

// tree has three nodes, the way to the right is strong.
func tree() result.Figure {
	f := result.Figure{
		Title: "decision tree", Note: "3 nodes, depth 1", NoAxes: true, X: result.Axis{High: 2},
		Y: result.Axis{Low: -2},
		Groups: []result.Group{
			{Name: "invariant", Look: result.LookInvariant}, {Name: "variant", Look: result.LookVariant},
		},
		Links: []result.Link{
			{From: 0, To: 1, Weight: 1, Text: "yes"},
			{From: 0, To: 2, Weight: 1, Text: "no", Emphasis: result.Chosen},
		},
	}
	node := func(x, top float64, strong result.Emphasis, lines ...string) {
		f.Boxes = append(f.Boxes, result.Box{
			X0: x - 0.46, X1: x + 0.46, Y0: top - 0.64, Y1: top, Name: lines[0] + ", 6 models", Lines: lines,
			Emphasis: strong,
		})
	}
	node(1, -0.04, result.Chosen, "max@CONF.svm", "≤ 0.02, weight 12")
	node(0.5, -1.04, result.Plain, "invariant", "weight 6")
	node(1.5, -1.04, result.Chosen, "a name that is much too long for the box of a node", "weight 6")
	f.Boxes = append(f.Boxes, result.Box{X0: 1.04, X1: 1.96, Y0: -1.66, Y1: -1.59, Group: 1, Name: f.Boxes[2].Name})
	return f
}

// pictures are a target and two others with frames, one of them wider than high.
func pictures() result.Figure {
	f := result.Figure{
		Title: "dog_00", Note: "selection A", NoAxes: true, X: result.Axis{High: 3}, Y: result.Axis{Low: -1},
		Groups: []result.Group{{}, {Name: "level 0", Colour: color.RGBA{1, 2, 200, 255}}},
	}
	for k := range 3 {
		x, img := float64(k), image.NewGray(image.Rect(0, 0, 8, 8>>(k/2)))
		for i := range img.Pix {
			img.Pix[i] = uint8(40 + 60*k + 40*(i%8/4))
		}
		f.Boxes = append(f.Boxes, result.Box{
			X0: x, X1: x + 1, Y0: -1, Group: min(k, 1), Picture: img, Name: "picture",
			Lines: []string{"tree", "d = 0.25"},
		})
	}
	f.Boxes[0].Emphasis = result.Chosen
	return f
}
