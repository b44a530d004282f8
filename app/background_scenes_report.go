package app

import (
	"fmt"
	"strconv"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	scenes "github.com/variscope/variscope/store/background"
)

func newSelectionReport(r store.SelectionRecord, s background.Selection) selectionReport {
	return selectionReport{
		Hash: r.Hash, Name: r.Name, Method: s.Choice.Method, N: s.N(), Seed: s.Choice.Seed, Jitter: s.Choice.Jitter,
		Targets: s.Targets, Backgrounds: s.Backgrounds, Masks: s.Masks, Table: s.Table, Ontology: s.Ontology, Edits: s.Edits,
		Rule: s.Rule, Expansion: s.Expansion, Feather: s.Feather, Align: s.Align, Vetoed: append([]int{}, s.Vetoed...), Far: s.Far(),
	}
}

// report says what was chosen and why.
func (w *scenesWork) report() scenesReport {
	r := scenesReport{
		Selection: newSelectionReport(w.record, w.plan.Selection), Targets: len(w.plan.Selection.Chosen), Bare: []string{}, Expansion: []levelRow{},
	}
	for _, level := range background.Levels(w.plan.Expansions, w.ask.Expansion.MaxLevels) {
		r.Expansion = append(r.Expansion, levelRow{level.Level, level.Min, level.Mean, level.Max})
	}
	for _, i := range w.plan.Bare {
		r.Bare = append(r.Bare, w.targets.ImageName(i))
	}
	for i, row := range w.plan.Selection.Chosen {
		for k, scene := range row {
			r.Chosen = append(r.Chosen, w.row(i, k, scene))
		}
	}
	v := w.plan.Selection.Diversity(w.plan.Selection.Far())
	r.Diversity = diversityReport{v.Different, v.MostUsed, v.Filled, v.Even, append([]int{}, v.ByLevel...), v.ByDistance}
	d := v.Distance
	r.Distances = distances{d.Least, d.Lower, d.Median, d.Upper, d.Far, d.Mean}
	return r
}

func (w *scenesWork) row(target, rank int, scene background.Scene) chosenRow {
	row := chosenRow{
		Target: w.targets.ImageName(target), Rank: rank + 1, Background: w.backgrounds.ImageName(scene.Background), Distance: scene.Distance,
	}
	if scene.Keyword >= 0 {
		word := w.plan.Keywords.Items[scene.Keyword]
		row.Keyword, row.Level = &word, &scene.Level
	}
	return row
}

// sheet has a row per target and scene.
func (r scenesReport) sheet() sheet {
	return sheet{"scenes.csv", []string{"target", "rank", "background", "keyword", "level", "distance"}, func(row func(...string) error) error {
		for _, one := range r.Chosen {
			word, level := one.reason()
			if err := row(comma.Guard(one.Target), strconv.Itoa(one.Rank), comma.Guard(one.Background), word, level, digits(&one.Distance)); err != nil {
				return err
			}
		}
		return nil
	}}
}

// reason is the keyword and level that a scene was chosen for; empty where there is none.
func (r chosenRow) reason() (word, level string) {
	if r.Keyword == nil {
		return "", ""
	}
	return *r.Keyword, strconv.Itoa(*r.Level)
}

func (w *scenesWork) print(r scenesReport) error {
	if w.s.common.JSON {
		return writeJSON(w.s.stdout, r)
	}
	rows := [][]string{{"target", "rank", "background", "keyword", "level", "distance"}}
	for _, one := range r.Chosen[:min(len(r.Chosen), w.command.Show*r.Selection.N)] {
		word, level := one.reason()
		rows = append(rows, []string{one.Target, strconv.Itoa(one.Rank), one.Background, orDash(scenes.PlainWord(word)), orDash(level), decimals4(one.Distance)})
	}
	if len(rows) > 1 {
		if err := w.s.print(nil, rows); err != nil {
			return err
		}
		w.s.say("")
	}
	for _, line := range w.lines(r) {
		w.s.say("%s", line)
	}
	return nil
}

func (w *scenesWork) lines(r scenesReport) []string {
	d := r.Distances
	lines := []string{
		fmt.Sprintf("selection %s: %d scenes for each of %d targets, %d different backgrounds of %d", r.Selection.Name, r.Selection.N, r.Targets,
			r.Diversity.Different, w.backgrounds.Images),
		fmt.Sprintf("distances: from %.3f to %.3f, quartiles %.3f %.3f %.3f, mean %.3f", d.Min, d.Max, d.Q25, d.Median, d.Q75, d.Mean),
		"hash " + r.Selection.Hash,
	}
	if len(r.Bare) > 0 {
		lines = append(lines, fmt.Sprintf("%d targets have no keyword and take the nearest scenes: %s", len(r.Bare), result.Some(r.Bare)))
	}
	if r.Files > 0 {
		lines = append(lines, fmt.Sprintf("%d pictures", r.Files))
	}
	return lines
}
