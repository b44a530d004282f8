package engine

import (
	"fmt"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
)

// View makes the pictures that a model sees of an image under a family or transformation set, by
// the same code as a run. It is immutable and safe for many goroutines.
type View struct {
	tables *unitRunner // without a runner: its prepared tables and factors
}

// NewView prepares a view for a spec's input size, preprocessing and family. Only these parts of
// the spec are read. A set of scenes is an error: its pictures need masks and scenes, which a
// Composer has.
func NewView(s signal.Spec) (*View, error) {
	family, err := transform.ParseAny(s.Family)
	if err != nil {
		return nil, err
	}
	if _, _, ok := family.Scened(); ok {
		return nil, fmt.Errorf("the pictures of %s need masks and scenes; look at them through their selection",
			family.Short())
	}
	if s.Channels < 1 {
		return nil, fmt.Errorf("an input of %d channels shows no picture; the input needs 1 or 3", s.Channels)
	}
	r, err := forImages(Task{Spec: s}, family)
	if err != nil {
		return nil, err
	}
	plan, err := r.tables.plan()
	if err != nil {
		return nil, err
	}
	return &View{tables: &unitRunner{Prepared: r, plan: plan}}, nil
}

// Fit brings a decoded image to the model's input, before any transformation. One that the recipe
// makes another size of, which a run refuses, is black.
func (v *View) Fit(img suite.Image) suite.Image {
	fitted, err := fit(img, v.tables.fitting)
	if err != nil {
		to := v.tables.fitting
		return suite.Image{
			Channels: to.Channels, Height: to.Height, Width: to.Width,
			Pix: make([]float32, to.Channels*to.Height*to.Width),
		}
	}
	return fitted
}

// Transform is a fitted image under transformation i: the pixels before normalisation.
func (v *View) Transform(fitted suite.Image, i int) suite.Image {
	out := fitted
	out.Pix = make([]float32, len(fitted.Pix))
	v.tables.plan.Apply(out.Pix, fitted.Pix, fitted.Channels, i)
	return out
}

// Normalise is what enters the network for a transformed image, channel by channel. Its values lie
// in Span.
func (v *View) Normalise(transformed suite.Image) suite.Image {
	out := transformed
	out.Pix = make([]float32, len(transformed.Pix))
	v.tables.feed.Write(out.Pix, transformed.Pix)
	return out
}

// Span is the least and the largest value that enters the network for pixels in [0, 1], over all
// channels.
func (v *View) Span() (low, high float32) { return v.tables.feed.Span() }

// Spread maps normalised values from Span to [0, 1], to be drawn: the same grey means the same
// number in every channel and under every transformation.
func (v *View) Spread(normalised suite.Image) suite.Image {
	low, high := v.Span()
	out := normalised
	out.Pix = make([]float32, len(normalised.Pix))
	for k, x := range normalised.Pix {
		out.Pix[k] = (x - low) / (high - low)
	}
	return out
}

// ViewSpec is the spec of a view where there are no signals yet: the model's own input size, the
// suite's where the model's is open, and the family. The error says what is not known.
func ViewSpec(m model.Model, s suite.Manifest, family string) (signal.Spec, error) {
	settings, err := m.Settings()
	if err != nil {
		return signal.Spec{}, err
	}
	in := sizedBy(m.Graph.Input, settings.Recipe, s)
	spec := signal.Spec{
		Model: m.Hash, Source: s.Hash, Decoding: s.Decoding(), Images: s.Images, Family: family,
		Preprocessing: settings.Preprocessing, Channels: in.Channels, Height: in.Height, Width: in.Width,
	}
	if min(spec.Channels, spec.Height, spec.Width) == 0 {
		return spec, fmt.Errorf("model %s takes any size and the images of suite %s have several; "+
			"its input cannot be shown", m.ID, s.Name)
	}
	return spec, nil
}
