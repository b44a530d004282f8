package agreement

import (
	"math"

	measure "github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// estimated is a column of an estimate with its interval, and why there is none.
func estimated[R any](key, title, help string, format result.Format, of func(R) measure.Estimate) result.Column[R] {
	end := func(value func(stats.Interval) float64) func(R) float64 {
		return func(r R) float64 {
			e := of(r)
			if e.Interval == nil || !e.Value.Defined() || e.Interval.Reason != "" {
				return math.NaN()
			}
			return value(*e.Interval)
		}
	}
	return result.Numbers(key, title, help, format, func(r R) float64 {
		if e := of(r); e.Value.Defined() {
			return e.Value.Value
		}
		return math.NaN()
	}).Because(func(r R) result.Reason {
		return result.Because(of(r).Value.Reason, "%s", of(r).Value.Reason)
	}).Between(end(func(i stats.Interval) float64 { return i.Low }), end(func(i stats.Interval) float64 { return i.High }))
}

// measureTable are the measures of all annotators.
var measureTable = result.Table[Measure]{
	Name: "agreement", Title: "All annotators", Noun: "measure", ID: func(m Measure) string { return m.Name },
	Columns: []result.Column[Measure]{
		result.Texts("measure", "measure", "", func(m Measure) string { return m.Name }),
		estimated("value", "value", "with its 95 % interval", result.Coefficient,
			func(m Measure) measure.Estimate { return m.Estimate }),
		result.Counts("n", "n", "models with two or more labels", func(m Measure) int { return m.Estimate.N }),
		result.Texts("hint", "hint", "what Landis and Koch call it", func(m Measure) string { return m.Estimate.Words }),
	},
}

// kindTable are the kinds of models, the most dividing ones first.
var kindTable = result.Table[Kind]{
	Name: "agreement_by_kind", Title: "By kind of model", Noun: "kind", ID: func(k Kind) string { return k.Name },
	Columns: []result.Column[Kind]{
		result.Texts("value", "value", "of the training record", func(k Kind) string { return k.Name }),
		result.Counts("models", "models", "of this kind in the round", func(k Kind) int { return k.Models }),
		result.Counts("n", "n", "models with two or more labels", func(k Kind) int { return k.Percent.Estimate.N }),
		estimated("agreed", "agreed", "percent agreement with its 95 % interval", result.Coefficient,
			func(k Kind) measure.Estimate { return k.Percent.Estimate }),
		estimated("fleiss", "Fleiss", "Fleiss' kappa with its 95 % interval", result.Coefficient,
			func(k Kind) measure.Estimate { return k.Fleiss.Estimate }),
	},
}

// countTable is what each annotator did; single labels of a blind round are hidden.
func countTable(classes []string) result.Table[Column] {
	t := result.Table[Column]{
		Name: "annotators", Title: "Annotators", Noun: "annotator", ID: func(c Column) string { return c.Annotator },
		Columns: []result.Column[Column]{
			result.Texts("annotator", "annotator", "", func(c Column) string { return c.Annotator }),
			result.Counts("labelled", "labelled", "", func(c Column) int { return c.Done }),
			result.Counts("models", "of", "models of the round", func(c Column) int { return c.Total }),
			result.Counts("unsure", "unsure", "", func(c Column) int { return c.Unsure }),
			result.Counts("skipped", "skipped", "", func(c Column) int { return c.Skipped }),
		},
	}
	for k, class := range classes {
		t.Columns = append(t.Columns, result.Numbers("label."+class, class, "labels", result.Count, func(c Column) float64 {
			if k < len(c.Counts) {
				return float64(c.Counts[k])
			}
			return math.NaN()
		}).Because(func(Column) result.Reason { return result.Because("blind", "%s", veilReason()) }))
	}
	return t
}

// caseTable is the queue of what is to be decided.
var caseTable = result.Table[Case]{
	Name: "adjudication", Title: "Adjudicate", Noun: "case", ID: func(c Case) string { return c.Model },
	Columns: []result.Column[Case]{
		result.Texts("model_id", "model", "", func(c Case) string { return c.ID }),
		result.Texts("why", "why", "", func(c Case) string { return c.Why }).
			Told(func(c Case) string { return shortly()[c.Why] }),
		{Key: "final", Title: "final", Format: result.Label, Text: Case.Decision},
	},
}
