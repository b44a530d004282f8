package findings

import (
	"context"
	"fmt"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
)

// Choice is a way of choosing scenes: a selection of the workspace, with what it is worth (the
// paper's Table 4).
type Choice struct {
	Record  store.SelectionRecord // without its scenes
	Ran     []model.Model         // that have signals in its scenes
	Missing []model.Model         // of these, those whose coverage is not computed yet
	Without []string              // hashes of the models that did not run
	Round   string                // name of the round of its matrices, "" for none
	Secret  bool                  // its labels are not shown yet
	Worth   tables.Diversity
}

// readChoices are the rows of Table 4, from what is kept.
func readChoices(ctx context.Context, ws *store.Workspace, list []store.SelectionRecord, models []model.Model) ([]Choice, error) {
	var choices []Choice
	for _, record := range list {
		c, err := readChoice(ctx, ws, record, models)
		if err != nil {
			return nil, err
		}
		choices = append(choices, c)
	}
	return choices, nil
}

func readChoice(ctx context.Context, ws *store.Workspace, record store.SelectionRecord, models []model.Model) (c Choice, err error) {
	c.Record = record
	var shares []float64
	for _, m := range models {
		if err := ctx.Err(); err != nil {
			return c, err
		}
		kept, ok, reason, err := background.Covered(ws, m, record)
		switch {
		case err != nil:
			return c, err
		case reason != "":
			c.Without = append(c.Without, m.Hash)
			continue
		case ok:
			shares = append(shares, kept.Share)
		default:
			c.Missing = append(c.Missing, m)
		}
		c.Ran = append(c.Ran, m)
	}
	ratings, classes, err := c.ratings(ws)
	if err != nil {
		return c, err
	}
	c.Worth = tables.Table4(record.N, shares, ratings, classes)
	return c, nil
}

// ratings are the labels of the selection's round, annotator by annotator; none where there is no
// round or nobody may see it yet.
func (c *Choice) ratings(ws *store.Workspace) (ratings [][]int, classes int, err error) {
	round, ok, err := roundOf(ws, c.Record.Hash)
	if err != nil || !ok {
		return nil, 2, err
	}
	c.Round, c.Secret = round.Name, round.Secret()
	if c.Secret {
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

// coverageTable are the selections with what they are worth.
var coverageTable = result.Table[Choice]{
	Name: "coverage", Title: "Coverage", Noun: "selection", ID: func(c Choice) string { return c.Record.Hash },
	First: result.Order{Key: "scenes"},
	Columns: slices.Concat(
		[]result.Column[Choice]{
			result.Texts("selection", "selection", "", func(c Choice) string { return c.Record.Name }),
			result.Texts("selection_hash", "hash", "", func(c Choice) string { return c.Record.Hash }).In(result.FileOnly),
			result.Texts("method", "chosen by", "", func(c Choice) string { return string(c.Record.Method) }),
			result.Counts("models_run", "ran", "models that ran in the scenes", func(c Choice) int { return len(c.Ran) }),
		},
		worth(),
		[]result.Column[Choice]{
			result.Texts("round", "round", "whose labels count",
				func(c Choice) string { return c.Round }).Told(Choice.roundText),
		}),
}

// worth are the columns of what selections are worth, with why there is no kappa.
func worth() []result.Column[Choice] {
	list := result.Lift(tables.Diversities.Columns, func(c Choice) tables.Diversity { return c.Worth })
	for k, c := range list {
		if c.Key == "fleiss" {
			list[k] = c.Because(Choice.noKappa)
			list[k].Title = "kappa"
		}
	}
	return list
}

// kappa is Fleiss' kappa of the labels, NaN where it is undefined.
func (c Choice) kappa() float64 { return c.Worth.Fleiss.Number() }

func (c Choice) noKappa() result.Reason {
	switch {
	case c.Round == "":
		return result.Because("no_round", "no round labels the matrices of these scenes")
	case c.Secret:
		return result.Because("blind", "the labels of round %s are not shown before it is closed", c.Round)
	}
	return c.Worth.Fleiss.Reason
}

func (c Choice) roundText() string {
	if c.Secret {
		return fmt.Sprintf("%s (blind and still open)", c.Round)
	}
	return c.Round
}

// Line says what is known of a selection, and what would tell more.
func (c Choice) Line() string {
	switch {
	case len(c.Ran) == 0:
		return fmt.Sprintf("%s: no model ran in these scenes yet.", c.Record.Name)
	case len(c.Missing) > 0:
		return fmt.Sprintf("%s: the coverage of %s is not computed yet.", c.Record.Name,
			result.Counted(len(c.Missing), "model"))
	case c.Round == "":
		return fmt.Sprintf("%s: kappa needs a round in which annotators label the matrices of these scenes.", c.Record.Name)
	case c.Secret:
		return fmt.Sprintf("%s: the labels of round %s are not shown before it is closed.", c.Record.Name, c.Round)
	case !c.Worth.Fleiss.Defined():
		return fmt.Sprintf("%s: kappa is undefined: %s", c.Record.Name, c.Worth.Fleiss.Reason)
	}
	return fmt.Sprintf("%s: coverage %s, kappa %s, F1 %s", c.Record.Name, result.Share.Say(c.Worth.Coverage, 0),
		result.Coefficient.Say(c.Worth.Fleiss.Value, 0), result.Number.Say(c.Worth.F1, 0))
}

// cover computes what is missing of a selection's coverages, which the workspace then keeps; what
// it could not compute is told. Progress counts targets, model by model.
func cover(ctx context.Context, ws *store.Workspace, rt engine.Runtime, c Choice, p engine.Progress) error {
	targets, err := ws.Suite(c.Record.Targets)
	if err != nil {
		return err
	}
	p.SetTotal(int64(len(c.Missing) * targets.Images))
	for _, m := range c.Missing {
		_, reason, err := background.Cover(ctx, ws, rt, m, c.Record.Hash, 0, steps{p})
		if err != nil {
			return err
		}
		if reason != "" {
			return fmt.Errorf("%s: %s", m.ID, reason)
		}
	}
	return nil
}

// steps counts the steps of one of several stages whose total is known.
type steps struct{ engine.Progress }

// SetTotal leaves the total of all stages as it is.
func (steps) SetTotal(int64) {}
