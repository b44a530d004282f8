package app

import (
	"fmt"
	"path/filepath"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// eiReport is what ei prints with --json.
type eiReport struct {
	Rows    []eiRow       `json:"rows"`
	Studies []studyReport `json:"studies,omitempty"`
	LeftOut []eiLeft      `json:"left_out"`
	lines   []string      // LeftOut for people
}

// eiRow is one model on one suite under one family or set: means over all images and transformations.
type eiRow struct {
	Model           string            `json:"model_id"`
	Hash            string            `json:"model_hash"`
	Suite           string            `json:"suite"`
	SuiteHash       string            `json:"suite_hash"`
	Family          string            `json:"family"`
	Images          int               `json:"images"`
	Labelled        int               `json:"labelled"`
	Accuracy        *float64          `json:"accuracy"`
	Chance          chance.Level      `json:"chance"`
	Drop            *float64          `json:"accuracy_drop"`
	Mean            invariance.Values `json:"mean"`
	Scores          named             `json:"scores"`
	Missing         string            `json:"missing,omitempty"`
	Transformations []eiStep          `json:"transformations"`
}

// eiStep is one transformation over all images.
type eiStep struct {
	Transformation int               `json:"transformation"`
	Name           string            `json:"name"`
	V              *float64          `json:"v"`
	Accuracy       *float64          `json:"accuracy"`
	Drop           *float64          `json:"accuracy_drop"`
	Mean           invariance.Values `json:"mean"`
}

// eiLeft is a combination that was not measured.
type eiLeft struct {
	Model  string `json:"model_id"`
	Hash   string `json:"model_hash"`
	Suite  string `json:"suite"`
	Family string `json:"family"`
	Reason string `json:"reason"`
}

func eiRows(measured []invariance.Measured) []eiRow {
	rows := make([]eiRow, len(measured))
	for i, m := range measured {
		rows[i] = eiRow{
			Model: m.Model.ID, Hash: m.Model.Hash, Suite: m.SuiteName, SuiteHash: m.Suite, Family: m.Family, Images: m.Images,
			Labelled: m.Labelled, Accuracy: defined(m.Accuracy), Chance: m.Chance.Level(), Drop: defined(m.Drop), Mean: m.Mean,
			Scores: scoreNumbers(m.Scores), Missing: m.Missing.Text,
		}
		for _, r := range m.Rows {
			rows[i].Transformations = append(rows[i].Transformations, eiStep{
				r.Transformation, r.Name, defined(r.V), defined(r.Accuracy), defined(r.AccuracyDrop), r.Mean,
			})
		}
	}
	return rows
}

func eiLeftOut(ws *store.Workspace, left []invariance.LeftOut) []eiLeft {
	list := make([]eiLeft, len(left))
	for i, l := range left {
		list[i] = eiLeft{l.ID, l.Hash, suiteName(ws, l.Suite), l.Family, l.Reason.Text}
	}
	return list
}

// shownIDs is how many models a line about what is left out names.
const shownIDs = 5

// leftOutLines are one line per suite, family and reason, in the order in which they come first.
func leftOutLines(ws *store.Workspace, left []invariance.LeftOut) []string {
	type about struct{ suite, family, reason string }
	ids := map[about][]string{}
	var order []about
	for _, l := range left {
		key := about{l.Suite, l.Family, l.Reason.Text}
		if ids[key] == nil {
			order = append(order, key)
		}
		ids[key] = append(ids[key], l.ID)
	}
	lines := make([]string, len(order))
	for i, key := range order {
		lines[i] = fmt.Sprintf("%s on %s, %s: %s", firstOf(ids[key], shownIDs), suiteName(ws, key.suite), shortFamily(key.family), key.reason)
	}
	return lines
}

// shortFamily is a family's text for people.
func shortFamily(text string) string {
	f, err := transform.ParseAny(text)
	if err != nil {
		return text
	}
	return f.Short()
}

// table is the measures of every row, or per transformation, or the studies where there are some.
func (r eiReport) table(each bool) [][]string {
	var rows [][]string
	switch {
	case len(r.Studies) > 0:
		rows = studyTable(r.Studies)
	case each:
		rows = r.eachTable()
	default:
		rows = r.meanTable()
	}
	for _, line := range r.lines {
		rows = append(rows, []string{line})
	}
	return rows
}

// measureHeads are the columns of the measures.
func measureHeads() []string {
	names := make([]string, invariance.Measures)
	for m := range invariance.Measures {
		names[m] = m.String()
	}
	return names
}

func (r eiReport) meanTable() [][]string {
	head := append([]string{"model", "suite", "family", "images", "accuracy", "chance", "drop"}, measureHeads()...)
	for _, score := range r.Rows[0].Scores {
		head = append(head, score.name)
	}
	rows := [][]string{head}
	for _, one := range r.Rows {
		row := []string{one.Model, one.Suite, shortFamily(one.Family), fmt.Sprint(one.Images), number(one.Accuracy), orDash(one.Chance.Code.Word()), number(one.Drop)}
		row = append(row, measureCells(one.Mean)...)
		for _, score := range one.Scores {
			row = append(row, number(score.value))
		}
		rows = append(rows, row)
	}
	missing := map[string]bool{} // what is said already
	for _, one := range r.Rows {
		if one.Missing != "" && !missing[one.Model] {
			missing[one.Model] = true
			rows = append(rows, []string{one.Model + ": no js, l2, kl: " + one.Missing})
		}
	}
	for _, one := range r.Rows {
		if line := one.Model + ": " + one.Chance.Sentence(); one.Chance.Flagged() && !missing[line] { // once for all families
			missing[line] = true
			rows = append(rows, []string{line})
		}
	}
	return rows
}

func (r eiReport) eachTable() [][]string {
	rows := [][]string{append([]string{"model", "suite", "transformation", "accuracy", "drop"}, measureHeads()...)}
	for _, one := range r.Rows {
		for _, step := range one.Transformations {
			row := []string{one.Model, one.Suite, step.Name, number(step.Accuracy), number(step.Drop)}
			rows = append(rows, append(row, measureCells(step.Mean)...))
		}
	}
	return rows
}

func measureCells(v invariance.Values) []string {
	cells := make([]string, len(v))
	for m, value := range v {
		cells[m] = number(defined(value))
	}
	return cells
}

// suffixOf is a path's ending.
func suffixOf(path string) string { return filepath.Ext(filepath.Clean(path)) }
