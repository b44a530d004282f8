package dscore

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"strconv"

	score "github.com/variscope/variscope/engine/dscore"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/diagnosis"
)

// Single is one image as a model sees it, region by region.
type Single struct {
	Row   Row
	Image diagnosis.Image
	Class func(int) string // names a class of the model
	Spec  signal.Spec      // how the image reaches the model
}

// readSingle reads what there is about one image. It is slow (files).
func readSingle(ctx context.Context, from *store.Workspace, d Row, index int) (one Single, err error) {
	one.Row = d
	if one.Image, err = diagnosis.OneImage(ctx, from, d, index); err != nil {
		return one, err
	}
	manifest, err := from.Suite(d.Suite)
	if err != nil {
		return one, err
	}
	one.Class = classNamer(d.Model, manifest, d.ClassMap)
	sets, err := from.Sets(d.Model.Hash, d.Suite, d.Shift)
	if err != nil {
		return one, err
	}
	for _, info := range sets {
		if info.Key == d.ShiftKey {
			one.Spec = info.Spec
			return one, nil
		}
	}
	return one, fmt.Errorf("model %s: its signals of %s are not there any more; run it again", d.Model.ID, d.Shift)
}

// classNamer names the model's classes: as the suite does where it knows them, else as the model
// does, else by number.
func classNamer(m model.Model, s suite.Manifest, mapping []int) func(class int) string {
	names := map[int]string{}
	if settings, err := m.Settings(); err == nil {
		for class, name := range settings.ClassNames {
			names[class] = name
		}
	}
	for label, name := range s.Classes {
		if class := variance.ClassOf(label, mapping); class >= 0 {
			names[class] = name
		}
	}
	return func(class int) string {
		if name := names[class]; name != "" {
			return name
		}
		return strconv.Itoa(class)
	}
}

// Title is what the image is and what the model says of it.
func (s Single) Title() string {
	text := fmt.Sprintf("image %d", s.Image.Index)
	if s.Image.True {
		text = fmt.Sprintf("%s, labelled %s", text, s.Class(s.Image.Class))
	}
	text = fmt.Sprintf("%s: %s predicts %s", text, s.Row.Model.ID, s.Class(s.Image.Predicted))
	if s.Image.True && s.Image.Predicted != s.Image.Class {
		return fmt.Sprintf("%s; score of %s %s", text, s.Class(s.Image.Class), result.Share.Say(s.Image.Original, 0))
	}
	return fmt.Sprintf("%s, score %s", text, result.Share.Say(s.Image.Original, 0))
}

// distributions are those of the image.
func (s Single) distributions() score.Distributions {
	d := s.Row.Distributions()
	name := fmt.Sprintf("%s, image %d", d.Name, s.Image.Index)
	return score.NewDistributions(name, d.On, d.Grid, s.Image.Features, s.Image.Attention)
}

// imageOf is a picture as files draw it, in gray, since they lay colours over it.
func imageOf(p image.Image) suite.Image {
	size := p.Bounds().Size()
	img := suite.Image{Channels: 1, Height: size.Y, Width: size.X, Pix: make([]float32, 0, size.X*size.Y)}
	for y := range size.Y {
		for x := range size.X {
			gray := color.GrayModel.Convert(p.At(p.Bounds().Min.X+x, p.Bounds().Min.Y+y)).(color.Gray)
			img.Pix = append(img.Pix, float32(gray.Y)/255)
		}
	}
	return img
}
