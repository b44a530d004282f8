package findings

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/assess/tables"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/background"
	"github.com/variscope/variscope/ui/present"
)

// Choice is a way of choosing scenes: a selection of the workspace, with what it is worth (the paper's Table 4).
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

// ratings are the labels of the selection's round, annotator by annotator; none where there is no round or nobody may see it yet.
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

// Coverages are the selections as a table.
type Coverages struct {
	Rows       []Choice
	sorted     string
	descending bool
}

// coverageColumn is a column of the table of selections.
type coverageColumn struct {
	key, title, hint string
	text             func(c Choice) string
	value            func(c Choice) float64 // nil for texts
}

func coverageColumns() []coverageColumn {
	kappa := func(c Choice) float64 {
		if c.Worth.Fleiss.Defined() {
			return c.Worth.Fleiss.Value
		}
		return math.NaN()
	}
	number := func(of func(c Choice) float64) func(c Choice) string {
		return func(c Choice) string { return present.Kappa(of(c)) }
	}
	coverage, f1 := func(c Choice) float64 { return c.Worth.Coverage }, func(c Choice) float64 { return c.Worth.F1 }
	return []coverageColumn{
		{key: "selection", title: "scenes", text: func(c Choice) string { return c.Record.Name }},
		{key: "method", title: "chosen by", text: func(c Choice) string { return string(c.Record.Method) }},
		{
			key: "n", title: "N", hint: "testing scenes per target", value: func(c Choice) float64 { return float64(c.Record.N) },
			text: func(c Choice) string { return present.Count(int64(c.Record.N)) },
		},
		{
			key: "models", title: "models", hint: "models whose neurons were counted, of those that ran in the scenes",
			value: func(c Choice) float64 { return float64(c.Worth.Models) },
			text: func(c Choice) string {
				return fmt.Sprintf("%s of %s", present.Count(int64(c.Worth.Models)), present.Count(int64(len(c.Ran))))
			},
		},
		{
			key: "coverage", title: "coverage", value: coverage, text: number(coverage),
			hint: "recall: the share of a model's neurons, the channels before its head, that reach half of their image's range in some scene; mean of the models",
		},
		{
			key: "fleiss", title: "kappa", value: kappa, text: number(kappa),
			hint: "precision: Fleiss' kappa of the annotators' labels of the matrices that these scenes gave",
		},
		{
			key: "f1", title: "F1", value: f1, text: number(f1),
			hint: "harmonic mean of coverage and kappa; a kappa below 0 counts as 0",
		},
		{key: "round", title: "round", text: func(c Choice) string { return c.roundText() }},
	}
}

func (c Choice) roundText() string {
	switch {
	case c.Round == "":
		return present.None
	case c.Secret:
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
		return fmt.Sprintf("%s: the coverage of %s is not computed yet.", c.Record.Name, present.Counted(int64(len(c.Missing)), "model"))
	case c.Round == "":
		return fmt.Sprintf("%s: kappa needs a round in which annotators label the matrices of these scenes.", c.Record.Name)
	case c.Secret:
		return fmt.Sprintf("%s: the labels of round %s are not shown before it is closed.", c.Record.Name, c.Round)
	case !c.Worth.Fleiss.Defined():
		return fmt.Sprintf("%s: kappa is undefined: %s", c.Record.Name, c.Worth.Fleiss.Reason)
	}
	return fmt.Sprintf("%s: coverage %s, kappa %s, F1 %s", c.Record.Name, present.Kappa(c.Worth.Coverage), present.Kappa(c.Worth.Fleiss.Value), present.Kappa(c.Worth.F1))
}

// SortBy sorts by a column; the same one again turns the order round.
func (v *Coverages) SortBy(key string) {
	v.descending = key == v.sorted && !v.descending
	v.sorted = key
	v.arrange()
}

func (v *Coverages) arrange() {
	for _, c := range coverageColumns() {
		if c.key == v.sorted {
			slices.SortStableFunc(v.Rows, func(a, b Choice) int {
				return order(c.text(a), c.text(b), valueOf(c.value, a), valueOf(c.value, b), v.descending)
			})
		}
	}
}

// Cell is the text of a cell.
func (v *Coverages) Cell(row, col int) string {
	if columns := coverageColumns(); row >= 0 && row < len(v.Rows) && col >= 0 && col < len(columns) {
		return columns[col].text(v.Rows[row])
	}
	return ""
}

// Table is the table for a file.
func (v *Coverages) Table() (head []string, rows [][]string) {
	head = []string{"selection", "selection_hash", "method", "n", "models_run", "models_covered", "coverage", "fleiss", "f1", "round"}
	for _, c := range v.Rows {
		fleiss := math.NaN()
		if c.Worth.Fleiss.Defined() {
			fleiss = c.Worth.Fleiss.Value
		}
		rows = append(rows, []string{
			c.Record.Name, c.Record.Hash, string(c.Record.Method), whole(float64(c.Record.N)), whole(float64(len(c.Ran))), whole(float64(c.Worth.Models)),
			whole(c.Worth.Coverage), whole(fleiss), whole(c.Worth.F1), c.Round,
		})
	}
	return head, rows
}

// cover computes what is missing of a selection's coverages, which the workspace then keeps; what it could not compute is told.
// Progress counts targets, model by model.
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
