package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	scenes "github.com/variscope/variscope/store/background"
)

func newFieldReport(row scenes.FieldRow, p scatter.Interpolant, m scatter.Matrix) fieldReport {
	f := fieldReport{Interpolant: p.String(), Name: row.Interpolant, Undefined: row.Undefined, row: row, matrix: m}
	for k, v := range row.Features {
		f.Features = append(f.Features, namedNumber{name: scatter.Feature(k).String(), value: defined(v)})
	}
	return f
}

// compare sets the matrices of selections against each other whose settings differ by the seed
// alone (spec section 12, B4).
func (w *fieldWork) compare() {
	for _, m := range w.models {
		var rows []sceneModel
		for _, one := range w.report.Models {
			if one.Hash == m.Hash {
				rows = append(rows, one)
			}
		}
		for k := range w.measures {
			for i := range w.interpolants {
				w.report.Runs = append(w.report.Runs, w.runs(rows, k, i)...)
			}
		}
	}
}

// runs are the differences of one model, measure and interpolant, one per way of choosing with two
// selections at least.
func (w *fieldWork) runs(rows []sceneModel, measure, interpolant int) []runsDifference {
	var list []runsDifference
	done := map[string]bool{}
	for _, way := range w.ways {
		if done[way] {
			continue
		}
		done[way] = true
		d := runsDifference{Measure: string(w.measures[measure]), Interpolant: w.interpolants[interpolant].Name(), How: way}
		var fields []scatter.Matrix
		for _, row := range rows {
			if row.way == way && len(row.Measures[measure].Matrices) > 0 {
				d.Model = row.Model
				d.Selections = append(d.Selections, row.Selection)
				fields = append(fields, row.Measures[measure].Matrices[interpolant].matrix)
			}
		}
		if len(fields) < 2 {
			continue
		}
		mean, pairs := scatter.Pairwise(fields)
		d.Pairs, d.Mean = len(pairs), mean
		list = append(list, d)
	}
	return list
}

func (w *fieldWork) print() error {
	if w.s.common.JSON {
		return writeJSON(w.s.stdout, w.report)
	}
	tables := [][][]string{w.report.outcomeRows(), w.report.fieldRows()}
	if len(w.report.Runs) > 0 {
		tables = append(tables, w.report.runRows())
	}
	for k, rows := range tables {
		if k > 0 {
			w.s.say("")
		}
		if err := w.s.print(nil, rows); err != nil {
			return err
		}
	}
	for k, line := range w.lines() {
		if k == 0 {
			w.s.say("")
		}
		w.s.say("%s", line)
	}
	return nil
}

func (r sceneMatrices) outcomeRows() [][]string {
	head := []string{"model", "selection", "targets", "accuracy", "composites", "worst case", "changed"}
	covers := slices.ContainsFunc(r.Models, func(one sceneModel) bool { return one.Coverage != nil })
	if covers {
		head = append(head, "coverage")
	}
	rows := [][]string{head}
	for _, one := range r.Models {
		o := one.Outcome
		row := []string{
			one.Model, one.Selection, strconv.Itoa(o.Targets), number(o.Accuracy), number(o.Composite), number(o.WorstCase), number(o.Changed),
		}
		if covers {
			row = append(row, number(one.covered()))
		}
		rows = append(rows, row)
	}
	return rows
}

// covered is the share of neurons that the scenes reach, nil where it was not asked for.
func (m sceneModel) covered() *float64 {
	if m.Coverage == nil {
		return nil
	}
	return &m.Coverage.Share
}

// fieldRows have a row per matrix, with its features.
func (r sceneMatrices) fieldRows() [][]string {
	head := []string{"model", "selection", "measure", "interpolant"}
	for k := range scatter.Count {
		head = append(head, scatter.Feature(k).String())
	}
	if r.Share < 1 {
		head = append(head, "from all targets", "spread")
	}
	rows := [][]string{head}
	for _, one := range r.Models {
		for _, measure := range one.Measures {
			for _, f := range measure.Matrices {
				row := []string{one.Model, one.Selection, measure.Measure, f.Name}
				for _, feature := range f.Features {
					row = append(row, number(feature.value))
				}
				if f.Share != nil {
					row = append(row, decimals4(f.Share.Mean), decimals4(f.Share.Sd))
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func (r sceneMatrices) runRows() [][]string {
	rows := [][]string{{"model", "measure", "interpolant", "scenes by", "selections", "mean difference"}}
	for _, one := range r.Runs {
		rows = append(rows, []string{one.Model, one.Measure, one.Interpolant, one.How, strconv.Itoa(len(one.Selections)), decimals4(one.Mean)})
	}
	return rows
}

// lines say what is absent, flagged, or left out.
func (w *fieldWork) lines() []string {
	var lines []string
	for _, one := range w.report.Models {
		for _, measure := range one.Measures {
			if measure.Absent != "" {
				lines = append(lines, fmt.Sprintf("%s has no %s: %s", one.Model, measure.Measure, measure.Absent))
			}
			for _, f := range measure.Matrices {
				if f.Undefined > 0 {
					lines = append(lines, fmt.Sprintf("%s, %s, %s: %d elements have no value and the matrix no features",
						one.Model, measure.Measure, f.Name, f.Undefined))
				}
			}
		}
		if len(one.Flags) > 0 {
			lines = append(lines, one.Model+": "+strings.Join(one.Flags, ", "))
		}
	}
	reasons := map[string][]string{}
	var order []string
	for _, left := range w.report.LeftOut {
		about := left.Selection + ": " + left.Reason
		if reasons[about] == nil {
			order = append(order, about)
		}
		reasons[about] = append(reasons[about], left.Model)
	}
	for _, about := range order {
		lines = append(lines, result.Some(reasons[about])+" in the scenes of "+about)
	}
	return lines
}

// measureNames are the columns of the measures.
func measureNames(list []scenes.Measure) []string {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = string(m)
	}
	return names
}
