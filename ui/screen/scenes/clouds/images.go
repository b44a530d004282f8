package clouds

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// mostPairs is how many pairs of images an element's list has.
const mostPairs = 60

// element is what was clicked: an element of a matrix or a pixel of a scatter picture.
type element struct {
	evidence *scenes.Evidence
	measure  scenes.Measure
	drawn    []int
	cloud    scatter.Cloud
	title    string // of the tile
	at       scatter.Element
	x, y     float64 // its distances
}

// behind are the pairs of images that make an element, with what is needed to show and name them.
type behind struct {
	element
	makers      scatter.Makers
	guesses     picture.Guesses
	lens        picture.Lens
	targets     suite.Manifest
	backgrounds suite.Manifest
}

// find looks for the pairs behind an element. It is slow (files).
func find(ctx context.Context, ws *store.Workspace, e element, near bool) (b behind, err error) {
	b = behind{element: e}
	if b.makers, err = e.cloud.Makers(ctx, e.at, near, mostPairs); err != nil {
		return b, err
	}
	selection := e.evidence.Selection
	if b.guesses, b.lens, err = picture.Said(ctx, ws, e.evidence.Model, selection.Targets,
		e.evidence.Set.Key); err != nil {
		return b, err
	}
	if b.targets, err = ws.Suite(selection.Targets); err != nil {
		return b, err
	}
	b.backgrounds, err = ws.Suite(selection.Backgrounds)
	return b, err
}

// target is the number of a maker's target in its suite.
func (b behind) target(m scatter.Maker) int { return b.drawn[m.Target] }

// headline is the line over the pairs.
func (b behind) headline() string {
	where := fmt.Sprintf("%s at %s, %s", b.title, result.Number.Say(b.x, 0), result.Number.Say(b.y, 0))
	switch {
	case len(b.makers.List) == 0:
		return fmt.Sprintf("%s: no points", where)
	case b.makers.Lone:
		return fmt.Sprintf("%s: no points in its circle; the nearest pairs", where)
	}
	return fmt.Sprintf("%s: %s", where, result.Counted(b.makers.Points, "point"))
}

// pairs are the makers of the element, with the value and its part of the element over each.
func (b behind) pairs() []picture.PairOf {
	list := make([]picture.PairOf, len(b.makers.List))
	for k, m := range b.makers.List {
		t := b.target(m)
		list[k] = picture.PairOf{
			Image: t, Transformations: [2]int{m.I, m.J}, Titles: [2]string{b.image(t, m.I), b.image(t, m.J)},
			Detail: b.detail(k), Head: fmt.Sprintf("dif %s   %s", result.Number.Say(m.Value, 0),
				result.Share.Say(m.Share, 0)),
		}
	}
	return list
}

// image names image j of a target: the target itself, or its scene with the distance.
func (b behind) image(target, j int) string {
	if j == 0 {
		return "target"
	}
	return fmt.Sprintf("%d at %s", j, result.Number.Say(b.evidence.Selection.Selection.Chosen[target][j-1].Distance, 0))
}

// detail says everything about a pair.
func (b behind) detail(k int) string {
	m := b.makers.List[k]
	t := b.target(m)
	half := func(j int) string {
		text := "the target itself"
		if j > 0 {
			scene := b.evidence.Selection.Selection.Chosen[t][j-1]
			text = fmt.Sprintf("scene %d (%s, distance %s)", j, path.Base(b.backgrounds.ImageName(scene.Background)),
				result.Number.Say(scene.Distance, 0))
		}
		return fmt.Sprintf("%s: %s", text, b.guesses.Of(j, t).Text())
	}
	return fmt.Sprintf("%s, %s; %s; %s differs by %s, %s of the element", b.targets.ImageName(t), half(m.I), half(m.J),
		b.measure, result.Number.Say(m.Value, 0),
		result.Share.Say(m.Share, 0))
}

// pairOrder says which pairs come first.
type pairOrder struct {
	Order string `help:"Which pairs of images come first." enum:"contribution,near" default:"contribution"`
}

// imagesPane lists the pairs of images that make the element that was clicked.
type imagesPane struct {
	*kit.Screen[pairOrder, behind]
	wall  *picture.Pairs
	asked *element // nil for none
}

func newImagesPane(p *Page) *imagesPane {
	i := &imagesPane{wall: picture.NewPairs(p.Host, picture.Of(p.site.Workspace))}
	i.Screen = kit.New(kit.Screen[pairOrder, behind]{
		Host: p.Host, Name: "Find the pairs behind an element", Doing: "Finding the pairs behind the element…",
		Key: "scenes.matrices.images",
		Load: func(o pairOrder) kit.Work[behind] {
			if i.asked == nil {
				return nil
			}
			e := *i.asked
			return func(ctx context.Context, _ engine.Progress) (behind, error) {
				return find(ctx, p.site.Workspace, e, o.Order == "near")
			}
		},
		Form: &kit.Form[pairOrder]{Named: func(_, choice string) string {
			return map[string]string{"contribution": "by contribution", "near": "nearest first"}[choice]
		}},
		Body: i.wall.Object(),
		Empty: func(b behind) (kit.Empty, bool) {
			return kit.Empty{Text: "Click an element of a matrix or a point: " +
				"the pairs of images that make it stand here."}, b.evidence == nil
		},
		Show:  func(b behind) { i.wall.Show(b.pairs(), b.guesses, b.lens, "") },
		Below: true, Line: behind.headline, Keys: func() { p.list.Focus() },
		OnShown: func() { i.wall.Update() }, OnHidden: func() { i.wall.Rest() }, OnClosed: func() { i.wall.Close() },
	})
	return i
}

// look shows the pairs behind an element, nil for none.
func (i *imagesPane) look(e *element) {
	i.asked = e
	i.Changed()
}

// follow forgets an element of models that are no longer shown.
func (i *imagesPane) follow(list []*scenes.Evidence) {
	if i.asked != nil && !slices.Contains(list, i.asked.evidence) {
		i.look(nil)
	}
}
