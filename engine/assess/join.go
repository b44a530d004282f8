package assess

import (
	"slices"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// What the raters of a Table are compared with.
const (
	AnnotatorsMajority = "majority of the annotators"
	TrainingLabel      = "training label"
)

// The notes beside the comparison with the reference.
const (
	joinedNote = "the assessor has no vote in the majority; " +
		"an annotator's own vote is part of it, so these values are biased upward"
	othersNote   = "annotators against the majority of the other annotators, the assessor against that of all"
	trainingNote = "against the training label, since nobody rated the models"
)

// Table is the assessor in the table of the humans.
type Table struct {
	// Report measures the annotators, in the order of Data.Raters, and the assessor as the last
	// rater: Cohen has every pair, Fleiss and the other group measures include the assessor. Its
	// Majority and VsMajority are those of the reference, in which the assessor has no vote;
	// VsMajority ends with the assessor.
	Report agreement.Report
	// Humans measures the annotators alone: Fleiss without the assessor.
	Humans agreement.Report
	// Reference is AnnotatorsMajority, or TrainingLabel when there are no annotators.
	Reference string
}

// Assessor is the assessor's index among Report.Raters.
func (t Table) Assessor() int { return len(t.Report.Raters) - 1 }

// Join puts an assessor's verdicts into the table of the humans. verdicts has one entry per row of
// d, "" for none (Evaluation.Votes, say); name names the assessor. Ratings and verdicts that are
// not among d.Classes, such as borderline between two classes, count as missing. The items are all
// rows of d. d.Classes are two or three.
func Join(d Data, verdicts []label.Value, name string, opts agreement.Options) Table {
	opts.Classes = label.Words(len(d.Classes))
	humans, own := d.ratings(), d.column(func(i int) label.Value { return verdicts[i] })
	alone := opts
	if len(humans) == 0 {
		alone.Intervals = false // there are no items
	}
	t := Table{
		Report: agreement.Measure(append(slices.Clone(humans), own), len(d.Classes),
			append(slices.Clone(d.Raters), name), opts),
		Humans:    agreement.Measure(humans, len(d.Classes), d.Raters, alone),
		Reference: AnnotatorsMajority,
	}
	t.Report.Majority, t.Report.Note = t.Humans.Majority, joinedNote
	if opts.LeaveOneOut {
		t.Report.Note = othersNote
	}
	if len(humans) == 0 {
		labels := d.column(func(i int) label.Value { return d.Rows[i].Label })
		t.Report.Majority = agreement.Majority{Unresolved: labels, Lowest: labels, Highest: labels}
		t.Report.Note, t.Reference = trainingNote, TrainingLabel
	}
	pair := agreement.Measure([][]int{own, t.Report.Majority.Unresolved}, len(d.Classes),
		[]string{name, t.Reference}, opts)
	t.Report.VsMajority = append(slices.Clone(t.Humans.VsMajority), agreement.AgainstMajority{
		Index: len(humans), Rater: name, Cohen: pair.Cohen[0].Cohen,
	})
	return t
}

// ratings are the annotators' labels as classes, raters x rows.
func (d Data) ratings() [][]int {
	list := make([][]int, len(d.Raters))
	for r := range d.Raters {
		list[r] = d.column(func(i int) label.Value {
			if r >= len(d.Rows[i].Ratings) {
				return ""
			}
			return d.Rows[i].Ratings[r]
		})
	}
	return list
}

// column are labels as classes, one per row.
func (d Data) column(of func(row int) label.Value) []int {
	list := make([]int, len(d.Rows))
	for i := range d.Rows {
		list[i] = agreement.Missing
		if class, ok := of(i).Index(len(d.Classes)); ok {
			list[i] = class
		}
	}
	return list
}
