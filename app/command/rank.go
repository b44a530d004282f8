package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/predictions"
)

type rankCommand struct {
	Source string `arg:"" study:"path" help:"Workspace, predictions (.csv, .npy, .npz), a folder with a file of predictions per model, or a table of qualities (.csv, a row per suite and ranker, such as quality.csv of --out)."`
	rank.Asked
	ClassNames string `aliases:"classes" help:"For files: names of the classes, one per line." type:"existingfile" placeholder:"names.txt"`
	Ask        int    `help:"Only name the images whose labels one ranker (--methods) needs for a budget of N." placeholder:"N" min:"0"`
	Out        string `help:"Folder for the tables (ranks.csv, ranking.csv, quality.csv, hard_images.csv and what else was asked for), ranking.json and figures; with --ask for labels.csv, or the name of that file." type:"path" study:"-"`
	spreadsheetFlag
}

// Check says what does not go with --ask.
func (c *rankCommand) Check() error {
	switch {
	case c.Ask == 0:
		return option.NeedFolder("out", c.Out)
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

func (c *rankCommand) Run(s *Session) error {
	if c.Ask > 0 {
		c.Out = fileIn(c.Out, "labels.csv")
	}
	a := answer{name: "ranking", out: output{outFolder{c.Out}, c.spreadsheetFlag}, formats: []string{"svg"}}
	if groups, is, err := c.qualities(); is || err != nil {
		if err != nil {
			return fmt.Errorf("%s: %w", c.Source, err)
		}
		sheets := rank.GivenSheets(groups)
		a.Document = s.document("rank", nil, sheets...)
		a.show(sheets...)
		return s.give(a)
	}
	from, err := c.from(s)
	if err != nil {
		return err
	}
	d, left, err := from.Data(s.ctx, c.Asked, s.bar("predictions"))
	if err != nil {
		return err
	}
	if err := d.Rankable(left); err != nil {
		return fmt.Errorf("%s: %w", from.Names.Source, err)
	}
	if c.Ask > 0 {
		return c.ask(s, from, d)
	}
	r, err := from.Rankings(s.ctx, c.Asked, d, left, func(what string) engine.Progress { return s.bar(what) })
	if err != nil {
		return fmt.Errorf("%s: %w", from.Names.Source, err)
	}
	a.Document = s.document("rank", &c.Asked, r.Sheets()...)
	correlations := rank.Measures(nil)
	a.draw("conditions_accuracy", rank.ConditionsFigure(r.Conditions, correlations[0], false))
	a.draw("conditions_diversity", rank.ConditionsFigure(r.Conditions, correlations[0], true))
	for _, m := range correlations {
		a.draw("curves_"+m.Key, rank.CurvesFigure(r.On[0].Suite, r.On[0].Curves, m, 0))
	}
	a.showRanks(r)
	return s.give(a)
}

// qualities are those of a table of qualities; is is false for any other source.
func (c *rankCommand) qualities() (groups []rank.Suites, is bool, err error) {
	if suffixOf(c.Source) != ".csv" {
		return nil, false, nil
	}
	in, err := outside.Open(c.Source, outside.Table)
	if err != nil {
		return nil, false, nil //nolint:nilerr // it is said where predictions are read
	}
	groups, is, err = rank.ReadQualities(in)
	err = errors.Join(err, in.Close())
	given := option.Args(&c.Asked)
	if c.ClassNames != "" {
		given = append(given, "--class-names")
	}
	if is && len(given) > 0 {
		return nil, true, usageError("a table of qualities goes with --out alone; leave out " +
			strings.Join(given, " "))
	}
	return groups, is, err
}

// showRanks shows ranks and quality on the first suite, and what else was asked for, with remarks.
func (a *answer) showRanks(r rank.Rankings) {
	first, lines := r.On[0], []string(nil)
	a.show(rank.Ranks.Sheet(rank.RankedOf(first)))
	rated := rank.RatedOf(first)
	for k, name := range first.Names() {
		if why := rated[k].Ranking().Reason; !why.None() {
			lines = append(lines, fmt.Sprintf("%s: no ranking: %s", name, why))
		}
	}
	if first.Truth != nil {
		rated = slices.DeleteFunc(rated, func(one rank.Rated) bool { return !one.Ranking().Reason.None() })
		a.show(rank.Qualities.Sheet(rated))
	}
	for _, sheet := range a.Sheets {
		switch sheet.Name {
		case rank.CurveTable.Name, rank.ImpactTable.Name, rank.ConditionsTable.Name, rank.Averages.Name,
			rank.Shifts.Name:
			a.show(sheet)
		}
	}
	for j, m := range first.Models {
		if level := first.ChanceOf(j); level.Flagged() {
			lines = append(lines, m.ID+": "+level.Sentence())
		}
	}
	var elsewhere []rank.LeftOut // models on suites that are derived from the first
	for _, l := range r.LeftOut {
		if l.ID != "" && l.SuiteHash != first.SuiteHash {
			elsewhere = append(elsewhere, l)
			continue
		}
		lines = append(lines, "left out: "+l.String())
	}
	for _, line := range rank.Partly(elsewhere) {
		lines = append(lines, "left out on "+line)
	}
	if text := rank.Uneven(r.On); text != "" {
		lines = append(lines, text)
	}
	a.lines = below(lines)
}

// ask names the images that a ranker wants to have labelled, as a table with an empty column for
// the labels.
func (c *rankCommand) ask(s *Session, from predictions.From, d rank.Data) error {
	asked := c.Asked
	asked.Budget = c.Ask
	images, err := rank.Selection(s.ctx, d, c.Methods[0], asked.Options, 0)
	if err != nil {
		return err
	}
	rows := make([]rank.Wanted, len(images))
	for k, i := range images {
		rows[k].Image = i
		if i < len(from.Names.Samples) {
			rows[k].Name = from.Names.Samples[i]
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

// from is where the predictions come from: a workspace, or a file or folder, which is read.
func (c *rankCommand) from(s *Session) (from predictions.From, err error) {
	switch {
	case meansWorkspace(c.Source) && c.ClassNames != "":
		return from, usageError("--class-names goes with files of predictions; a workspace knows its classes")
	case meansWorkspace(c.Source):
		if from.Workspace, err = s.read(c.Source); err != nil {
			return from, err
		}
		if from.ID, err = rankedID(from.Workspace, c.Suite); err != nil {
			return from, err
		}
		from.Names, err = predictions.NamesOf(from.Workspace, from.ID)
		return from, err
	case !exists(c.Source):
		return from, fmt.Errorf("rank %s: there is neither a workspace nor a file of predictions", c.Source)
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
	t, err := predictions.Read(c.Source, names, 0)
	if err != nil {
		return from, err
	}
	if t.Form != "" {
		s.tell("%s: %s", c.Source, t.Form)
	}
	from.Table = t
	from.Names = predictions.Names{Source: t.Name, Samples: t.SampleNames, Classes: t.ClassNames}
	return from, nil
}

// rankedID is the hash of the suite of this name, or the id of the table; without a name the
// current suite's.
func rankedID(ws *store.Workspace, name string) (string, error) {
	if name == "" {
		hash, err := orCurrent(ws, "", "suite")
		if err != nil {
			err = fmt.Errorf("%w, or a table of predictions", err)
		}
		return hash, err
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
