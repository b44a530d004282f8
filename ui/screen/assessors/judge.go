package assessors

import (
	"fmt"
	"math"
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

// verdictFilters are the choices of the menu beside the list, each with its filter.
var verdictFilters = [][2]string{
	{"all models", ""},
	{"without a label", `label=""`},
	{"somebody says otherwise", `differs!=""`},
	{"judged variant", "verdict=variant"},
	{"judged invariant", "verdict=invariant"},
}

// judgementTable are verdicts beside what people say, the raters among them.
func judgementTable(raters []string) result.Table[Judgement] {
	column := func(key, title, help string, value func(Judgement) label.Value) result.Column[Judgement] {
		return result.Column[Judgement]{
			Key: key, Title: title, Help: help, Format: result.Label, Text: func(j Judgement) string { return string(value(j)) },
		}
	}
	verdict := column("verdict", "verdict", "what the assessor says of the model",
		func(j Judgement) label.Value { return j.Verdict })
	verdict.Why = func(j Judgement) result.Reason {
		return result.Because("not_judged", "%s", strings.TrimSuffix(j.Problem, "."))
	}
	unlabelled := column("label", "label", "the label that the assessor learned from, or that is compared with it",
		func(j Judgement) label.Value { return j.Label })
	unlabelled.Why = func(j Judgement) result.Reason {
		if j.Basis == "" {
			return result.Reason{}
		}
		return result.Because(j.Basis, "%s", reasonWord(j.Basis))
	}
	t := result.Table[Judgement]{
		Name: "verdicts", Title: "Verdicts", Noun: "model", ID: func(j Judgement) string { return j.Hash },
		First: result.Order{Key: "model_id"},
		Columns: []result.Column[Judgement]{
			{Key: "model_id", Title: "model", Text: func(j Judgement) string { return j.ID }},
			verdict,
			{
				Key: "variant", Title: "variant", Help: "the probability that the assessor gives to variant", Format: result.Share,
				Descending: true,
				Value:      func(j Judgement) float64 { return j.Probability },
			},
			column("unseen", "unseen", "what assessors that had not seen the model said of it in the test, most often",
				func(j Judgement) label.Value { return j.Unseen }),
			unlabelled,
			{
				Key: "differs", Title: "differs", Help: "who says otherwise than the assessor: the label, or annotators",
				Text: func(j Judgement) string { return strings.Join(j.Differs, ", ") },
			},
		},
	}
	for k, name := range raters {
		t.Columns = append(t.Columns, column("label."+name, name, fmt.Sprintf("what %s says of the model", name),
			func(j Judgement) label.Value {
				if k < len(j.Ratings) {
					return j.Ratings[k]
				}
				return ""
			}))
	}
	return t
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
