package app

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/store/durable"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/predictions"
)

type rankCommand struct {
	Source      string   `arg:"" help:"Workspace, predictions (.csv, .npy, .npz), or a folder with a file of predictions per model."`
	Suite       string   `help:"Suite of the workspace, by name or hash, or a table of predictions by name (default: the current suite)."`
	Models      []string `help:"Models, by id (default: all with predictions)." placeholder:"ID"`
	Methods     []string `aliases:"method" help:"Rankers: laf, laf-reference, laf-no-pruning, laf-no-optimising, crc, random, sds, ces, ces-reference, ces-oracle, ei, d-score, robust-accuracy, mean-variance, or all (default: those without variants that the data allow)." placeholder:"M"`
	LaF         string   `name:"laf" help:"LaF's M-step: exact, or reference (as in the published code)." enum:"exact,reference" default:"exact"`
	Truth       string   `help:"True classes: suite, hand (labels of images given in the window), none, or a CSV file with the columns sample and label." default:"suite" placeholder:"suite|hand|none|FILE.csv"`
	Budget      int      `help:"Labels for the rankers that need some (default: as many as models, at least 30)." min:"0"`
	Repetitions int      `help:"Draws of the rankers that need labels." default:"50" min:"1" max:"100000"`
	Seed        uint64   `help:"Seed of the draws." default:"1"`
	Top         []int    `help:"Best models that Jaccard compares." default:"1,3,5,10" min:"1"`
	Family      string   `help:"Family for robust accuracy and mean variance (default: the workspace's current one)."`
	Classes     string   `help:"For files: names of the classes, one per line." type:"existingfile" placeholder:"names.txt"`
	Curves      bool     `help:"Also quality over the labelling budget."`
	Budgets     []int    `help:"Budgets of the curves (default: from --budget's default to 180 in steps of 5, and 500, 1500, 2500)." placeholder:"N" min:"1"`
	Impact      bool     `help:"Also LaF on shares of the models and of the images."`
	Conditions  bool     `help:"Also LaF's quality beside mean, deviation and range of the accuracies, on the suite and all that are derived from it."`
	Shifted     bool     `help:"Also all rankers on every suite that is derived from this one."`
	Ask         int      `help:"Only name the samples whose labels one ranker (--method) needs for a budget of N." placeholder:"N" min:"0"`
	Workers     int      `help:"Goroutines (default: one per processor)." min:"0"`
	Out         string   `help:"Folder for ranking.csv, ranking.json, quality.csv, rank_correlation.csv, hard_images.csv and what else was asked for; with --ask the CSV file to write." type:"path"`
}

func (c *rankCommand) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	src, err := c.source(s)
	if err != nil {
		return err
	}
	d, left, err := src.data(s, src.id)
	if err != nil {
		return err
	}
	if err := rankable(d, left); err != nil {
		return fmt.Errorf("%s: %w", src.names.Source, err)
	}
	if c.Ask > 0 {
		return c.ask(s, src, d)
	}
	r, err := c.rank(s, src, d)
	if err != nil {
		return err
	}
	r.LeftOut = append(leftOut(left), r.LeftOut...)
	if err := unranked(r.Board); err != nil {
		return fmt.Errorf("%s: %w", r.Source, err)
	}
	return c.show(s, r)
}

// unranked says why there is no ranking when none of the rankers has one.
func unranked(b rank.Board) error {
	var reasons []string
	for _, one := range b.Rankings {
		if one.Reason == "" {
			return nil
		}
		reasons = append(reasons, fmt.Sprintf("%s: %s", one.Method, one.Reason))
	}
	return errors.New("there is no ranking: " + strings.Join(reasons, "; "))
}

// check refuses flags that do not go together.
func (c *rankCommand) check() error {
	if _, err := c.methods(); err != nil {
		return err
	}
	switch {
	case len(c.Budgets) > 0 && !c.Curves:
		return usageError("--budgets goes with --curves")
	case c.Ask > 0:
		return c.checkAsk()
	}
	return needFolder(c.Out)
}

// usual are the rankers of the default: the others are variants of them.
var usual = []rank.Method{
	rank.LaFMethod, rank.CRC, rank.Random, rank.SDS, rank.CES, rank.EI, rank.DScore, rank.RobustAccuracy, rank.MeanVariance,
}

// methods are those that the flags name; nil for the usual ones.
func (c *rankCommand) methods() ([]rank.Method, error) {
	var list []rank.Method
	for _, name := range c.Methods {
		switch m := rank.Method(name); {
		case name == "all":
			list = append(list, rank.Methods()...)
		case slices.Contains(rank.Methods(), m):
			list = append(list, m)
		default:
			return nil, usageError(fmt.Sprintf("there is no ranker %q; --methods takes %s, or all", name, join(rank.Methods())))
		}
	}
	return list, nil
}

func join(methods []rank.Method) string {
	names := make([]string, len(methods))
	for k, m := range methods {
		names[k] = string(m)
	}
	return strings.Join(names, ", ")
}

// options are those of the board; without --methods the usual rankers that the data allow, and with "all" every one of those.
func (c *rankCommand) options(d rank.Data) rank.BoardOptions {
	o := rank.BoardOptions{Budget: c.Budget, Repetitions: c.Repetitions, Seed: c.Seed, TopK: c.Top, Workers: c.Workers}
	list, _ := c.methods() // checked before
	if list == nil || slices.Contains(c.Methods, "all") {
		if list == nil {
			list = usual
		}
		list = slices.DeleteFunc(slices.Clone(list), func(m rank.Method) bool { return !d.Allows(m) })
	}
	for k, m := range list {
		if m == rank.LaFMethod && c.LaF == "reference" {
			list[k] = rank.LaFReference
		}
	}
	for _, m := range list {
		if !slices.Contains(o.Methods, m) {
			o.Methods = append(o.Methods, m)
		}
	}
	return o
}

// rank asks the rankers and makes what else the flags ask for.
func (c *rankCommand) rank(s *session, src rankSource, d rank.Data) (export.Rankings, error) {
	r := export.Rankings{
		Source: src.names.Source, Classes: d.Classes, SampleNames: src.names.Samples, ClassNames: src.names.Classes, Truth: d.Truth,
	}
	err := withBar(s, "rank", func(p engine.Progress) (err error) {
		r.Board, err = c.board(s, d, p)
		return err
	})
	if err != nil {
		return r, err
	}
	if c.Curves {
		budgets := c.Budgets
		if budgets == nil {
			budgets = rank.Budgets(len(d.Models), d.Samples)
		}
		err = withBar(s, "curves", func(p engine.Progress) (err error) {
			r.Curves, err = rank.Curves(s.ctx, d, c.options(d), budgets, p)
			return err
		})
	}
	if err == nil && c.Impact {
		err = withBar(s, "impact", func(p engine.Progress) (err error) {
			r.Impact, err = rank.Impact(s.ctx, d, c.options(d), p)
			return err
		})
	}
	if err != nil {
		return r, fmt.Errorf("%s: %w", r.Source, err)
	}
	if c.Conditions || c.Shifted {
		return r, c.overShifted(s, src, &r)
	}
	return r, nil
}

func withBar(s *session, what string, do func(p engine.Progress) error) error {
	bar := newBar(s.stderr, what)
	defer bar.done()
	return do(bar)
}

// board asks the rankers. Where labels are missing, those that ask for labels rank by the samples that they selected, if these are
// labelled.
func (c *rankCommand) board(s *session, d rank.Data, p engine.Progress) (rank.Board, error) {
	o := c.options(d)
	reasons, budgets := map[rank.Method]string{}, map[rank.Method]int{}
	if d.Truth == nil || slices.Contains(d.Truth, -1) {
		for _, m := range o.Methods {
			if !m.Sampled() || m == rank.CESOracle {
				continue
			}
			one, err := rank.FromSelection(s.ctx, d, m, o)
			if s.ctx.Err() != nil {
				return rank.Board{}, s.ctx.Err()
			}
			if err != nil {
				reasons[m] = err.Error()
				continue
			}
			d.Given = append(slices.Clip(d.Given), rank.Given{Method: m, Scores: one.Scores, Note: one.Note})
			budgets[m] = one.Budget
		}
	}
	b, err := rank.MakeBoard(s.ctx, d, o, p)
	for k := range b.Rankings {
		one := &b.Rankings[k]
		one.Budget = max(one.Budget, budgets[one.Method])
		if reason := reasons[one.Method]; one.Reason != "" && reason != "" {
			one.Reason = reason
		}
	}
	return b, err
}

// rankable says in one sentence why data cannot be ranked.
func rankable(d rank.Data, left []predictions.LeftOut) error {
	if err := d.Check(); err != nil {
		if len(left) > 0 {
			err = fmt.Errorf("%w; left out: %s", err, someReasons(left))
		}
		return err
	}
	if d.Identical() {
		return fmt.Errorf("all %d models predict the same class for each of the %d images, so nothing tells them apart", len(d.Models), d.Samples)
	}
	return nil
}

// someReasons lists models that are left out, at most five; models with the same reason share it.
func someReasons(left []predictions.LeftOut) string {
	const most = 5
	var order []string
	models := map[string][]string{}
	for _, l := range left {
		if models[l.Reason] == nil {
			order = append(order, l.Reason)
		}
		models[l.Reason] = append(models[l.Reason], l.ID)
	}
	var parts []string
	for _, reason := range order {
		ids := models[reason]
		text := strings.Join(ids[:min(most, len(ids))], ", ")
		if more := len(ids) - most; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, fmt.Sprintf("%s (%s)", text, reason))
	}
	return strings.Join(parts, ", ")
}

func leftOut(left []predictions.LeftOut) []export.RankLeftOut {
	list := make([]export.RankLeftOut, len(left))
	for k, l := range left {
		list[k] = export.RankLeftOut{ID: l.ID, Reason: l.Reason}
	}
	return list
}

// show prints the tables and writes the files.
func (c *rankCommand) show(s *session, r export.Rankings) error {
	if c.Out != "" {
		for _, f := range r.Files() {
			if err := durable.WriteFile(filepath.Join(c.Out, f.Name), f.Write); err != nil {
				return err
			}
		}
		if err := writeFigures(c.Out, r); err != nil {
			return err
		}
	}
	if s.common.JSON {
		return r.JSON(s.stdout)
	}
	return printRankings(s, r)
}

// writeFigures draws what there is to draw.
func writeFigures(folder string, r export.Rankings) error {
	for _, f := range rankFigures(r) {
		err := durable.WriteFile(filepath.Join(folder, f.name), func(w io.Writer) error { return f.figure.Write(w, "svg") })
		if err != nil {
			return err
		}
	}
	return nil
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
