package dialogs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/assets"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/history"
	"github.com/variscope/variscope/ui/kit"
	"github.com/variscope/variscope/ui/present"
)

// usualRepeats is the share of unannounced repeats that a new round starts with, in percent.
const usualRepeats = 5

// Rounds does what can be done with rounds, in dialogs where something has to be asked. It suits
// the label screen.
type Rounds struct {
	Host      *kit.Host
	Workspace *store.Workspace
	// Chosen are the models ticked on the Models screen, Filtered those that its filter lets
	// through; both may be nil.
	Chosen, Filtered func() []string
	// Did is told of every change that can be taken back; may be nil.
	Did func(history.Step)
}

// noted tells of a change that was made, by its title among the steps that can be taken back and by
// what is said of it now.
func (r Rounds) noted(title, said string, undo, redo func() error) {
	did(r.Did, history.Step{
		Title: title, Undo: func(context.Context) error { return undo() },
		Redo: func(context.Context) error { return redo() },
	})
	r.Host.Say(said)
}

// ticked are the models ticked on the Models screen; one alone is the line on which the keyboard
// stands.
func (r Rounds) ticked() modelGroup {
	if r.Chosen != nil {
		if chosen := r.Chosen(); len(chosen) > 1 {
			return modelGroup{"ticked on Models", chosen}
		}
	}
	return modelGroup{}
}

// filtered are the models that the filter of the Models screen lets through.
func (r Rounds) filtered() modelGroup {
	if r.Filtered == nil {
		return modelGroup{}
	}
	return modelGroup{"shown on Models", r.Filtered()}
}

// ask opens the form of a round with what is known of the workspace.
func (r Rounds) ask(prepare func() (roundTask, error)) {
	var facts roundFacts
	var task roundTask
	r.Host.Quietly("round dialog", func() (err error) {
		if facts, err = gatherRound(r.Workspace); err != nil {
			return err
		}
		if len(facts.models) == 0 || len(facts.suites) == 0 {
			return errors.New("a round needs models and a test suite; import them first")
		}
		task, err = prepare()
		return err
	}, func() { newRoundDialog(r.Host, facts, task) })
}

// askOf opens the form of a round that is there, or of one that is made after it.
func (r Rounds) askOf(id string, prepare func(base label.Round, events []label.Event) (roundTask, error)) {
	r.ask(func() (task roundTask, err error) {
		round, events, err := r.read(id)
		if err != nil {
			return task, err
		}
		return prepare(round, events)
	})
}

func (r Rounds) read(id string) (round label.Round, events []label.Event, err error) {
	if round, err = r.Workspace.Round(id); err == nil {
		events, err = r.Workspace.Events(id)
	}
	return round, events, err
}

// New asks for a new round.
func (r Rounds) New() { r.newOf(r.ticked(), false) }

// Of asks for a new round of these models (hashes), which annotators see in this order; name says
// of the list what it is.
func (r Rounds) Of(name string, hashes []string) {
	r.newOf(modelGroup{name, hashes}, true)
}

// newOf asks for a new round that begins with first among its lists of models; ordered: they are
// seen as listed.
func (r Rounds) newOf(first modelGroup, ordered bool) {
	r.newFrom(first, func(o *label.Options) error {
		o.Guideline, o.AsListed = assets.VarianceGuideline, ordered
		return nil
	})
}

// newFrom asks for a new round that starts with what start sets.
func (r Rounds) newFrom(first modelGroup, start func(*label.Options) error) {
	task := roundTask{
		title: "New round", button: "Create", offers: []modelGroup{first}, more: []modelGroup{r.filtered()},
		store: r.Workspace.CreateRound, done: r.made, fresh: true,
	}
	r.ask(func() (roundTask, error) {
		option.SetDefaults(&task.options)
		task.options.Repeats = usualRepeats
		return task, start(&task.options)
	})
}

// OfScenes asks for a new round on the scenes of a selection (hash).
func (r Rounds) OfScenes(selection string) { r.inScenes(selection, r.ticked(), false) }

// OfModelsInScenes asks for a new round of models in their order on the scenes of a selection
// (hash); name says of the list what it is.
func (r Rounds) OfModelsInScenes(selection, name string, hashes []string) {
	r.inScenes(selection, modelGroup{name, hashes}, true)
}

func (r Rounds) inScenes(selection string, first modelGroup, ordered bool) {
	r.newFrom(first, func(o *label.Options) error {
		o.Kind, o.Selection, o.Classes, o.AsListed = label.BackgroundRound, selection, 3, ordered
		o.Guideline = assets.BackgroundGuideline
		_, err := r.Workspace.Selection(selection)
		return err
	})
}

// made notes a new round.
func (r Rounds) made(round label.Round) {
	ws := r.Workspace
	said := fmt.Sprintf("Round %s with %s", round.Name, result.Counted(len(round.Models), "model"))
	r.noted(fmt.Sprintf("new round %s", round.Name), said,
		func() error { _, err := ws.DeleteRound(round.ID); return err }, func() error { return ws.RestoreRound(round) })
}

// Edit changes a round: all of it while it has no labels, its guideline afterwards.
func (r Rounds) Edit(id string) {
	more := []modelGroup{r.ticked(), r.filtered()}
	r.askOf(id, func(before label.Round, events []label.Event) (roundTask, error) {
		return roundTask{
			title: "Edit round", button: "Change", base: before, frozen: before.Frozen(events),
			offers: []modelGroup{{"as now", before.Models}}, more: more, store: r.update,
			done: func(after label.Round) {
				r.noted(fmt.Sprintf("change of round %s", before.Name), fmt.Sprintf("Round %s is changed", after.Name),
					func() error { return r.Workspace.UpdateRound(before) },
					func() error { return r.Workspace.UpdateRound(after) })
			},
		}, nil
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

// Duplicate asks for a round that starts as a copy of another, without its labels.
func (r Rounds) Duplicate(id string) {
	more := []modelGroup{r.ticked(), r.filtered()}
	r.askOf(id, func(base label.Round, _ []label.Event) (roundTask, error) {
		base.Name = fmt.Sprintf("%s (copy)", base.Name)
		if base.Secret() || !base.HasAnswers() {
			base.Known, base.KnownFirst = nil, false // its annotators may sit here, or no answer ever comes
		}
		return roundTask{
			title: "Duplicate round", button: "Create", base: base,
			offers: []modelGroup{{"as in the original", base.Models}}, more: more, done: r.made,
			store: func(ctx context.Context, round label.Round) (label.Round, error) {
				return r.Workspace.DuplicateRound(ctx, id, func(copied *label.Round) {
					round.Closed, round.Closings, round.Parent, round.ByRule = false, nil, "", false
					*copied = round
				})
			},
		}, nil
	})
}

// Disagreements asks for a round of those models whose labels differ in another one, which it
// names as its parent.
func (r Rounds) Disagreements(id string) {
	r.askOf(id, func(base label.Round, events []label.Event) (task roundTask, err error) {
		if base.Secret() {
			return task, fmt.Errorf("round %s is blind and still open; "+
				"close it to take up its disagreements", base.Name)
		}
		var models []string
		for _, d := range label.Disagreements(base, events) {
			models = append(models, d.Model)
		}
		if len(models) == 0 {
			return task, fmt.Errorf("round %s: the labels do not differ anywhere, "+
				"so there is nothing to take up again", base.Name)
		}
		base.Name, base.Parent, base.Closed, base.ByRule = fmt.Sprintf("%s, disagreements", base.Name), base.ID, false,
			false
		base.OrderSeed++                                          // another order than the first time
		base.Overlap, base.Known, base.KnownFirst = 0, nil, false // whoever disagrees labels all again
		return roundTask{
			title: "Round on disagreements", button: "Create", base: base,
			offers: []modelGroup{{"disagreements", models}}, store: r.Workspace.CreateRound, done: r.made,
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
	r.Host.Quietly("look at round", func() (err error) {
		round, events, err = r.read(id)
		return err
	}, func() {
		r.Host.Confirm(fmt.Sprintf("Close round %s?", round.Name),
			strings.Join(label.BeforeClosing(round, events), "\n\n"), "Close round", widget.HighImportance,
			func() { r.setClosed(id, true) })
	})
}

func (r Rounds) setClosed(id string, closed bool) {
	ws := r.Workspace
	var round label.Round
	r.Host.Quietly("close round", func() (err error) {
		if err = ws.CloseRound(id, closed); err == nil {
			round, err = ws.Round(id)
		}
		return err
	}, func() {
		word := "open again"
		if closed {
			word = "closed"
		}
		r.noted(fmt.Sprintf("round %s %s", round.Name, word), fmt.Sprintf("Round %s is %s", round.Name, word),
			func() error { return ws.CloseRound(id, !closed) }, func() error { return ws.CloseRound(id, closed) })
	})
}

// Delete removes a round in which nobody has done anything; that can be taken back, so it does not
// ask.
func (r Rounds) Delete(id string) {
	ws := r.Workspace
	var gone label.Round
	r.Host.Quietly("delete round", func() (err error) {
		gone, err = ws.DeleteRound(id)
		return err
	}, func() {
		r.noted(fmt.Sprintf("deletion of round %s", gone.Name), fmt.Sprintf("Round %s is deleted", gone.Name),
			func() error { return ws.RestoreRound(gone) }, func() error { _, err := ws.DeleteRound(id); return err })
	})
}

// AddToRoundDialog adds models to an open round, or makes a new round of them. Did is told of the
// change and may be nil.
func AddToRoundDialog(host *kit.Host, ws *store.Workspace, hashes []string, did func(history.Step)) {
	rounds := Rounds{Host: host, Workspace: ws, Did: did}
	fresh := func() { rounds.newOf(modelGroup{"chosen ones", hashes}, false) }
	var list []label.Round
	host.Quietly("read rounds", func() (err error) {
		list, err = openRounds(ws)
		return err
	}, func() {
		if len(list) == 0 {
			fresh()
		} else {
			rounds.askWhich(list, hashes, fresh)
		}
	})
}

// openRounds are the rounds that can grow, newest first.
func openRounds(ws *store.Workspace) ([]label.Round, error) {
	all, err := ws.Rounds()
	var list []label.Round
	for k := len(all) - 1; k >= 0; k-- {
		if !all[k].Closed {
			list = append(list, all[k])
		}
	}
	return list, err
}

// growth says what adding models to a round does.
func growth(r label.Round, hashes []string) string {
	known := 0
	for _, hash := range hashes {
		if slices.Contains(r.Models, hash) {
			known++
		}
	}
	text := present.ByCount(len(hashes)-known, "%d model comes to the %d of the round.",
		"%d models come to the %d of the round.", len(hashes)-known, len(r.Models))
	if known > 0 {
		text = present.ByCount(known, "%s %d is in it already.", "%s %d are in it already.", text, known)
	}
	if known < len(hashes) {
		text += " Annotators who had finished have more to do then."
	}
	return text
}

// growing is what is asked for where models are added to a round.
type growing struct {
	Round string `help:"Round that grows: one that is open." source:"rounds"`
}

func (r Rounds) askWhich(list []label.Round, hashes []string, fresh func()) {
	chosen := func(o growing) label.Round {
		return list[slices.IndexFunc(list, func(one label.Round) bool { return one.ID == o.Round })]
	}
	(&kit.Ask[growing]{
		Title: fmt.Sprintf("Add %s to a round", result.Counted(len(hashes), "model")), Button: "Add",
		Size: fyne.NewSize(520, 220), Form: &kit.Form[growing]{
			Host: r.Host, Choices: func(string) ([]kit.Option, string) { return roundOptions(list), "" },
		},
		Says: func(o growing) (string, error) { return growth(chosen(o), hashes), nil },
		More: []kit.Button[growing]{{Text: "New round…", Do: func(d *kit.Dialog, _ growing) { d.Close(); fresh() }}},
		Do: func(d *kit.Dialog, o growing) {
			d.Close()
			round, ws := chosen(o), r.Workspace
			var added []string
			r.Host.Quietly("add to round", func() (err error) {
				added, err = ws.AppendModels(round.ID, hashes)
				return err
			}, func() {
				title := fmt.Sprintf("%s added to round %s", result.Counted(len(added), "model"), round.Name)
				r.noted(title, title, func() error { return ws.RemoveAppended(round.ID, added) },
					func() error { _, err := ws.AppendModels(round.ID, added); return err })
			})
		},
	}).Open()
}
