package dscore

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/region"
	"github.com/variscope/variscope/engine/result"
)

// featureRounding is how far features may sum to something else than 1, as they do where they were
// printed with few digits.
const featureRounding = 0.01

// ReadAccuracies reads scores from a table of accuracies with a row per region, such as that of
// Regions: CSV in any form of csvfile.Foreign. Its columns are
//
//	model_id, model_hash, suite, suite_hash    of the score; all but model_id may be missing
//	n, t, region              whole numbers; regions from 1, row by row
//	baseline_accuracy         f_b, the same in all rows of a score, as classes is
//	classes                   C
//	variant_accuracy          f_i; where all are empty or missing, feature has f~_i
//	                          in its place, which sum to 1
//	shifted_accuracy          a_i
//
// and any others, which are passed over. Accuracies are shares from 0 to 1, or percentages with
// the sign: 98.56%. Scores come in the order of their first rows. Errors name the line and what
// is wrong.
func ReadAccuracies(r io.Reader) ([]Diagnosis, error) {
	in := csvfile.Foreign(r)
	header, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, errors.New("the table is empty; its first line has the names of the columns")
	}
	if err != nil {
		return nil, err
	}
	t := accuracyTable{}
	for k, name := range header {
		t[strings.TrimSpace(name)] = k
	}
	for _, name := range []string{"model_id", "n", "t", "region", "baseline_accuracy", "classes", "shifted_accuracy"} {
		if _, there := t[name]; !there {
			return nil, fmt.Errorf("the table has no column %s; "+
				"regions.csv of dscore --out has all that are needed", name)
		}
	}
	var keys []Diagnosis // without accuracies, in order
	rows := map[string][]accuracyRow{}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		d, row, err := t.row(cells)
		if row.line, _ = in.FieldPos(0); err != nil {
			return nil, fmt.Errorf("line %d, %w", row.line, err)
		}
		if rows[d.ID()] == nil {
			keys = append(keys, d)
		}
		rows[d.ID()] = append(rows[d.ID()], row)
	}
	if len(keys) == 0 {
		return nil, errors.New("the table has no row below the names of its columns")
	}
	for k, d := range keys {
		if keys[k], err = scoreOf(d, rows[d.ID()]); err != nil {
			return nil, fmt.Errorf("%s, n = %d, t = %d: %w", d.Model.ID, d.N, d.T, err)
		}
	}
	return keys, nil
}

// accuracyTable has the places of the columns of a table of accuracies.
type accuracyTable map[string]int

// accuracyRow is one region.
type accuracyRow struct {
	line, region, classes               int
	original, variant, feature, shifted float64 // variant or feature may be NaN
}

// row reads one row, and which score it belongs to.
func (t accuracyTable) row(cells []string) (d Diagnosis, row accuracyRow, err error) {
	cell := func(name string) string {
		if k, there := t[name]; there {
			return strings.Clone(strings.TrimSpace(cells[k]))
		}
		return ""
	}
	whole := func(name string, most int) int {
		v, no := strconv.Atoi(cell(name))
		if no != nil || v < 1 || v > most {
			err = cmp.Or(err, fmt.Errorf("column %s: %q is no whole number from 1 to %d", name, cell(name), most))
			return 1
		}
		return v
	}
	share := func(name string, needed bool) float64 {
		text, percent := strings.CutSuffix(cell(name), "%")
		if text = strings.TrimSpace(text); text == "" && !needed {
			return math.NaN()
		}
		if percent {
			text += "e-2"
		}
		v, ok := result.Decimal(text)
		if !ok || !isShare(v) {
			err = cmp.Or(err, fmt.Errorf("column %s: %q is no share from 0 to 1; a percentage has its sign, 98.5%%",
				name, cell(name)))
		}
		return v
	}
	d.Model.ID, d.SuiteName = cell("model_id"), cell("suite")
	d.Model.Hash, d.Suite = cell("model_hash"), cell("suite_hash")
	d.N, d.T = whole("n", region.MaxGrid), whole("t", math.MaxInt32)
	d.Shift = fmt.Sprintf("shift:%d:%d", d.N, d.T)
	row = accuracyRow{region: whole("region", d.N*d.N), classes: whole("classes", math.MaxInt32)}
	row.original, row.shifted = share("baseline_accuracy", true), share("shifted_accuracy", true)
	row.variant, row.feature = share("variant_accuracy", false), share("feature", false)
	if math.IsNaN(row.variant) && math.IsNaN(row.feature) {
		err = cmp.Or(err, errors.New("column variant_accuracy: it is empty, and so is feature; one of them is needed"))
	}
	return d, row, err
}

// scoreOf computes a score of its rows, which may be in any order.
func scoreOf(d Diagnosis, rows []accuracyRow) (Diagnosis, error) {
	if len(rows) != d.N*d.N {
		return d, fmt.Errorf("there are %d regions in place of %d", len(rows), d.N*d.N)
	}
	slices.SortFunc(rows, func(a, b accuracyRow) int { return a.region - b.region })
	first, given := rows[0], 0
	d.Accuracies = Accuracies{Original: first.original, Classes: first.classes}
	var features []float64
	for k, row := range rows {
		switch {
		case row.region != k+1:
			return d, fmt.Errorf("line %d: region %d is there twice", row.line, row.region)
		case row.original != first.original || row.classes != first.classes:
			return d, fmt.Errorf("line %d: baseline_accuracy and classes differ from those of line %d",
				row.line, first.line)
		case !math.IsNaN(row.variant):
			given++
		}
		d.Accuracies.Variants = append(d.Accuracies.Variants, row.variant)
		d.Accuracies.Shifted = append(d.Accuracies.Shifted, row.shifted)
		features = append(features, row.feature)
	}
	switch given {
	case len(rows):
		d.Score = compute(d.N, d.Accuracies)
	case 0:
		if sum := floats.Sum(features); !(math.Abs(sum-1) <= featureRounding) {
			return d, fmt.Errorf("the features of its regions sum to %s, and as shares they sum to 1; "+
				"give the accuracies without a region, variant_accuracy, in place of losses", result.Digits(sum, 4))
		}
		d.Score = score(d.N, first.original, features, d.Accuracies.Shifted, first.classes)
	default:
		return d, fmt.Errorf("%d of %d regions have a variant_accuracy; give that of all, or the feature of all",
			given, len(rows))
	}
	return d, nil
}
