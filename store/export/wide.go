package export

import (
	"fmt"
	"io"
	"slices"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// WideRow is one row of labels_wide.csv: an item of a round with one label per annotator of the
// table, in the order of its columns; empty where there is none.
type WideRow struct {
	RoundID, ModelID, ModelHash string
	Labels                      []label.Value
	Majority                    label.Value // without ties (policy unresolved of spec/agreement.md)
	Final                       label.Value // the training label of DESIGN.md section 6
	ByRule                      bool        // no person has given the labels (label.Round.ByRule)
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

// wideRule is one more column, the last one, of tables that hold labels which a rule has made.
const wideRule = "by_rule"

// Sheet is the table as it is written: one row per item, one column per annotator.
func (t Wide) Sheet() *result.Sheet {
	word := func(key, help string, of func(WideRow) label.Value) result.Column[WideRow] {
		return result.Column[WideRow]{
			Key: key, Title: key, Help: help, Format: result.Label,
			Text: func(r WideRow) string { return string(of(r)) },
		}
	}
	columns := []result.Column[WideRow]{
		result.Texts("round_id", "round id", "ULID", func(r WideRow) string { return r.RoundID }),
		result.Texts("model_id", "model", "name of the model", func(r WideRow) string { return r.ModelID }),
		{
			Key: "model_hash", Title: "model hash", Help: "SHA-256 of the model's file", Format: result.ID,
			Text: func(r WideRow) string { return r.ModelHash },
		},
	}
	for a, annotator := range t.Annotators {
		columns = append(columns, word(annotator, "label of "+annotator,
			func(r WideRow) label.Value { return r.Labels[a] }))
	}
	return result.Table[WideRow]{
		Name: "labels_wide", Title: "Labels of each annotator", Noun: "model",
		ID: func(r WideRow) string { return r.RoundID + "/" + r.ModelHash },
		Columns: append(columns,
			word("majority", "label of most annotators; empty for a tie",
				func(r WideRow) label.Value { return r.Majority }),
			word("final", "training label: the adjudicated one, else that of more than half of the annotators",
				func(r WideRow) label.Value { return r.Final })),
		More: func(rows []WideRow) []result.Column[WideRow] {
			byRule := func(r WideRow) bool { return r.ByRule }
			if !slices.ContainsFunc(rows, byRule) {
				return nil
			}
			return []result.Column[WideRow]{result.Bools(wideRule, "by rule", "whether these are "+label.ByRuleNote,
				byRule)}
		},
	}.Sheet(t.Rows)
}

// ReadLabelsWide reads labels_wide.csv strictly. name is the file's, for the *TableError.
func ReadLabelsWide(r io.Reader, name string) (Wide, error) {
	wide := Wide{Rows: []WideRow{}}
	seen := map[[2]string]bool{}
	err := readTable(labelReader(r), name, func(header []string) (err error) {
		wide.Annotators, err = wideAnnotators(header)
		return err
	}, func(cells []string) error {
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
	if header = withoutRule(header); !isWide(header) {
		return nil, fmt.Errorf("this is no labels_wide.csv: its header must be round_id,model_id,model_hash, one " +
			"column per annotator, majority,final")
	}
	annotators := make([]string, 0, len(header)-fixed)
	for _, name := range header[len(wideFirst) : len(header)-len(wideLast)] {
		if name == "" || slices.Contains(annotators, name) {
			return nil, fmt.Errorf("annotator %q is empty or has two columns", name)
		}
		annotators = append(annotators, name)
	}
	return annotators, nil
}

// withoutRule is a header without wideRule.
func withoutRule(header []string) []string {
	if n := len(header) - 1; n >= 0 && header[n] == wideRule {
		return header[:n]
	}
	return header
}

// isWide tells whether a header is that of labels_wide.csv.
func isWide(header []string) bool {
	header = withoutRule(header)
	n := len(header) - len(wideLast)
	return n >= len(wideFirst) && slices.Equal(header[:len(wideFirst)], wideFirst) && slices.Equal(header[n:], wideLast)
}

func wideRow(cells, annotators []string) (row WideRow, err error) {
	names := append(append(slices.Clone(wideFirst), annotators...), wideLast...)
	if n := len(names); len(cells) > n {
		if err := readBool(&row.ByRule, cells[n]); err != nil {
			return row, fmt.Errorf("column %s: %w", wideRule, err)
		}
		cells = cells[:n]
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
	row.ModelID = cells[1]
	last := len(cells) - len(wideLast)
	row.Labels, row.Majority, row.Final = values[len(wideFirst):last], values[last], values[last+1]
	return row, nil
}

// WideOf makes the table of some rounds: annotators in the order of the rounds, items in the order
// of each round's models. Events are those of all rounds, by round id.
func WideOf(rounds []*agreement.Round, events map[string][]label.Event) Wide {
	wide := Wide{Rows: []WideRow{}}
	for _, r := range rounds {
		for _, a := range r.Of.Annotators {
			if !slices.Contains(wide.Annotators, a) {
				wide.Annotators = append(wide.Annotators, a)
			}
		}
	}
	for _, r := range rounds {
		final := label.Training(r.Of, events[r.Of.ID], false)
		for k, it := range r.Items() {
			row := WideRow{
				RoundID: r.Of.ID, ModelID: it.Name(), ModelHash: it.Model(),
				Labels: make([]label.Value, len(wide.Annotators)), Majority: label.Value(it.Majority()),
				Final: final[k].Value, ByRule: r.Of.ByRule,
			}
			for a, annotator := range r.Of.Annotators {
				row.Labels[slices.Index(wide.Annotators, annotator)] = label.Value(it.Label(a))
			}
			wide.Rows = append(wide.Rows, row)
		}
	}
	return wide
}
