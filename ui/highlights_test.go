package ui

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/uitest/stage"
)

// TestSightsLeadToTheirPlaces: eight links after the tour, each to its screen with what it speaks
// of; what the demo has not made yet is said to come, and the page stays away from other
// workspaces.
func TestSightsLeadToTheirPlaces(t *testing.T) {
	if testing.Short() {
		return // the page is the main goroutine's alone
	}
	o := open(t, 3, func(d *Deps) { d.Demo, d.Tour = true, true })
	o.TakeKey(fyne.KeyEscape) // leaves the tour
	o.opens("the page")
	var links []*widget.Hyperlink
	stage.Walk(o.over(), func(object fyne.CanvasObject) {
		if link, ok := object.(*widget.Hyperlink); ok {
			links = append(links, link)
		}
	})
	if len(links) != 8 {
		t.Fatalf("the page has %d links", len(links))
	}
	links[0].OnTapped()
	if o.over() != nil {
		t.Error("the page lies over what it leads to")
	}
	o.menuEntry(t, highlightsTitle).Action()
	if o.over() == nil {
		t.Error("the menu does not open the page again")
	}
	o.TakeKey(fyne.KeyEscape)
	round := o.workspace.NewRound(t, func(r *label.Round) { r.ByRule, r.Name = true, "By rule" })
	o.workspace.NewRound(t, nil)
	places := []Place{Models, Inspect, Inspect, Label, Agreement, Assessors, DScore, Background}
	for k, s := range o.highlights() {
		o.Go(Runs)
		o.status.say("")
		switch o.visit(s); {
		case s.find == nil || places[k] == Agreement:
			o.stage.Until(s.title, func() bool { return o.Place() == places[k] })
		default:
			o.stage.Until(s.title, func() bool {
				return strings.Contains(o.status.message.Text(), "This is not there")
			})
			if o.Place() != Runs {
				t.Errorf("%s leads to %s", s.title, o.Place())
			}
		}
	}
	o.Go(Agreement)
	o.stage.Until("the round", func() bool {
		d, known := o.agreement.Data()
		return known && d.View != nil && d.View.Round.ID == round.ID && strings.HasPrefix(d.View.Heading(),
			label.ByRuleNote)
	})
	first := o.list(t)[0].Hash
	o.highlights()[1].show(first)
	o.stage.Until("the model", func() bool { return o.Place() == Inspect && o.inspect.Subject().Model.Hash == first })
	o.deps.Demo = false
	if slices.ContainsFunc(o.commands(), func(c command) bool { return c.text == highlightsTitle }) {
		t.Error("a workspace of one's own offers the sights of the demo")
	}
}
