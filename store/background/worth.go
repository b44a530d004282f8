package background

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/progress"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// Worth is a selection of the workspace with what its way of choosing scenes is worth (the paper's
// Table 4), from what is kept.
type Worth struct {
	Record  store.SelectionRecord // without its scenes
	Ran     []model.Model         // that have signals in its scenes
	Missing []model.Model         // of these, those whose coverage is not computed yet
	Without []string              // hashes of the models that did not run
	Round   string                // name of the round of its matrices, "" for none
	Secret  bool                  // its labels are not shown yet
	tables.Diversity
}

// Worths are those of selections over these models.
func Worths(
	ctx context.Context, ws *store.Workspace, list []store.SelectionRecord, models []model.Model,
) (worths []Worth, err error) {
	for _, record := range list {
		w, err := worthOf(ctx, ws, record, models)
		if err != nil {
			return nil, err
		}
		worths = append(worths, w)
	}
	return worths, nil
}

func worthOf(
	ctx context.Context, ws *store.Workspace, record store.SelectionRecord, models []model.Model,
) (w Worth, err error) {
	w.Record = record
	var shares []float64
	for _, m := range models {
		if err := ctx.Err(); err != nil {
			return w, err
		}
		kept, ok, reason, err := Covered(ws, m, record)
		switch {
		case err != nil:
			return w, err
		case reason != "":
			w.Without = append(w.Without, m.Hash)
			continue
		case ok:
			shares = append(shares, kept.Share)
		default:
			w.Missing = append(w.Missing, m)
		}
		w.Ran = append(w.Ran, m)
	}
	ratings, classes, err := w.ratings(ws)
	if err != nil {
		return w, err
	}
	w.Diversity = tables.Table4(record.N, shares, ratings, classes)
	return w, nil
}

// ratings are the labels of the selection's round, annotator by annotator; none where there is no
// round or nobody may see it yet.
func (w *Worth) ratings(ws *store.Workspace) (ratings [][]int, classes int, err error) {
	round, ok, err := RoundOf(ws, w.Record.Hash)
	if err != nil || !ok {
		return nil, 2, err
	}
	w.Round, w.Secret = round.Name, round.Secret()
	if w.Secret {
		return nil, round.Classes, nil
	}
	events, err := ws.Events(round.ID)
	if err != nil {
		return nil, round.Classes, err
	}
	list := label.Ratings(round, events)
	for _, own := range list {
		for k, v := range own {
			if v == label.Missing {
				own[k] = agreement.Missing
			}
		}
	}
	return list, round.Classes, nil
}

// WorthTable are the selections with what they are worth.
var WorthTable = result.Table[Worth]{
	Name: "coverage", Title: "Coverage", Noun: "selection", ID: func(w Worth) string { return w.Record.Hash },
	First: result.Order{Key: "scenes"},
	Columns: slices.Concat(
		[]result.Column[Worth]{
			result.Texts("selection", "selection", "", func(w Worth) string { return w.Record.Name }),
			result.Texts("selection_hash", "hash", "",
				func(w Worth) string { return w.Record.Hash }).In(result.FileOnly),
			result.Texts("method", "chosen by", "", func(w Worth) string { return string(w.Record.Method) }),
			result.Counts("models_run", "ran", "models that ran in the scenes",
				func(w Worth) int { return len(w.Ran) }),
		},
		worth(),
		[]result.Column[Worth]{
			result.Texts("round", "round", "whose labels count",
				func(w Worth) string { return w.Round }).Told(Worth.roundText),
		}),
}

// worth are the columns of what selections are worth, with why there is no kappa.
func worth() []result.Column[Worth] {
	list := result.Lift(tables.Diversities.Columns, func(w Worth) tables.Diversity { return w.Diversity })
	for k, c := range list {
		if c.Key == "fleiss" {
			list[k] = c.Because(Worth.noKappa)
			list[k].Title = "kappa"
		}
	}
	return list
}

// Kappa is Fleiss' kappa of the labels, NaN where it is undefined.
func (w Worth) Kappa() float64 { return w.Diversity.Fleiss.Number() }

func (w Worth) noKappa() result.Reason {
	switch {
	case w.Round == "":
		return result.Because("no_round", "no round labels the matrices of these scenes")
	case w.Secret:
		return result.Because("blind", "the labels of round %s are not shown before it is closed", w.Round)
	}
	return w.Diversity.Fleiss.Reason
}

func (w Worth) roundText() string {
	if w.Secret {
		return fmt.Sprintf("%s (blind and still open)", w.Round)
	}
	return w.Round
}

// Line says what is known of a selection, and what would tell more.
func (w Worth) Line() string {
	switch {
	case len(w.Ran) == 0:
		return fmt.Sprintf("%s: no model ran in these scenes yet.", w.Record.Name)
	case len(w.Missing) > 0:
		return fmt.Sprintf("%s: the coverage of %s is not computed yet.", w.Record.Name,
			result.Counted(len(w.Missing), "model"))
	case w.Round == "":
		return fmt.Sprintf("%s: kappa needs a round in which annotators label the "+
			"matrices of these scenes.", w.Record.Name)
	case w.Secret:
		return fmt.Sprintf("%s: the labels of round %s are not shown before it is closed.", w.Record.Name, w.Round)
	case !w.Diversity.Fleiss.Defined():
		return fmt.Sprintf("%s: kappa is undefined: %s", w.Record.Name, w.Diversity.Fleiss.Reason)
	}
	return fmt.Sprintf("%s: coverage %s, kappa %s, F1 %s", w.Record.Name, result.Share.Say(w.Diversity.Coverage, 0),
		result.Coefficient.Say(w.Diversity.Fleiss.Value, 0), result.Number.Say(w.Diversity.F1, 0))
}

// Cover computes what is missing of the selection's coverages, which the workspace then keeps; what
// it could not compute is an error. Progress counts targets, model by model.
func (w Worth) Cover(ctx context.Context, ws *store.Workspace, rt engine.Runtime, p engine.Progress) error {
	targets, err := ws.Suite(w.Record.Targets)
	if err != nil {
		return err
	}
	p.SetTotal(int64(len(w.Missing) * targets.Images))
	for _, m := range w.Missing {
		_, reason, err := Cover(ctx, ws, rt, m, w.Record.Hash, 0, progress.Part{Progress: p})
		if err != nil {
			return err
		}
		if reason != "" {
			return fmt.Errorf("%s: %s", m.ID, reason)
		}
	}
	return nil
}

// RoundOf is the newest round of backgrounds about a selection: one with labels before one without.
func RoundOf(ws *store.Workspace, selection string) (best label.Round, ok bool, err error) {
	rounds, err := ws.Rounds()
	if err != nil {
		return best, false, err
	}
	labelled := false
	for _, r := range rounds {
		if r.Kind != label.BackgroundRound || r.Selection != selection {
			continue
		}
		events, err := ws.Events(r.ID)
		if err != nil {
			return best, false, err
		}
		has := len(events) > 0
		if !ok || has && !labelled || has == labelled && r.Created.After(best.Created) {
			best, ok, labelled = r, true, has
		}
	}
	return best, ok, nil
}
