package export

import (
	"encoding/json"
	"io"
	"strconv"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/comma"
	"github.com/variscope/variscope/engine/label"
)

// RoundAgreement is the agreement of one round with the items that it was measured on.
type RoundAgreement struct {
	RoundID string `json:"round_id"`
	Round   string `json:"round,omitempty"`
	// Models are the ids of the items, in the order of the majority columns.
	Models []string         `json:"models"`
	Report agreement.Report `json:"report"`
	// PerClass is the agreement on each class by itself; Self the agreement of each annotator who saw items a second time
	// with their own first labels.
	PerClass []agreement.ClassAgreement `json:"per_class"`
	Self     []agreement.SelfAgreement  `json:"self_consistency,omitempty"`
}

// AgreementOf measures a round of a workspace. models are the ids of r.Models in their order. Who gives a context in the options asks for
// their error.
func AgreementOf(r label.Round, events []label.Event, models []string, opts agreement.Options) RoundAgreement {
	opts.Classes = label.Words(r.Classes)
	ratings := label.Ratings(r, events)
	a := RoundAgreement{
		RoundID: r.ID, Round: r.Name, Models: models, Report: agreement.Measure(ratings, r.Classes, r.Annotators, opts),
		PerClass: agreement.PerClass(ratings, r.Classes, opts),
	}
	for _, annotator := range r.Annotators {
		first, second := label.Passes(r, annotator, events)
		if self := agreement.Self(annotator, first, second, r.Classes, opts); self.N > 0 {
			a.Self = append(a.Self, self)
		}
	}
	return a
}

// AgreementFromFile measures the rounds of a labels_long.csv or labels_wide.csv; see ReadRounds for their order and their
// classes. A file without any label is an error.
func AgreementFromFile(path string, classes int, opts agreement.Options) ([]RoundAgreement, error) {
	rounds, err := ReadRounds(path, classes)
	if err != nil {
		return nil, err
	}
	list := make([]RoundAgreement, len(rounds))
	for k, r := range rounds {
		list[k] = AgreementOf(r.Round, r.Events, r.IDs, opts)
		if err := opts.Err(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// AgreementJSON writes agreement.json: the whole report of every round.
func AgreementJSON(w io.Writer, list []RoundAgreement) error {
	return writeJSON(w, struct {
		Rounds []RoundAgreement `json:"rounds"`
	}{list})
}

func writeJSON(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	return out.Encode(v)
}

var agreementColumns = []string{
	"round_id", "measure", "rater_a", "rater_b", "class_a", "class_b", "value", "n", "low", "high",
	"reason", "interval_reason", "interpretation",
}

// majorityName stands for the majority vote in column rater_b.
const majorityName = "(majority)"

// AgreementCSV writes agreement.csv in long form: one row per measure with its interval, and one row per cell of every
// confusion table (measures that end in _count). An undefined value is an empty cell with its reason beside it. The
// majority columns are in agreement.json.
func AgreementCSV(w io.Writer, list []RoundAgreement) error {
	t := agreementTable{newTable(w, agreementColumns)}
	for _, a := range list {
		r := a.Report
		t.group(a.RoundID, r)
		for _, p := range r.Cohen {
			t.cohen(place{round: a.RoundID, prefix: "cohen", a: p.Raters[0], b: p.Raters[1]}, p.Cohen, r.Classes)
		}
		for _, m := range r.VsMajority {
			prefix := "cohen_vs_majority"
			if r.LeaveOneOut {
				prefix = "cohen_vs_majority_of_others"
			}
			t.cohen(place{round: a.RoundID, prefix: prefix, a: m.Rater, b: majorityName}, m.Cohen, r.Classes)
		}
		for _, c := range a.PerClass {
			t.estimate(place{round: a.RoundID, prefix: "class_percent", class: c.Class}, &c.Percent)
			t.estimate(place{round: a.RoundID, prefix: "class_kappa", class: c.Class}, &c.Kappa)
		}
		for _, self := range a.Self { // rows of the counts are the first pass, columns the second
			t.cohen(place{round: a.RoundID, prefix: "self", a: self.Rater, b: self.Rater}, self.Cohen, r.Classes)
		}
	}
	return t.finish()
}

type agreementTable struct{ table }

// place says whose a measure is, and of which class.
type place struct{ round, prefix, a, b, class string }

func (t agreementTable) group(round string, r agreement.Report) {
	fleiss := "fleiss"
	if r.Generalised {
		fleiss = "fleiss_generalised"
	}
	for _, m := range []struct {
		name string
		e    *agreement.Estimate
	}{
		{"percent", &r.Percent},
		{fleiss, &r.Fleiss},
		{"cohen_mean", &r.CohenMean},
		{"cohen_mean_linear", r.CohenMeanLinear},
		{"cohen_mean_quadratic", r.CohenMeanQuadratic},
		{"gwet_ac1", &r.GwetAC1},
		{"gwet_ac2_linear", r.GwetAC2Linear},
		{"gwet_ac2_quadratic", r.GwetAC2Quadratic},
		{"krippendorff_nominal", &r.KrippendorffNominal},
		{"krippendorff_ordinal", r.KrippendorffOrdinal},
		{"krippendorff_interval", r.KrippendorffInterval},
	} {
		t.estimate(place{round: round, prefix: m.name}, m.e)
	}
}

func (t agreementTable) cohen(p place, c agreement.Cohen, classes []string) {
	prefix := p.prefix
	for _, m := range []struct {
		name string
		e    *agreement.Estimate
	}{{"_percent", &c.Percent}, {"", &c.Kappa}, {"_linear", c.Linear}, {"_quadratic", c.Quadratic}} {
		p.prefix = prefix + m.name
		t.estimate(p, m.e)
	}
	for k, row := range c.Confusion {
		for l, n := range row {
			cells := []string{p.round, prefix + "_count", comma.Guard(p.a), comma.Guard(p.b), classes[k], classes[l], strconv.Itoa(n), strconv.Itoa(c.N)}
			t.row(append(cells, make([]string, len(agreementColumns)-len(cells))...))
		}
	}
}

func (t agreementTable) estimate(p place, e *agreement.Estimate) {
	if e == nil {
		return
	}
	value := ""
	if e.Value.Defined() {
		value = number(e.Value.Value)
	}
	cells := []string{p.round, p.prefix, comma.Guard(p.a), comma.Guard(p.b), p.class, "", value, strconv.Itoa(e.N)}
	if iv := e.Interval; iv == nil {
		cells = append(cells, "", "", e.Value.Reason, "")
	} else {
		low, high := "", ""
		if iv.Reason == "" {
			low, high = number(iv.Low), number(iv.High)
		}
		cells = append(cells, low, high, e.Value.Reason, iv.Reason)
	}
	t.row(append(cells, e.Words))
}
