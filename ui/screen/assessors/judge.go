package assessors

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/result"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/render"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/widget"
)

// Judgement is what an assessor says of a model, beside what people say.
type Judgement struct {
	Row         int // of the data
	ID, Hash    string
	Verdict     label.Value
	Unseen      label.Value // the verdict when it had not seen the model, "" where it never was tested on it
	Probability float64     // of variant; NaN for the baseline
	Label       label.Value // "" without
	Basis       string      // why there is no label
	Ratings     []label.Value
	// Differs names who says otherwise than the assessor: the label, and annotators.
	Differs []string
	Problem string // why there is no verdict
	// Learned is the size of the training set where the model is in it, else 0.
	Learned int
}

// Judgements asks a subject for its verdicts on all of its models, in the order of the data.
func Judgements(s Subject) []Judgement {
	votes := s.votes()
	learned, models := s.learned()
	list := make([]Judgement, len(s.Data.Rows))
	for k, r := range s.Data.Rows {
		j := Judgement{Row: k, ID: r.ID, Hash: r.Hash, Label: r.Label, Basis: r.Basis, Ratings: r.Ratings, Probability: math.NaN()}
		if k < len(votes) {
			j.Unseen = votes[k]
		}
		verdict, err := s.Assessor.Judge(r)
		if err != nil {
			j.Problem = present.Sentence(err)
		} else {
			j.Verdict, j.Probability = verdict.Label, verdict.Variant()
		}
		if learned[k] {
			j.Learned = models
		}
		j.Differs = differing(s.Data.Raters, r, opinion(votes, k, j.Verdict))
		list[k] = j
	}
	return list
}

// differing names who says otherwise.
func differing(raters []string, r assess.Row, says label.Value) []string {
	if says == "" {
		return nil
	}
	var names []string
	if r.Label != "" && r.Label != says {
		names = append(names, "label")
	}
	for k, value := range r.Ratings {
		if value != "" && value != says && k < len(raters) {
			names = append(names, raters[k])
		}
	}
	return names
}

// Show says which judgements are listed.
type Show int

// The choices, in the order of the menu.
const (
	Everything Show = iota
	Unlabelled
	Disagreeing
	JudgedVariant
	JudgedInvariant
	shows // their number
)

func (s Show) name() string {
	switch s {
	case Unlabelled:
		return "without a label"
	case Disagreeing:
		return "somebody says otherwise"
	case JudgedVariant:
		return "judged variant"
	case JudgedInvariant:
		return "judged invariant"
	}
	return "all models"
}

func (s Show) takes(j Judgement) bool {
	switch s {
	case Unlabelled:
		return j.Label == ""
	case Disagreeing:
		return len(j.Differs) > 0
	case JudgedVariant:
		return j.Verdict == label.Variant
	case JudgedInvariant:
		return j.Verdict == label.Invariant
	}
	return true
}

// The fixed columns of the list of judgements; the annotators follow.
const (
	columnModel = iota
	columnVerdict
	columnProbability
	columnUnseen
	columnLabel
	columnDiffers
	fixedColumns
)

// Select are the judgements that are shown, in order: filtered by choice and by a part of the id, sorted by a column.
func Select(all []Judgement, show Show, part string, column int, descending bool) []Judgement {
	var list []Judgement
	part = strings.ToLower(strings.TrimSpace(part))
	for _, j := range all {
		if show.takes(j) && strings.Contains(strings.ToLower(j.ID), part) {
			list = append(list, j)
		}
	}
	slices.SortStableFunc(list, func(a, b Judgement) int {
		order := a.compare(b, column)
		if descending {
			order = -order
		}
		return order
	})
	return list
}

func (j Judgement) compare(other Judgement, column int) int {
	switch column {
	case columnModel:
		return result.Natural(j.ID, other.ID)
	case columnProbability:
		return cmp.Compare(j.Probability, other.Probability)
	case columnDiffers:
		return cmp.Compare(len(j.Differs), len(other.Differs))
	}
	return cmp.Compare(rank(j.value(column)), rank(other.value(column)))
}

// value is the label in a column, "" for none.
func (j Judgement) value(column int) label.Value {
	switch {
	case column == columnVerdict:
		return j.Verdict
	case column == columnUnseen:
		return j.Unseen
	case column == columnLabel:
		return j.Label
	case column >= fixedColumns && column-fixedColumns < len(j.Ratings):
		return j.Ratings[column-fixedColumns]
	}
	return ""
}

// rank orders labels from none over invariant to variant.
func rank(v label.Value) int {
	if class, ok := v.Index(3); ok {
		return class
	}
	return -1
}

func (j Judgement) text(column int) string {
	switch column {
	case columnModel:
		return j.ID
	case columnProbability:
		return present.Percent(j.Probability)
	case columnDiffers:
		return strings.Join(j.Differs, ", ")
	}
	return orNone(string(j.value(column)))
}

// Summary is the line about a judgement at the foot of the window.
func (j Judgement) Summary() string {
	if j.Problem != "" {
		return fmt.Sprintf("%s: %s", j.ID, j.Problem)
	}
	text := fmt.Sprintf("%s: judged %s", j.ID, string(j.Verdict))
	if !math.IsNaN(j.Probability) {
		text = fmt.Sprintf("%s, %s variant", text, present.Percent(j.Probability))
	}
	if j.Learned > 0 {
		text = fmt.Sprintf("%s; it is among the %d models that the assessor learned from", text, j.Learned)
	}
	if j.Unseen != "" {
		text = fmt.Sprintf("%s; unseen: %s", text, string(j.Unseen))
	}
	if j.Label == "" && j.Basis != "" {
		text = fmt.Sprintf("%s; no label: %s", text, reasonWord(j.Basis))
	}
	if len(j.Differs) > 0 {
		text = fmt.Sprintf("%s; differs: %s", text, strings.Join(j.Differs, ", "))
	}
	return text
}

// mostParts is how many parts a waterfall shows by themselves.
const mostParts = 12

// Waterfall is an explanation as bars: from the base over its strongest parts, the rest joined, to the output.
func Waterfall(id string, e assess.Explanation) widget.BarsData {
	d := widget.BarsData{
		Bars:  render.Bars{Title: fmt.Sprintf("Why %s is judged so", id), XName: fmt.Sprintf("%s of %s", unitName(e.Unit), string(e.Class)), Steps: true},
		Empty: "nothing to show",
	}
	zero := 0.0
	if e.Base*e.Output > 0 && math.Min(math.Abs(e.Base), math.Abs(e.Output)) > 4*math.Abs(e.Base-e.Output) {
		zero = math.Min(e.Base, e.Output) // far from 0 the bars of both would hide the parts
	}
	add := func(b render.Bar, hint string) {
		d.Bars.Bars, d.Hints = append(d.Bars.Bars, b), append(d.Hints, hint)
	}
	add(render.Bar{Name: "base", Text: present.Number(e.Base), From: zero, To: e.Base, Tone: render.Stands},
		fmt.Sprintf("base: %s, the output without knowing any feature", present.Number(e.Base)))
	at, rest := e.Base, e.Output-e.Base
	parts := e.Strongest(mostParts)
	for _, p := range parts {
		add(step(p.Name+" = "+present.Number(p.Value), at, p.Phi), fmt.Sprintf("%s = %s moves the output by %s", p.Name, present.Number(p.Value), signed(p.Phi)))
		at += p.Phi
		rest -= p.Phi
	}
	if n := others(e) - len(parts); n > 0 {
		name := present.ByCount(n, "%d other feature", "%d other features", n)
		add(step(name, at, rest), fmt.Sprintf("%s move the output by %s", name, signed(rest)))
	}
	add(render.Bar{Name: "output", Text: present.Number(e.Output), From: zero, To: e.Output, Tone: render.Stands},
		fmt.Sprintf("output: %s", present.Number(e.Output)))
	return d
}

// others are the parts that move the output at all.
func others(e assess.Explanation) int {
	n := 0
	for _, p := range e.Parts {
		if p.Phi != 0 {
			n++
		}
	}
	return n
}

func step(name string, from, by float64) render.Bar {
	tone := render.Raises
	if by < 0 {
		tone = render.Lowers
	}
	return render.Bar{Name: name, Text: signed(by), From: from, To: from + by, Tone: tone}
}

// signed writes a number with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + present.Number(v)
	}
	return present.Number(v)
}
