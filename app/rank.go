package app

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/engine/result"
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
		return nil
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
	} else if err := needFolder(c.Out); err != nil {
		return err
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
	return c.show(s, r)
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
		err = withBar(s, "curves", func(p engine.Progress) (err error) {
			r.Curves, err = rank.Curves(s.ctx, d, c.Options, budgets, p)
			return err
		})
	}
	if err == nil && c.Impact {
		err = withBar(s, "impact", func(p engine.Progress) (err error) {
			r.Impact, err = rank.Impact(s.ctx, d, c.Options, p)
			return err
		})
	}
	if err == nil && (c.Conditions || c.Shifted) {
		err = c.overShifted(s, src, d, &r)
	}
	return r, err
}

// board asks the rankers. Where true classes are missing, those that ask for labels rank by the
// images that they select, if these are labelled.
func (c *rankCommand) board(s *session, what string, d rank.Data) (b rank.Board, err error) {
	err = withBar(s, what, func(p engine.Progress) error {
		b, err = rank.MakeBoard(s.ctx, d, c.Options, p)
		return err
	})
	if err == nil {
		_, err = b.ByHand(s.ctx, d, c.Options)
	}
	return b, err
}

// show writes the files and prints the tables.
func (c *rankCommand) show(s *session, r rank.Rankings) error {
	doc := r.Document(c.Asked)
	doc.Notes = s.notes()
	if c.Out != "" {
		if err := c.draw(r); err != nil {
			return err
		}
	}
	a := answer{Document: doc, name: "ranking", folder: c.Out, forSpreadsheets: c.ForSpreadsheets}
	a.tables, a.lines = ranksPrinted(r, doc.Sheets)
	return s.give(a)
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
		if _, err := writeDrawing(c.Out, name, []string{"svg"}, draw); err != nil {
			return err
		}
	}
	return nil
}

// ranksPrinted are ranks and quality on the first suite, and what else was asked for, with remarks.
func ranksPrinted(r rank.Rankings, all []*result.Sheet) (sheets []*result.Sheet, lines []string) {
	first := r.On[0]
	sheets = []*result.Sheet{rank.Ranks.Sheet(rank.RankedOf(first))}
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
	if len(lines) > 0 {
		lines = append([]string{""}, lines...)
	}
	return sheets, lines
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
	s.say("%s in %s; fill in their labels, then: variscope rank %s --methods %s --budget %d --seed %d --truth %s",
		result.Counted(len(images), "image"), c.Out, c.where(), c.Methods[0], c.Ask, c.Seed, c.Out)
	return nil
}

// where is the source as it was named.
func (c *rankCommand) where() string {
	if c.Suite == "" {
		return c.Source
	}
	return fmt.Sprintf("%s --suite %q", c.Source, c.Suite)
}

// isPredictions tells a file or folder of predictions from a workspace.
func isPredictions(path string) (bool, error) {
	if meansWorkspace(path) {
		return false, nil
	}
	if _, err := os.Stat(path); err != nil {
		return false, fmt.Errorf("rank %s: there is neither a workspace nor a file of predictions", path)
	}
	return true, nil
}
