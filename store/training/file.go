package training

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/intake"
)

// finalColumn is the column of a table of features that holds its labels.
const finalColumn = "final"

// The columns of training records that hold accuracies: what an export measured, else what the
// record itself says.
var (
	robustColumns   = []string{"measured_robust_accuracy", "robust_accuracy"}
	worstColumns    = []string{"measured_worst_case_accuracy", "worst_case_accuracy"} // with interpolated matrices
	accuracyColumns = []string{"measured_accuracy", "test_accuracy"}
)

// FromFile gathers what Label gathers from files alone: features from a features.csv or
// features.parquet, and training records from a models.csv ("" for none), which is joined by model
// id. Labels come from a table of labels, from a column of the records, or, where neither is
// named, from the table's own column final; the lists are those of Label. Of the scores only
// robust accuracy (worst-case accuracy, with interpolated matrices) can be known, from the
// records; the others are NaN.
//
// The columns are brought into the order of the layout; some may be missing. A Parquet table of
// ours says how it was measured; for any other the default profile, threshold and share are taken.
// A feature that the published code leaves undefined is 0, as everywhere in training.
func FromFile(path, records string, from Labels) (assess.Data, []LeftOut, error) {
	if err := from.check(); err != nil {
		return assess.Data{}, nil, err
	}
	if from.Round != "" {
		return assess.Data{}, nil, errors.New("files have no rounds; " +
			"name a table of labels, or a column of the training records")
	}
	table, err := export.ReadFeatures(path)
	if err != nil {
		return assess.Data{}, nil, err
	}
	layout, order, err := arrange(table)
	if err != nil {
		return assess.Data{}, nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	from = from.usual(layout)
	entries := make([]entry, len(table.Rows))
	names := make([]string, len(order))
	for i, column := range order {
		names[i] = table.Names[column]
	}
	for i, r := range table.Rows {
		entries[i].row = assess.Row{
			ID: r.ModelID, Hash: r.ModelHash, X: pick(r.Values, order), Scores: unknown(), Accuracy: math.NaN(),
		}
	}
	robust := robustColumns
	if layout.OfBackground() {
		robust = worstColumns
	}
	if err := addRecords(entries, records, robust); err != nil {
		return assess.Data{}, nil, err
	}
	s, err := from.openBeside(table, entries, filepath.Base(path))
	if err != nil {
		return assess.Data{}, nil, err
	}
	return join(layout, names, entries, s, from)
}

// arrange finds the layout of a table and the table's columns in its order.
func arrange(table export.FeatureTable) (feature.Layout, []int, error) {
	layout, err := feature.Arrange(table.Names, table.Layout)
	if err != nil {
		return layout, nil, err
	}
	var order []int
	for _, name := range layout.Names() {
		if at := slices.Index(table.Names, name); at >= 0 {
			order = append(order, at)
		}
	}
	return layout, order, nil
}

// pick takes the columns in order; what is undefined counts as 0.
func pick(values []float64, order []int) []float64 {
	x := make([]float64, len(order))
	for i, at := range order {
		if v := values[at]; !math.IsNaN(v) {
			x[i] = v
		}
	}
	return x
}

func unknown() assess.Scores {
	nan := math.NaN()
	return assess.Scores{CorrectProduct: nan, CorrectMean: nan, ConsistencyProduct: nan, ConsistencyMean: nan}
}

// addRecords gives the entries their training records, and the accuracies that these tell.
func addRecords(entries []entry, path string, robust []string) error {
	if path == "" {
		return nil
	}
	records, err := intake.TrainingRecords(path)
	if err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		e.record = records[e.row.ID]
		if e.row.Scores.CorrectProduct, err = e.share(robust); err == nil {
			e.row.Accuracy, err = e.share(accuracyColumns)
		}
		if err != nil {
			return fmt.Errorf("%s: model %s, %w", filepath.Base(path), e.row.ID, err)
		}
	}
	return nil
}

// share is the first of the columns that has a value, NaN where none has.
func (e entry) share(columns []string) (float64, error) {
	for _, column := range columns {
		text := e.value(column)
		if text == "" {
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= 0 && v <= 1) {
			return 0, fmt.Errorf("column %s: %q is no share between 0 and 1", column, text)
		}
		return v, nil
	}
	return math.NaN(), nil
}

// openBeside is open where there is no workspace.
func (l Labels) openBeside(table export.FeatureTable, entries []entry, name string) (source, error) {
	switch {
	case l.File != "":
		return ofTable(l.File, l.Ties)
	case l.Column != "" && (l.Column != finalColumn || needColumn(entries, finalColumn) == nil):
		return ofColumn(entries, l.Column)
	}
	s := newSource("column final of "+name, 2)
	for _, r := range table.Rows {
		if r.Final == "" {
			continue
		}
		if r.Final == label.Borderline {
			s.classes = 3
		}
		s.add(item{id: r.ModelID, hash: r.ModelHash, value: r.Final, basis: s.name})
	}
	return s, nil
}
