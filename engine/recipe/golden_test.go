package recipe_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

type goldenCase struct {
	Name  string
	Input struct {
		Recipe, Image string
		Source        map[string]json.RawMessage
	}
	Expected struct {
		Shape  []int
		Mean   []float64 `json:"mean_per_channel"`
		At     []int
		Values []float64
	}
}

// TestGoldenRecipes applies the recipes of golden/recipes.json to images of zoo/exports, as their
// text says them and as their source does.
func TestGoldenRecipes(t *testing.T) {
	var file struct{ Cases []goldenCase }
	testdata.OK(t, json.Unmarshal(testdata.Golden(t, "recipes"), &file))
	folder, ok := testdata.Zoo("exports")
	if !ok {
		fmt.Println("zoo exports: absent")
		return
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			data := testdata.Must(os.ReadFile(filepath.Join(folder, filepath.FromSlash(c.Input.Image))))(t)
			img := testdata.Must(suite.Decode(data))(t)
			p := testdata.Must(recipe.Read(c.Input.Recipe))(t)
			c.check(t, "text", p.Recipe, img)
			if source, ok := c.source(t); ok {
				if source.Layout == "" {
					source.Layout = p.Layout
				}
				testdata.Is(t, "source", source.Text(), p.Text())
				c.check(t, "source", source, img)
			}
		})
	}
	fmt.Printf("golden recipes: %d cases\n", len(file.Cases))
}

// source is the recipe that the case's source says; ok is false where there is none or it is for
// information only.
func (c goldenCase) source(t *testing.T) (r recipe.Recipe, ok bool) {
	t.Helper()
	if c.Input.Source["note"] != nil {
		return r, false
	}
	for key, text := range c.Input.Source {
		var said recipe.Said
		var err error
		switch key {
		case "preprocessor_config.json", "config.json":
			said = recipe.FromFile(text)
		case "metadata":
			meta := map[string]string{}
			testdata.OK(t, json.Unmarshal(text, &meta))
			said = recipe.FromMetadata(meta)
		case "named":
			var name string
			testdata.OK(t, json.Unmarshal(text, &name))
			said.Part, err = recipe.Read(name)
		default:
			t.Fatalf("unknown source %s", key)
		}
		testdata.OK(t, errors.Join(err, said.Err, said.ClassErr))
		return said.Recipe, true
	}
	return r, false
}

func (c goldenCase) check(t *testing.T, from string, r recipe.Recipe, img suite.Image) {
	t.Helper()
	shape := c.Expected.Shape
	axes := map[string][3]int{
		"": {0, 1, 2}, "nchw": {0, 1, 2}, "chw": {0, 1, 2}, "nhwc": {2, 0, 1},
		"hwc": {2, 0, 1},
	}[r.Layout]
	if len(shape) == 2 { // gray without an axis of channels
		shape, axes = []int{1, shape[0], shape[1]}, [3]int{0, 1, 2}
	}
	channels, height, width := shape[axes[0]], shape[axes[1]], shape[axes[2]]
	fitted := suite.Fit(img, suite.FittingOf(r, channels, height, width))
	feed := testdata.Must(recipe.NewFeed(r, channels, axes[0] == 2))(t)
	if len(fitted.Pix) != channels*height*width {
		t.Fatalf("%s: %d x %d x %d, want %v", from, fitted.Channels, fitted.Height, fitted.Width, c.Expected.Shape)
	}
	got := make([]float32, len(fitted.Pix))
	feed.Write(got, fitted.Pix)
	recipe.Whole(got, r.Type)
	channel := func(i int) int {
		if axes[0] == 2 {
			return i % channels
		}
		return i / (height * width)
	}
	level := func(channel int) float64 {
		std := 1.
		if len(r.Std) > 0 {
			std = r.Std[min(channel, len(r.Std)-1)]
		}
		return math.Abs(r.Scaled() / 255 / std)
	}
	for k, i := range c.Expected.At {
		if d := math.Abs(float64(got[i]) - c.Expected.Values[k]); d > 1.01*level(channel(i)) {
			t.Errorf("%s: entry %d is %v, want %v: %.2f levels", from, i, got[i], c.Expected.Values[k],
				d/level(channel(i)))
		}
	}
	means := make([]float64, channels)
	for i, v := range got {
		means[channel(i)] += float64(v) / float64(height*width)
	}
	for ch, want := range c.Expected.Mean {
		if d := math.Abs(means[ch] - want); d > 0.25*level(ch) {
			t.Errorf("%s: channel %d has the mean %v, want %v: %.2f levels", from, ch, means[ch], want, d/level(ch))
		}
	}
}
