// Package element shows all that there is about one element of a matrix: how large it is and may be
// with other images, which images make it, how their differences are distributed, both signals of
// each, and the numbers as a table.
package element

import (
	"context"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store/matrixfile"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// resampling is how the interval of an element is found: that of the command matrix with the usual
// seed.
var resampling = variance.Bootstrap{Resamples: 1000, Seed: 1}

// Answer is what makes an element, or the reason why there is nothing to tell.
type Answer struct {
	variance.Element
	subject pane.Subject
	reason  error
}

// Find explains the element in focus of a subject. It takes milliseconds for its images and longer
// for its interval.
func Find(ctx context.Context, s pane.Subject) (Answer, error) {
	a := Answer{subject: s}
	m, err := signal.ParseModality(s.Focus.Modality)
	switch {
	case s.Set == nil && s.Evidence.State != "":
		a.reason = errors.New(s.Evidence.State)
	case s.Set == nil:
		a.reason = errors.New("no signals for this suite and family yet; run the model")
	case len(s.Chosen) == 0:
		a.reason = errors.New("no images left; choose a wider filter or include images again")
	case !s.Focus.Cell() || max(s.Focus.I, s.Focus.J) >= s.Set.Transformations:
		a.reason = errors.New("click an element of a matrix to see which images make it")
	case err != nil:
		a.reason = err
	}
	if a.reason != nil {
		return a, nil
	}
	at := [2]int{s.Focus.I, s.Focus.J}
	a.Element, err = variance.ElementOf(ctx, s.Set, m, s.Chosen, at,
		matrixfile.Known(s.Suite, s.Set, s.Mapping), resampling)
	if ctx.Err() != nil {
		return a, ctx.Err()
	}
	if a.reason = err; err != nil {
		return a, nil
	}
	s.Named(&a.Element, s.Focus.Modality, at)
	return a, nil
}

// largest is the focus on the largest element of the matrix in focus, false where there is no
// matrix.
func largest(s pane.Subject) (f pane.Focus, ok bool) {
	for _, t := range s.Evidence.Tiles {
		if t.Modality != s.Focus.Modality || t.Absent() {
			continue
		}
		f = pane.Focus{Modality: t.Modality, I: s.First, J: s.First}
		most := 0.0
		for i := range t.Matrix.N {
			for j := range i {
				if v := t.Matrix.At(i, j); v > most {
					most, f.I, f.J = v, s.First+i, s.First+j
				}
			}
		}
		return f, true
	}
	return f, false
}

// Pane is the tab. All methods are called on the main goroutine.
type Pane struct {
	pane.Tab
	site               pane.Site
	page               *kit.Screen[struct{}, Answer]
	about              *evidence.Under
	histogram, scatter *kit.Figure
	pairs              *kit.Records[variance.Pair]
	follow             func(image int)
}

// leastPart is the least width of a figure or the table beside others.
const leastPart = 240

// New makes the tab. The matrices stay in sight, to click the next element. follow hears which
// image is chosen, preview shows one under the whole family.
func New(site pane.Site, follow, preview func(image int)) *Pane {
	p := &Pane{site: site, follow: follow}
	figure := func(name string) *kit.Figure {
		return &kit.Figure{Host: site.Host, Keys: site.Keys, Name: func() []string {
			a := p.answer()
			return []string{a.Model, a.Modality, name, a.At(0), a.At(1)}
		}}
	}
	p.histogram, p.scatter = figure("differences"), figure("signals")
	p.scatter.OnTap = func(id string) {
		p.pairs.Select(id)
		p.chosen()
	}
	p.pairs = &kit.Records[variance.Pair]{
		Host: site.Host, Keys: site.Keys, Table: variance.Pairs.Place(result.FileOnly, "model_id", "matrix", "V_i",
			"V_j"),
		OnSelect: func(variance.Pair, bool) { p.chosen() }, OnOpen: func(one variance.Pair) { preview(one.Image) },
		Command: func() string { return p.answer().subject.Pairs() },
	}
	p.about = evidence.NewUnder(evidence.Flow(leastPart, p.histogram.Object(), p.scatter.Object(), p.pairs.Object()))
	p.page = kit.New(kit.Screen[struct{}, Answer]{
		Host: site.Host, Key: "inspect.Element", Name: "Explain an element", Doing: "Explaining the element…",
		Quiet: true, Paced: true,
		Load: func(struct{}) kit.Work[Answer] {
			s := site.Screen.Subject()
			return func(ctx context.Context, _ engine.Progress) (Answer, error) { return Find(ctx, s) }
		},
		Empty: p.empty, Body: p.about.Container, Show: p.show, Keys: site.Refocus,
	})
	p.Tab.Tab = kit.Tab{Key: "element", Title: "Element", Page: p.page}
	return p
}

// answer is what is shown.
func (p *Pane) answer() Answer {
	a, _ := p.page.Data()
	return a
}

// empty says why there is no element, and what helps.
func (p *Pane) empty(a Answer) (e kit.Empty, is bool) {
	s := a.subject
	if a.reason == nil {
		return e, false
	}
	if e.Text = present.Sentence(a.reason); s.Set == nil {
		e.Missing = s.Missing()
	}
	if f, ok := largest(s); ok && s.Set != nil && !s.Focus.Cell() {
		e.Help = []kit.Help{{
			Text: fmt.Sprintf("Largest element of %s", f.Modality), Do: func() { p.site.Screen.Mark(f) },
		}}
	}
	return e, true
}

func (p *Pane) show(a Answer) {
	p.histogram.Set(a.Histogram())
	p.scatter.Set(a.Scatter())
	p.pairs.Set(a.Pairs)
	p.about.Say(a.Title() + ". " + a.Sentence())
}

// chosen follows the choice of an image.
func (p *Pane) chosen() {
	one, ok := p.pairs.Selected()
	if !ok {
		p.scatter.Select("")
		return
	}
	p.scatter.Select(variance.Pairs.ID(one))
	p.follow(one.Image)
}
