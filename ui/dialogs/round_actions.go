package dialogs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
	own "github.com/variscope/variscope/ui/widget"
)

// usualRepeats is the share of unannounced repeats that a new round starts with.
const usualRepeats = 0.05

// Rounds does what can be done with rounds, in dialogs where something has to be asked. It suits
// the label screen.
type Rounds struct {
	Host      *kit.Host
	Workspace *store.Workspace
	// Chosen are the models ticked on the Models screen, Filtered those that its filter lets through;
	// both may be nil.
	Chosen, Filtered func() []string
	// Did is told of every change that can be taken back; may be nil.
	Did func(history.Step)
}

func (r Rounds) did(step history.Step) {
	if r.Did != nil {
		r.Did(step)
	}
}

// ticked are the models ticked on the Models screen; one alone is the line on which the keyboard
// stands.
func (r Rounds) ticked() offer {
	if r.Chosen != nil {
		if chosen := r.Chosen(); len(chosen) > 1 {
			return offer{"ticked on Models", chosen}
		}
	}
	return offer{}
}

// filtered are the models that the filter of the Models screen lets through.
func (r Rounds) filtered() offer {
	if r.Filtered == nil {
		return offer{}
	}
	return offer{"shown on Models", r.Filtered()}
}

// ask opens the form of a round with what is known of the workspace.
func (r Rounds) ask(prepare func() (roundTask, error)) {
	var facts roundFacts
	var task roundTask
	r.Host.Work.Quiet("round dialog", func(context.Context) (err error) {
		if facts, err = gatherRound(r.Workspace); err != nil {
			return err
		}
		if len(facts.models) == 0 || len(facts.suites) == 0 {
			return errors.New("a round needs models and a test suite; import them first")
		}
		task, err = prepare()
		return err
	}, func(err error) {
		if err != nil {
			r.Host.Fail(err)
			return
		}
		newRoundForm(r.Host, facts, task)
	})
}

// New asks for a new round.
func (r Rounds) New() { r.newOf(r.ticked(), false) }

// Of asks for a new round of these models (hashes), which annotators see in this order; name says
// of the list what it is.
func (r Rounds) Of(name string, hashes []string) {
	r.newOf(offer{name, hashes}, true)
}

// newOf asks for a new round that begins with first among its lists of models; ordered: they are
// seen as listed.
func (r Rounds) newOf(first offer, ordered bool) {
	r.newFrom(first, func() (label.Round, error) {
		return label.Round{
			Modalities: defaultModalities(), Classes: 2, Blind: true, RepeatShare: usualRepeats, Guideline: assets.VarianceGuideline,
			Ordered: ordered,
		}, nil
	})
}

// newFrom asks for a new round that starts with what base says.
func (r Rounds) newFrom(first offer, base func() (label.Round, error)) {
	more := []offer{r.filtered()}
	r.ask(func() (roundTask, error) {
		start, err := base()
		return roundTask{
			title: "New round", button: "Create", offers: []offer{first}, more: more, store: r.create, done: r.made,
			base: start, fresh: true,
		}, err
	})
}

// create stores a round and freezes its colour ranges, so that all see the same colours.
func (r Rounds) create(ctx context.Context, round label.Round) (label.Round, error) {
	return r.Workspace.CreateRound(ctx, round)
}

// made notes a new round.
func (r Rounds) made(round label.Round) {
	ws := r.Workspace
	r.did(history.Step{
		Title: fmt.Sprintf("new round %s", round.Name),
		Undo:  func(context.Context) error { _, err := ws.DeleteRound(round.ID); return err },
		Redo:  func(context.Context) error { return ws.RestoreRound(round) },
	})
	r.Host.Say(fmt.Sprintf("Round %s with %s", round.Name, present.Counted(int64(len(round.Models)), "model")))
}

// Edit changes a round: all of it while it has no labels, its guideline afterwards.
func (r Rounds) Edit(id string) {
	more := []offer{r.ticked(), r.filtered()}
	r.ask(func() (roundTask, error) {
		before, err := r.Workspace.Round(id)
		if err != nil {
			return roundTask{}, err
		}
		events, err := r.Workspace.Events(id)
		return roundTask{
			title: "Edit round", button: "Change", base: before, frozen: before.Frozen(events),
			offers: []offer{{"as now", before.Models}}, more: more, store: r.update,
			done: func(after label.Round) { r.edited(before, after) },
		}, err
	})
}

// update stores a changed round; colour ranges that no longer fit are found anew.
func (r Rounds) update(ctx context.Context, round label.Round) (label.Round, error) {
	if len(round.Ranges) == 0 {
		ranges, err := r.Workspace.RoundRanges(ctx, round)
		if err != nil {
			return round, err
		}
		round.Ranges = ranges
	}
	return round, r.Workspace.UpdateRound(round)
}

func (r Rounds) edited(before, after label.Round) {
	ws := r.Workspace
	r.did(history.Step{
		Title: fmt.Sprintf("change of round %s", before.Name),
		Undo:  func(context.Context) error { return ws.UpdateRound(before) },
		Redo:  func(context.Context) error { return ws.UpdateRound(after) },
	})
	r.Host.Say(fmt.Sprintf("Round %s is changed", after.Name))
}

// Duplicate asks for a round that starts as a copy of another, without its labels.
func (r Rounds) Duplicate(id string) {
	more := []offer{r.ticked(), r.filtered()}
	r.ask(func() (roundTask, error) {
		base, err := r.Workspace.Round(id)
		base.Name = fmt.Sprintf("%s (copy)", base.Name)
		return roundTask{
			title: "Duplicate round", button: "Create", base: base,
			offers: []offer{{"as in the original", base.Models}}, more: more, done: r.made,
			store: func(ctx context.Context, round label.Round) (label.Round, error) {
				return r.Workspace.DuplicateRound(ctx, id, func(copied *label.Round) {
					round.Closed, round.Parent = false, ""
					*copied = round
				})
			},
		}, err
	})
}

// Disagreements asks for a round of those models whose labels differ in another one, which it
// names as its parent.
func (r Rounds) Disagreements(id string) {
	r.ask(func() (roundTask, error) {
		base, err := r.Workspace.Round(id)
		if err != nil {
			return roundTask{}, err
		}
		if base.Secret() {
			return roundTask{}, fmt.Errorf("round %s is blind and still open; close it to take up its disagreements", base.Name)
		}
		events, err := r.Workspace.Events(id)
		if err != nil {
			return roundTask{}, err
		}
		var models []string
		for _, d := range label.Disagreements(base, events) {
			models = append(models, d.Model)
		}
		if len(models) == 0 {
			return roundTask{}, fmt.Errorf("round %s: the labels do not differ anywhere, so there is nothing to take up again", base.Name)
		}
		base.Name, base.Parent, base.Closed = fmt.Sprintf("%s, disagreements", base.Name), base.ID, false
		base.OrderSeed++ // another order than the first time
		return roundTask{
			title: "Round on disagreements", button: "Create", base: base, offers: []offer{{"disagreements", models}},
			store: r.create, done: r.made,
		}, nil
	})
}

// Close closes a round, after a question that says what comes of it, or opens it again.
func (r Rounds) Close(id string, closed bool) {
	if !closed {
		r.setClosed(id, false)
		return
	}
	var round label.Round
	var events []label.Event
	r.Host.Work.Quiet("look at round", func(context.Context) (err error) {
		if round, err = r.Workspace.Round(id); err == nil {
			events, err = r.Workspace.Events(id)
		}
		return err
	}, func(err error) {
		if err != nil {
			r.Host.Fail(err)
			return
		}
		text := widget.NewLabel(closingText(round, events))
		text.Wrapping = fyne.TextWrapWord
		ask := dialog.NewCustomConfirm(fmt.Sprintf("Close round %s?", round.Name), "Close round", "Cancel", own.Fitting(text, r.Host.Window),
			func(yes bool) {
				if yes {
					r.setClosed(id, true)
				}
			}, r.Host.Window)
		ask.Resize(fyne.NewSize(520, 240))
		ask.Show()
	})
}

// closingText says what comes of closing a round.
func closingText(r label.Round, events []label.Event) string {
	lines := []string{"No label can be set or changed until it is opened again."}
	if r.Blind {
		lines = append(lines, "Everybody sees everybody's labels, agreement and disagreements then. Opening it again does not take that back.")
	}
	unfinished := 0
	for _, who := range r.Annotators {
		if !label.Finished(r, who, events) {
			unfinished++
		}
	}
	if unfinished > 0 {
		lines = append(lines, present.ByCount(unfinished, "%d annotator has not finished.", "%d annotators have not finished.", unfinished))
	}
	return strings.Join(lines, "\n\n")
}

func (r Rounds) setClosed(id string, closed bool) {
	ws := r.Workspace
	var round label.Round
	r.Host.Work.Quiet("close round", func(context.Context) (err error) {
		if err = ws.CloseRound(id, closed); err == nil {
			round, err = ws.Round(id)
		}
		return err
	}, func(err error) {
		if err != nil {
			r.Host.Fail(err)
			return
		}
		word := "open again"
		if closed {
			word = "closed"
		}
		r.did(history.Step{
			Title: fmt.Sprintf("round %s %s", round.Name, word),
			Undo:  func(context.Context) error { return ws.CloseRound(id, !closed) },
			Redo:  func(context.Context) error { return ws.CloseRound(id, closed) },
		})
		r.Host.Say(fmt.Sprintf("Round %s is %s", round.Name, word))
	})
}

// Delete removes a round in which nobody has done anything; that can be taken back, so it does not
// ask.
func (r Rounds) Delete(id string) {
	ws := r.Workspace
	var gone label.Round
	r.Host.Work.Quiet("delete round", func(context.Context) (err error) {
		gone, err = ws.DeleteRound(id)
		return err
	}, func(err error) {
		if err != nil {
			r.Host.Fail(err)
			return
		}
		r.did(history.Step{
			Title: fmt.Sprintf("deletion of round %s", gone.Name),
			Undo:  func(context.Context) error { return ws.RestoreRound(gone) },
			Redo:  func(context.Context) error { _, err := ws.DeleteRound(id); return err },
		})
		r.Host.Say(fmt.Sprintf("Round %s is deleted", gone.Name))
	})
}
