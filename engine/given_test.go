package engine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// TestGiveIsWhatARunFeeds: the same bits as in the input of a run's inference without a
// transformation.
func TestGiveIsWhatARunFeeds(t *testing.T) {
	b := newTestBench(t, 9)
	s := b.task.Spec
	in := b.task.Feed.Input
	in.Batch = 0
	m := model.Model{
		ID: "m", Graph: model.Graph{Input: in, Outputs: []model.Output{{Name: "o", Classes: 3}}},
		Correction: model.Correction{
			Mean: s.Preprocessing.Mean, Std: s.Preprocessing.Std, Resize: s.Preprocessing.Resize,
			Recipe: s.Preprocessing.Recipe,
		},
	}
	p := part{count: 9}
	testdata.OK(t, b.load(p, func() error { return nil }))
	testdata.OK(t, b.fill(b.family.Identity(), p))
	for k := range 9 {
		img := testdata.Must(b.source.Image(k))(t)
		g := testdata.Must(Give(m, suite.Manifest{Name: "s", Shape: [3]int{s.Channels, s.Height, s.Width}}, img))(t)
		testdata.Equal(t, fmt.Sprintf("image %d", k), g.Values, b.runner.Input()[k*b.size:(k+1)*b.size])
	}
}

func TestGiveSaysFormAndChannels(t *testing.T) {
	m := model.Model{ID: "m", Graph: model.Graph{
		Input:   model.Input{Layout: model.NHWC, Type: model.Uint8, Channels: 3, Height: 2, Width: 2},
		Outputs: []model.Output{{Name: "o", Classes: 3}},
	}, Correction: model.Correction{Recipe: "resize=shorter:2;crop=center:2x2;channels=bgr"}}
	img := suite.Image{Channels: 3, Height: 2, Width: 4, Pix: make([]float32, 24)} // red is 0
	for k := range 8 {
		img.Pix[8+k], img.Pix[16+k] = float32(k)/8, 1
	}
	g := testdata.Must(Give(m, suite.Manifest{}, img))(t)
	if g.Form() != "uint8 1 x 2 x 2 x 3, nhwc" || g.Resized != [2]int{2, 4} || g.Fitted.Width != 2 {
		t.Errorf("%s, %v", g.Form(), g.Resized)
	}
	// Columns 1 and 2 of each row are left, rounded to whole levels: 1/8 is 32, 2/8 is 64, 5/8 is
	// 159, 6/8 is 191.
	list := g.Channels()
	if c := list[0]; c.Name != "blue" || c.Least != 255 || c.Top != 255 {
		t.Errorf("%+v", c)
	}
	if c := list[1]; c.Name != "green" || c.Least != 32 || c.Top != 191 || math.Abs(c.Mean-(32+64+159+191)/4.) > 1e-9 ||
		!slices.Equal(c.First, []float32{32, 64}) {
		t.Errorf("%+v", c)
	}
	if c := list[2]; c.Name != "red" || c.Top != 0 {
		t.Errorf("%+v", c)
	}
	var text strings.Builder
	if err := GivenChannels.Sheet(list).Text(&text); err != nil ||
		!strings.Contains(text.String(), "green    32   111.5  191  32 64") {
		t.Errorf("%v\n%s", err, text.String())
	}
	m.Correction.Recipe = "resize=none"
	testdata.Refused(t, "another size", testdata.Err(Give(m, suite.Manifest{}, img)),
		"the image is 3 x 2 x 4 after fitting in place of 3 x 2 x 2")
	m.Correction.Recipe = "resize=sideways"
	testdata.Refused(t, "no recipe", testdata.Err(Give(m, suite.Manifest{}, img)), "resize=sideways: it is none of")
}
