package export

import (
	"bytes"
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/store/ratings"
)

// FileRound is a round as far as a table of labels tells of it: id, name (long tables),
// annotators, classes, and the models that it has rows for.
type FileRound struct {
	label.Round
	IDs    []string // of Models, in their order
	Events []label.Event
}

// ReadRounds reads the rounds of a labels_long.csv or labels_wide.csv, in the order of their ids.
// A file does not say how many classes a round has: classes is 2 or 3, or 0 for 3 where a label is
// borderline and 2 elsewhere.
//
// Annotators are ordered as the columns of the wide table, or by name; items as they appear first.
// Each cell of a wide table becomes an event, and so does a final label that the votes alone do
// not give: somebody has adjudicated. Errors name the file and what is wrong; a borderline label
// in a round of two classes is one, and so is a file without any row.
func ReadRounds(path string, classes int) ([]FileRound, error) {
	data, err := outside.Read(path, outside.Table)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	header, err := readHeader(labelReader(bytes.NewReader(data)), name)
	if err != nil {
		return nil, err
	}
	var rounds []FileRound
	if isWide(header) {
		rounds, err = wideRounds(data, name, classes)
	} else {
		rounds, err = longRounds(data, name, classes)
	}
	if err == nil && len(rounds) == 0 {
		err = fmt.Errorf("%s holds no labels", name)
	}
	return rounds, err
}

func (r *FileRound) item(hash, id string) {
	if !slices.Contains(r.Models, hash) {
		r.Models, r.IDs = append(r.Models, hash), append(r.IDs, id)
	}
}

// count decides on the number of classes; see ReadRounds.
func (r *FileRound) count(asked int) error {
	borderline := slices.ContainsFunc(r.Events, func(ev label.Event) bool { return ev.Value == label.Borderline })
	switch {
	case asked != 0 && label.Values(asked) == nil:
		return fmt.Errorf("%d classes; a round has 2 or 3", asked)
	case asked == 2 && borderline:
		return fmt.Errorf("round %s has borderline labels; measure it with 3 classes", r.ID)
	case asked != 0:
		r.Classes = asked
	case borderline:
		r.Classes = 3
	default:
		r.Classes = 2
	}
	return nil
}

// byRound collects rounds by id.
type byRound map[string]*FileRound

func (m byRound) get(id, name string) *FileRound {
	if m[id] == nil {
		m[id] = &FileRound{Round: label.Round{ID: id, Name: name}}
	}
	return m[id]
}

// list counts the classes of the rounds and returns them in the order of their ids.
func (m byRound) list(file string, classes int) ([]FileRound, error) {
	rounds := make([]FileRound, 0, len(m))
	for _, r := range m {
		if err := r.count(classes); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		rounds = append(rounds, *r)
	}
	slices.SortFunc(rounds, func(a, b FileRound) int { return cmp.Compare(a.ID, b.ID) })
	return rounds, nil
}

func longRounds(data []byte, name string, classes int) ([]FileRound, error) {
	rows, err := ReadLong(bytes.NewReader(data), name)
	if err != nil {
		return nil, err
	}
	return RoundsOf(rows, name, classes)
}

// RoundsOf are the rounds of rows of labels, see ReadRounds; name is their file's, for errors.
func RoundsOf(rows []label.Row, name string, classes int) ([]FileRound, error) {
	rounds := byRound{}
	for _, row := range rows {
		r := rounds.get(row.Round, row.RoundName)
		r.item(row.Model, row.ModelID)
		r.Events = append(r.Events, row.Event)
		if row.Kind == label.Label && !slices.Contains(r.Annotators, row.Annotator) {
			r.Annotators = append(r.Annotators, row.Annotator)
		}
	}
	for _, r := range rounds {
		slices.Sort(r.Annotators)
	}
	return rounds.list(name, classes)
}

// wideRounds turns each cell into an event, so that both tables are read the same way.
func wideRounds(data []byte, name string, classes int) ([]FileRound, error) {
	wide, err := ReadLabelsWide(bytes.NewReader(data), name)
	if err != nil {
		return nil, err
	}
	rounds := byRound{}
	for _, row := range wide.Rows {
		r := rounds.get(row.RoundID, "")
		r.item(row.ModelHash, row.ModelID)
		r.ByRule = r.ByRule || row.ByRule
		for a, v := range row.Labels {
			if v != "" {
				r.append(row, label.Event{Annotator: wide.Annotators[a], Kind: label.Label, Value: v})
			}
		}
		if row.Final != "" && row.Final != majorityOf(row.Labels) {
			r.append(row, label.Event{Kind: label.Adjudicate, Value: row.Final})
		}
	}
	for _, r := range rounds {
		for _, a := range wide.Annotators {
			if slices.ContainsFunc(r.Events, func(ev label.Event) bool { return ev.Annotator == a }) {
				r.Annotators = append(r.Annotators, a)
			}
		}
	}
	return rounds.list(name, classes)
}

// append adds what a wide table tells of a row; the table has no ids of events, and their order
// says nothing.
func (r *FileRound) append(row WideRow, ev label.Event) {
	ev.ID, ev.Round, ev.Model, ev.Pass = strconv.Itoa(len(r.Events)), row.RoundID, row.ModelHash, 1
	r.Events = append(r.Events, ev)
}

// majorityOf is the label of more than half of those who gave one, empty where there is none.
func majorityOf(labels []label.Value) label.Value {
	given, counts := 0, map[label.Value]int{}
	for _, v := range labels {
		if v != "" {
			given++
			counts[v]++
		}
	}
	for v, n := range counts {
		if 2*n > given {
			return v
		}
	}
	return ""
}

// IsLabels tells whether a file begins as labels_long.csv or labels_wide.csv does.
func IsLabels(path string) (bool, error) {
	header, err := headerOf(path)
	return isWide(header) || isLong(header), err
}

// IsLong tells whether a file begins as labels_long.csv does.
func IsLong(path string) (bool, error) {
	header, err := headerOf(path)
	return isLong(header), err
}

// headerOf is the first row of a table, nil where none can be read.
func headerOf(path string) ([]string, error) {
	f, err := outside.Open(path, outside.Table)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	header, err := labelReader(f).Read()
	if err != nil {
		return nil, nil // whoever reads the file says what is wrong
	}
	return header, nil
}

// AgreementFromFile measures the rounds of a labels_long.csv or labels_wide.csv, see ReadRounds for
// their order and their classes, or a table of others, see ratings.Read and ratings.Options.Code. A
// file without any label is an error.
func AgreementFromFile(
	path string, classes int, words ratings.Options, opts agreement.Options,
) ([]*agreement.Round, error) {
	own, err := IsLabels(path)
	if err != nil {
		return nil, err
	}
	if !own {
		return agreementOfOthers(path, classes, words, opts)
	}
	rounds, err := ReadRounds(path, classes)
	if err != nil {
		return nil, err
	}
	list := make([]*agreement.Round, len(rounds))
	for k, r := range rounds {
		list[k] = agreement.OfRound(r.Round, r.Events, r.IDs, r.Annotators, opts)
		if err := opts.Err(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func agreementOfOthers(
	path string, classes int, words ratings.Options, opts agreement.Options,
) ([]*agreement.Round, error) {
	tables, err := ratings.Read(path)
	if err != nil {
		return nil, err
	}
	list := make([]*agreement.Round, len(tables))
	for k, t := range tables {
		if len(t.Raters) < 2 {
			return nil, fmt.Errorf("%s: there is one rater, %s; agreement needs two: a column for each, or the "+
				"columns item, rater and label", t.Name, t.Raters[0])
		}
		c, err := words.Code(t, classes)
		if err != nil {
			return nil, err
		}
		r := agreement.OfTable(t.Name, t.Items, t.Raters, c.Classes, c.Ratings, c.Ordered, opts)
		if err := opts.Err(); err != nil {
			return nil, err
		}
		if r.Of.ID = t.Round; len(tables) > 1 {
			r.Of.Name = t.Round
		}
		r.Taken = strings.Join(append(t.Notes, "labels: "+c.Taken), "; ")
		list[k] = r
	}
	return list, nil
}
