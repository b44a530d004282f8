package export

import (
	"fmt"
	"io"
	"slices"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/label"
)

// WideRow is one row of labels_wide.csv: an item of a round with one label per annotator of the table, in the order of
// its columns; empty where there is none.
type WideRow struct {
	RoundID, ModelID, ModelHash string
	Labels                      []label.Value
	Majority                    label.Value // without ties (policy unresolved of spec/agreement.md)
	Final                       label.Value // the training label of DESIGN.md section 6
}

// Wide is labels_wide.csv.
type Wide struct {
	Annotators []string
	Rows       []WideRow
}

var (
	wideFirst = []string{"round_id", "model_id", "model_hash"}
	wideLast  = []string{"majority", "final"}
)

// LabelsWide writes labels_wide.csv: one row per item, one column per annotator.
func LabelsWide(w io.Writer, wide Wide) error {
	header := slices.Clone(wideFirst)
	for _, annotator := range wide.Annotators {
		header = append(header, comma.Guard(annotator))
	}
	table := newTable(w, append(header, wideLast...))
	for _, r := range wide.Rows {
		cells := []string{r.RoundID, comma.Guard(r.ModelID), r.ModelHash}
		for _, v := range r.Labels {
			cells = append(cells, string(v))
		}
		table.row(append(cells, string(r.Majority), string(r.Final)))
	}
	return table.finish()
}

// ReadLabelsWide reads labels_wide.csv strictly. name is the file's, for the *TableError.
func ReadLabelsWide(r io.Reader, name string) (Wide, error) {
	in := newReader(r)
	header, err := readHeader(in, name)
	if err != nil {
		return Wide{}, err
	}
	wide := Wide{Rows: []WideRow{}}
	if wide.Annotators, err = wideAnnotators(header); err != nil {
		return Wide{}, &TableError{name, 1, err}
	}
	seen := map[[2]string]bool{}
	err = eachRow(in, name, func(cells []string) error {
		row, err := wideRow(cells, wide.Annotators)
		if err != nil {
			return err
		}
		item := [2]string{row.RoundID, row.ModelHash}
		if seen[item] {
			return fmt.Errorf("model %s is listed twice in round %s", row.ModelID, row.RoundID)
		}
		seen[item] = true
		wide.Rows = append(wide.Rows, row)
		return nil
	})
	return wide, err
}

// wideAnnotators checks the header and returns what stands between its fixed columns.
func wideAnnotators(header []string) ([]string, error) {
	fixed := len(wideFirst) + len(wideLast)
	if !isWide(header) {
		return nil, fmt.Errorf("this is no labels_wide.csv: its header must be round_id,model_id,model_hash, one column per annotator, majority,final")
	}
	annotators := make([]string, 0, len(header)-fixed)
	for _, cell := range header[len(wideFirst) : len(header)-len(wideLast)] {
		name := comma.Unguard(cell)
		if name == "" || slices.Contains(annotators, name) {
			return nil, fmt.Errorf("annotator %q is empty or has two columns", name)
		}
		annotators = append(annotators, name)
	}
	return annotators, nil
}

// isWide tells whether a header is that of labels_wide.csv.
func isWide(header []string) bool {
	n := len(header) - len(wideLast)
	return n >= len(wideFirst) && slices.Equal(header[:len(wideFirst)], wideFirst) && slices.Equal(header[n:], wideLast)
}

func wideRow(cells, annotators []string) (row WideRow, err error) {
	names := append(append(slices.Clone(wideFirst), annotators...), wideLast...)
	if len(cells) != len(names) {
		return row, fmt.Errorf("%d cells in place of %d", len(cells), len(names))
	}
	values := make([]label.Value, len(cells))
	for k := len(wideFirst); k < len(cells); k++ {
		if err := readValue(&values[k], cells[k]); err != nil {
			return row, fmt.Errorf("column %s: %w", names[k], err)
		}
	}
	if err := readULID(&row.RoundID, cells[0]); err != nil {
		return row, fmt.Errorf("column round_id: %w", err)
	}
	if err := readHash(&row.ModelHash, cells[2], false); err != nil {
		return row, fmt.Errorf("column model_hash: %w", err)
	}
	row.ModelID = comma.Unguard(cells[1])
	last := len(cells) - len(wideLast)
	row.Labels, row.Majority, row.Final = values[len(wideFirst):last], values[last], values[last+1]
	return row, nil
}

// WideOf makes the table of some rounds: annotators in the order of the rounds, items in the order of each round's
// models. id gives the name of a model hash.
func WideOf(rounds []label.Round, events map[string][]label.Event, id func(hash string) string) Wide {
	wide := Wide{Rows: []WideRow{}}
	for _, r := range rounds {
		for _, a := range r.Annotators {
			if !slices.Contains(wide.Annotators, a) {
				wide.Annotators = append(wide.Annotators, a)
			}
		}
	}
	for _, r := range rounds {
		ratings := label.Ratings(r, events[r.ID])
		majority := agreement.Measure(ratings, r.Classes, r.Annotators, agreement.Options{}).Majority.Unresolved
		values := label.Values(r.Classes)
		for i, d := range label.Training(r, events[r.ID], false) {
			row := WideRow{RoundID: r.ID, ModelID: id(d.Model), ModelHash: d.Model, Labels: make([]label.Value, len(wide.Annotators)), Final: d.Value}
			for a, rating := range ratings {
				if rating[i] != label.Missing {
					row.Labels[slices.Index(wide.Annotators, r.Annotators[a])] = values[rating[i]]
				}
			}
			if majority[i] != agreement.Missing {
				row.Majority = values[majority[i]]
			}
			wide.Rows = append(wide.Rows, row)
		}
	}
	return wide
}
