package engine

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/suite"
)

// Given is what a model gets of one image: spec/recipe.md section 1, by the code of a run without
// a transformation.
type Given struct {
	Settings model.Settings
	Resized  [2]int      // height and width after the resize, before the crop
	Fitted   suite.Image // values in 0..1 as transformations see them (step 5)
	Input    model.Input // with the sizes of one image: Batch is 1
	Values   []float32   // steps 6 and 7, in the order of the input's axes
}

// Give brings a decoded image of a suite to a model's input. The error says what is not understood
// or does not fit.
func Give(m model.Model, of suite.Manifest, img suite.Image) (g Given, err error) {
	if g.Settings, err = m.Settings(); err != nil {
		return g, err
	}
	in, err := inputSize(PlanInput{Model: m, Suite: of}, g.Settings.Recipe)
	if err == nil {
		err = checkNormalisation(g.Settings.Preprocessing, in.Channels)
	}
	if err != nil {
		return g, fmt.Errorf("model %s: %w", m.ID, err)
	}
	to, feed, err := suite.Inputs(g.Settings.Preprocessing, in.Layout, in.Channels, in.Height, in.Width)
	if err != nil {
		return g, fmt.Errorf("model %s: %w", m.ID, err)
	}
	if g.Fitted, err = fit(img, to); err != nil {
		return g, fmt.Errorf("model %s: the image %w", m.ID, err)
	}
	in.Batch = 1
	g.Input, g.Resized, g.Values = in, to.Resized(img.Height, img.Width), make([]float32, len(g.Fitted.Pix))
	feed.Write(g.Values, g.Fitted.Pix)
	recipe.Whole(g.Values, string(in.Type))
	if in.Type == model.Float16 {
		recipe.Half(g.Values)
	}
	return g, nil
}

// fit brings an image to a model's input size. The error, behind the image's name, says that it
// has another one.
func fit(img suite.Image, to suite.Fitting) (suite.Image, error) {
	img = suite.Fit(img, to)
	if img.Channels != to.Channels || img.Height != to.Height || img.Width != to.Width {
		return img, fmt.Errorf("is %d x %d x %d after fitting in place of %d x %d x %d",
			img.Channels, img.Height, img.Width, to.Channels, to.Height, to.Width)
	}
	return img, nil
}

// Form is the form of what the model gets: "float32 1 x 3 x 224 x 224, nchw".
func (g Given) Form() string {
	sides := make([]string, 0, 4)
	for _, n := range g.Input.Dims() {
		sides = append(sides, fmt.Sprint(n))
	}
	numbers := string(g.Input.Type)
	numbers = cmp.Or(numbers, "float32")
	return fmt.Sprintf("%s %s, %s", numbers, strings.Join(sides, " x "), strings.ToLower(string(g.Input.Layout)))
}

// GivenChannel is one channel of what a model gets, in the model's units.
type GivenChannel struct {
	Name             string // red, green, blue or gray
	Least, Mean, Top float64
	First            []float32 // the first values of its first row
}

// GivenChannels is the table of them.
var GivenChannels = result.Table[GivenChannel]{
	Name: "given", Title: "What the model gets", Noun: "channel", ID: func(c GivenChannel) string { return c.Name },
	Columns: []result.Column[GivenChannel]{
		result.Texts("channel", "channel", "a channel of the input, in its order",
			func(c GivenChannel) string { return c.Name }),
		result.Texts("min", "min", "least value", func(c GivenChannel) string { return short(c.Least) }),
		result.Texts("mean", "mean", "mean of the values", func(c GivenChannel) string { return short(c.Mean) }),
		result.Texts("max", "max", "largest value", func(c GivenChannel) string { return short(c.Top) }),
		result.Texts("first", "first row", "the first values of the first row", func(c GivenChannel) string {
			texts := make([]string, len(c.First))
			for k, v := range c.First {
				texts[k] = short(float64(v))
			}
			return strings.Join(texts, " ")
		}),
	},
}

// short writes a value with four digits.
func short(v float64) string { return result.Digits(v, 4) }

// firstValues is how many values of a row are shown.
const firstValues = 4

// Channels are the channels in the order of the input.
func (g Given) Channels() []GivenChannel {
	n, area := g.Input.Channels, g.Input.Height*g.Input.Width
	names := []string{"red", "green", "blue"}
	switch {
	case n == 1:
		names = []string{"gray"}
	case g.Settings.Recipe.Channels == recipe.BGR:
		names = []string{"blue", "green", "red"}
	}
	list := make([]GivenChannel, n)
	for c := range list {
		at := func(i int) float32 {
			if g.Input.Layout.ChannelsLast() {
				return g.Values[i*n+c]
			}
			return g.Values[c*area+i]
		}
		one := GivenChannel{Name: names[c], Least: float64(at(0)), Top: float64(at(0))}
		for i := range area {
			v := float64(at(i))
			one.Least, one.Top = min(one.Least, v), max(one.Top, v)
			one.Mean += v / float64(area)
			if i < min(firstValues, g.Input.Width) {
				one.First = append(one.First, at(i))
			}
		}
		list[c] = one
	}
	return list
}
