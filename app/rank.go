package app

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

type rankCommand struct {
	Source string `arg:"" help:"Workspace, predictions (.csv, .npy, .npz), or a folder with a file of predictions per model."`
	rank.Asked
	ClassNames string `aliases:"classes" help:"For files: names of the classes, one per line." type:"existingfile" placeholder:"names.txt"`
	Ask        int    `help:"Only name the images whose labels one ranker (--methods) needs for a budget of N." placeholder:"N" min:"0"`
	Out        string `help:"Folder for the tables (ranks.csv, ranking.csv, quality.csv, hard_images.csv and what else was asked for), ranking.json and figures; with --ask for labels.csv, or the name of that file." type:"path"`
	spreadsheetFlag
}

// Check says what does not go with --ask.
func (c *rankCommand) Check() error {
	switch {
	case c.Ask == 0:
		return needFolder("out", c.Out)
	case len(c.Methods) != 1 || !c.Methods[0].Sampled() || c.Methods[0] == rank.CESOracle:
		return option.Errorf("{ask} needs one ranker that asks for labels: " +
			"{methods} random, sds, ces or ces-reference")
	case c.Budget != 0:
		return option.Errorf("{ask} N is the budget; leave {budget} out")
	case c.Curves || c.Impact || c.Conditions || c.Shifted:
		return option.Errorf("{ask} only names images; {curves}, {impact}, {conditions} and {shifted} go without it")
	}
	return nil
}

func (c *rankCommand) Run(s *session) error {
	if c.Ask > 0 {
		c.Out = fileIn(c.Out, "labels.csv")
	}
	src, err := c.source(s)
	if err != nil {
		return err
	}
	d, left, err := c.data(s, src.from, src.id)
	if err != nil {
		return err
	}
	if err := d.Rankable(left); err != nil {
		return fmt.Errorf("%s: %w", src.from.Names.Source, err)
	}
	if c.Ask > 0 {
		return c.ask(s, src, d)
	}
	r, err := c.rank(s, src, d, left)
	if err != nil {
		return fmt.Errorf("%s: %w", src.from.Names.Source, err)
	}
	if c.Out != "" {
		if err := c.draw(r); err != nil {
			return err
		}
	}
	a := answer{name: "ranking", out: output{outFolder{c.Out}, c.spreadsheetFlag}}
	a.Document = s.document("rank", &c.Asked, r.Sheets()...)
	a.shown, a.lines = ranksPrinted(r, a.Sheets)
	return s.give(a)
}

// rank asks the rankers and makes what else the flags ask for.
func (c *rankCommand) rank(s *session, src rankSource, d rank.Data, left []rank.LeftOut) (rank.Rankings, error) {
	r := rank.Rankings{Data: d, LeftOut: left, SampleNames: src.from.Names.Samples, ClassNames: src.from.Names.Classes}
	first, err := src.from.On(src.id)
	if err != nil {
		return r, err
	}
	if first.Board, err = c.board(s, "rank", d); err != nil {
		return r, err
	}
	if err := first.Board.Unranked(); err != nil {
		return r, err
	}
	r.On = []*rank.OnSuite{first}
	if c.Curves {
		budgets := c.Budgets
		if budgets == nil {
			budgets = rank.Budgets(len(d.Models), d.Samples)
		}
		r.Curves, err = rank.Curves(s.ctx, d, c.Options, budgets, s.bar("curves"))
	}
	if err == nil && c.Impact {
		r.Impact, err = rank.Impact(s.ctx, d, c.Options, s.bar("impact"))
	}
	if err == nil && (c.Conditions || c.Shifted) {
		err = c.overShifted(s, src, d, &r)
	}
	return r, err
}

// board asks the rankers. Where true classes are missing, those that ask for labels rank by the
// images that they select, if these are labelled.
func (c *rankCommand) board(s *session, what string, d rank.Data) (b rank.Board, err error) {
	if b, err = rank.MakeBoard(s.ctx, d, c.Options, s.bar(what)); err == nil {
		_, err = b.ByHand(s.ctx, d, c.Options)
	}
	return b, err
}

// draw writes figures of what there is to draw.
func (c *rankCommand) draw(r rank.Rankings) error {
	correlations := rank.Measures(nil)
	figures := map[string]result.Figure{
		"conditions_accuracy":  rank.ConditionsFigure(r.Conditions, correlations[0], false),
		"conditions_diversity": rank.ConditionsFigure(r.Conditions, correlations[0], true),
	}
	for _, m := range correlations {
		figures["curves_"+m.Key] = rank.CurvesFigure(r.On[0].Suite, r.Curves, m, 0)
	}
	for name, f := range figures {
		if !f.Drawable() {
			continue
		}
		draw := func(w io.Writer, format string) error { return render.Draw(w, f, render.Part{}, format) }
		if err := writeDrawing(c.Out, name, []string{"svg"}, draw); err != nil {
			return err
		}
	}
	return nil
}

// ranksPrinted are ranks and quality on the first suite, and what else was asked for, with remarks.
func ranksPrinted(r rank.Rankings, all []*result.Sheet) (sheets []any, lines []string) {
	first := r.On[0]
	sheets = []any{rank.Ranks.Sheet(rank.RankedOf(first))}
	rated := rank.RatedOf(first)
	for k, name := range first.Names() {
		if why := rated[k].Ranking().Reason; !why.None() {
			lines = append(lines, fmt.Sprintf("%s: no ranking: %s", name, why))
		}
	}
	if first.Truth != nil {
		rated = slices.DeleteFunc(rated, func(one rank.Rated) bool { return !one.Ranking().Reason.None() })
		sheets = append(sheets, rank.Qualities.Sheet(rated))
	}
	for _, sheet := range all {
		switch sheet.Name {
		case rank.CurveTable.Name, rank.ImpactTable.Name, rank.ConditionsTable.Name, rank.Shifts.Name:
			sheets = append(sheets, sheet)
		}
	}
	for j, m := range first.Models {
		if level := first.ChanceOf(j); level.Flagged() {
			lines = append(lines, m.ID+": "+level.Sentence())
		}
	}
	for _, l := range r.LeftOut {
		lines = append(lines, "left out: "+l.String())
	}
	return sheets, below(lines)
}

// ask names the images that a ranker wants to have labelled, as a table with an empty column for
// the labels.
func (c *rankCommand) ask(s *session, src rankSource, d rank.Data) error {
	asked := c.Asked
	asked.Budget = c.Ask
	images, err := rank.Selection(s.ctx, d, c.Methods[0], asked.Options, 0)
	if err != nil {
		return err
	}
	rows := make([]rank.Wanted, len(images))
	for k, i := range images {
		rows[k].Image = i
		if i < len(src.from.Names.Samples) {
			rows[k].Name = src.from.Names.Samples[i]
		}
	}
	sheet := rank.ToLabel.Sheet(rows)
	if err := c.write(c.Out, sheet); err != nil {
		return err
	}
	if s.common.JSON || c.Out == "" {
		return s.give(answer{Document: s.document("rank", &asked, sheet)})
	}
	where := c.Source
	if c.Suite != "" {
		where += fmt.Sprintf(" --suite %q", c.Suite)
	}
	s.say("%s in %s; fill in their labels, then: variscope rank %s --methods %s --budget %d --seed %d --truth %s",
		result.Counted(len(images), "image"), c.Out, where, c.Methods[0], c.Ask, c.Seed, c.Out)
	return nil
}

// rankSource is where predictions come from, and the suite or table that is ranked on.
type rankSource struct {
	from predictions.From
	id   string // of the suite or table
}

func (c *rankCommand) source(s *session) (rankSource, error) {
	var src rankSource
	var err error
	switch {
	case !meansWorkspace(c.Source) && !exists(c.Source):
		return src, fmt.Errorf("rank %s: there is neither a workspace nor a file of predictions", c.Source)
	case !meansWorkspace(c.Source):
		src.from, err = c.readFile(s)
		return src, err
	case c.ClassNames != "":
		return src, usageError("--class-names goes with files of predictions; a workspace knows its classes")
	}
	if src.from.Workspace, err = s.read(c.Source); err != nil {
		return src, err
	}
	if src.id, err = rankedID(src.from.Workspace, c.Suite); err != nil {
		return src, err
	}
	src.from.Names, err = predictions.NamesOf(src.from.Workspace, src.id)
	return src, err
}

// readFile reads a file or folder of predictions.
func (c *rankCommand) readFile(s *session) (from predictions.From, err error) {
	switch {
	case c.Suite != "" || c.Family != "":
		return from, usageError(c.Source + " is no workspace; --suite and --family go with one")
	case c.Conditions || c.Shifted:
		return from, usageError(c.Source + " is no workspace; --conditions and --shifted go with one")
	case c.Truth == string(predictions.ByHand):
		return from, usageError(c.Source + " is no workspace; give labels of its images as --truth FILE.csv")
	}
	from.Path = c.Source
	names, err := predictions.ParseClasses(c.ClassNames)
	if err != nil {
		return from, err
	}
	if from.Table, err = predictions.Read(c.Source, names, 0); err != nil {
		return from, err
	}
	if from.Table.Form != "" {
		s.tell("%s: %s", c.Source, from.Table.Form)
	}
	t := from.Table
	from.Names = predictions.Names{Source: t.Name, Samples: t.SampleNames, Classes: t.ClassNames}
	return from, nil
}

// rankedID is the hash of the suite of this name, or the id of the table; without a name the
// current suite's.
func rankedID(ws *store.Workspace, name string) (string, error) {
	if name == "" {
		current, err := ws.Current()
		if err == nil && current.Suite == "" {
			err = fmt.Errorf("%s has no current suite; name one with --suite, or a table of predictions", ws.Path())
		}
		return current.Suite, err
	}
	t, err := ws.FindPredictionTable(name)
	if errors.Is(err, store.ErrNotFound) {
		m, err := findSuite(ws, name)
		return m.Hash, err
	}
	if err != nil {
		return "", err
	}
	if m, err := ws.FindSuite(name); err == nil {
		return "", fmt.Errorf("%s names a suite and a table of predictions; name the suite by its hash, %s, or the "+
			"table by its id, %s", name, m.Hash, t.ID)
	}
	return t.ID, nil
}

// data are the predictions on a suite, or those of the file.
func (c *rankCommand) data(s *session, from predictions.From, id string) (rank.Data, []rank.LeftOut, error) {
	chosen := predictions.Chosen{On: id, Models: c.Models, Family: c.Family, Truth: c.Truth}
	return from.Data(s.ctx, chosen, s.bar("predictions"))
}

// overShifted ranks on all suites that are derived from the first one, and measures the
// conditions on these and the first. A suite on which too few models were run is left out.
func (c *rankCommand) overShifted(s *session, src rankSource, first rank.Data, r *rank.Rankings) error {
	suites, err := predictions.Shifted(src.from.Workspace, src.id)
	if err != nil {
		return fmt.Errorf("--conditions and --shifted need a suite: %w", err)
	}
	for _, m := range suites {
		d := first
		if m.Hash != src.id {
			var left []rank.LeftOut
			if d, left, err = c.data(s, src.from, m.Hash); err != nil {
				return err
			}
			if err := d.Rankable(left); err != nil {
				r.LeftOut = append(r.LeftOut, rank.LeftOut{Suite: m.Name, SuiteHash: m.Hash, Reason: rank.Why(err)})
				continue
			}
		}
		on := predictions.OnSuite(m)
		if c.Conditions {
			one, err := rank.ConditionsOf(s.ctx, m.Name, d, c.Options)
			if err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
			one.SuiteHash, one.Corruption, one.Severity = on.SuiteHash, on.Corruption, on.Severity
			r.Conditions = append(r.Conditions, one)
		}
		if c.Shifted && m.Hash != src.id {
			if on.Board, err = c.board(s, m.Name, d); err != nil {
				return err
			}
			r.On = append(r.On, on)
		}
	}
	return nil
}
