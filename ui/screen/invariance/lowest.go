package invariance

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	measure "github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/evaluate"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// mostLow is how many images the list of the lowest has.
const mostLow = 60

// lowImages are the images of a row with the lowest EI, with what is needed to show them.
type lowImages struct {
	Of       measure.Measured
	Under    string // name of the only transformation, "" for all
	List     []evaluate.Low
	Identity int
	Guesses  picture.Guesses
	Lens     picture.Lens
}

// findLowest reads the signals of a row image by image. It is slow (files).
func findLowest(
	ctx context.Context, from *store.Workspace, of measure.Measured, under string,
) (l lowImages, err error) {
	l = lowImages{Of: of, Under: under}
	family, err := transform.ParseAny(of.Family)
	if err != nil {
		return l, err
	}
	l.Identity = family.Identity()
	l.List, err = evaluate.Lowest(ctx, from, of.Key, func(transformation int) bool {
		return transformation != l.Identity && (under == "" || under == l.step(transformation))
	}, mostLow)
	if err != nil {
		return l, err
	}
	l.Guesses, l.Lens, err = picture.Said(ctx, from, of.Model, of.Suite, of.Key)
	return l, err
}

// step is the name of a transformation of the row.
func (l lowImages) step(transformation int) string {
	for _, row := range l.Of.Rows {
		if row.Transformation == transformation {
			return row.Name
		}
	}
	return ""
}

// title says what the pictures are.
func (l lowImages) title() string {
	switch {
	case l.Of.Key == "":
		return ""
	case len(l.List) == 0:
		return "no images"
	}
	all := result.Counted(l.Of.Images, "image")
	return fmt.Sprintf("lowest EI first, %s of %s", result.Whole(len(l.List)), all)
}

// pairs are the images before and after the transformation.
func (l lowImages) pairs() []picture.PairOf {
	list := make([]picture.PairOf, len(l.List))
	for k, low := range l.List {
		image, step, ei := fmt.Sprintf("image %d", low.Image), l.step(low.Transformation),
			"EI "+result.Number.Say(low.EI, 0)
		p := picture.PairOf{
			Image: low.Image, Transformations: [2]int{l.Identity, low.Transformation},
			Titles: [2]string{image, step}, Head: ei,
		}
		if js := result.Number.Say(low.JS, 0); js != result.None {
			p.Head += "   JS " + js
		}
		before, after := l.Guesses.Of(l.Identity, low.Image), l.Guesses.Of(low.Transformation, low.Image)
		p.Detail = fmt.Sprintf("%s, %s: %s, %s before and %s after", image, step, ei, before.Text(), after.Text())
		if class := l.Guesses.Class(low.Image); class != "" {
			p.Detail += "; labelled " + class
		}
		list[k] = p
	}
	return list
}

// lowestOptions are the options of the lowest images.
type lowestOptions struct {
	Under string `help:"Transformation under which the images are lowest." source:"steps"`
}

// lowest shows the lowest images of a row before and after the transformation.
type lowest struct {
	*kit.Screen[lowestOptions, lowImages]
	wall  *picture.Pairs
	row   measure.Measured
	shown lowImages
}

func newLowest(s *Screen, host *kit.Host) *lowest {
	p := &lowest{wall: picture.NewPairs(host, picture.Of(s.store))}
	form := &kit.Form[lowestOptions]{Forget: true, Choices: func(string) (list []kit.Option, first string) {
		list = []kit.Option{{Name: "any"}}
		for _, row := range p.row.Rows {
			list = append(list, kit.Option{Key: row.Name, Name: row.Name})
		}
		return list, ""
	}}
	p.Screen = kit.New(kit.Screen[lowestOptions, lowImages]{
		Host: host, Name: "Find the lowest EI", Doing: "looking for the lowest EI…", Key: "invariance.lows",
		Quiet: true, Form: form, Beside: true, Body: p.wall.Object(), Show: p.show, Line: lowImages.title,
		Load: func(o lowestOptions) kit.Work[lowImages] {
			row := p.row
			if row.ID() != p.shown.Of.ID() || o.Under != p.shown.Under { // or they would be taken for this row's
				p.show(lowImages{})
			}
			if row.Key == "" {
				return nil
			}
			return func(ctx context.Context, _ engine.Progress) (lowImages, error) {
				return findLowest(ctx, s.store, row, o.Under)
			}
		},
		OnShown: p.wall.Update, OnHidden: p.wall.Rest, OnClosed: p.wall.Close,
	})
	return p
}

func (p *lowest) show(l lowImages) {
	p.shown = l
	p.wall.Show(l.pairs(), l.Guesses, l.Lens, l.Of.Suite)
}

// of shows the lowest images of a row, under any transformation where it is another row.
func (p *lowest) of(row measure.Measured) {
	if row.ID() == p.row.ID() && row.Key == p.row.Key {
		return
	}
	p.row = row
	if p.Options().Under == "" {
		p.Changed()
	} else {
		p.under("", false)
	}
}

// under shows the lowest images under one transformation, or any where the name is not one.
func (p *lowest) under(name string, ok bool) {
	if !ok || !slices.ContainsFunc(p.row.Rows, func(r measure.Row) bool { return r.Name == name }) {
		name = ""
	}
	if name == p.Options().Under {
		return
	}
	if err := p.Form.Put("under", name); err != nil {
		p.Fail(err)
	}
}
