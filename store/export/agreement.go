package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/variscope/variscope/engine/agreement"
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

// AgreementOf measures a round of a workspace. models are the ids of r.Models in their order.
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

// AgreementFromFile measures the rounds of a labels_long.csv or labels_wide.csv, in the order of their ids. A file does
// not say how many classes a round has: classes is 2 or 3, or 0 for 3 where a label is borderline and 2 elsewhere.
//
// Annotators are ordered as the columns of the wide table, or by name; items as they appear first. Errors name the file
// and what is wrong; a borderline label in a round of two classes is one.
func AgreementFromFile(path string, classes int, opts agreement.Options) ([]RoundAgreement, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	header, err := readHeader(newReader(bytes.NewReader(data)), name)
	if err != nil {
		return nil, err
	}
	var rounds []fileRound
	if isWide(header) {
		rounds, err = wideRounds(data, name)
	} else {
		rounds, err = longRounds(data, name)
	}
	if err != nil {
		return nil, err
	}
	list := []RoundAgreement{}
	for _, r := range rounds {
		if r.Classes, err = r.classes(classes); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, AgreementOf(r.Round, r.events, r.ids, opts))
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s holds no labels", name)
	}
	return list, nil
}

// fileRound is a round as far as a table of labels tells of it.
type fileRound struct {
	label.Round
	ids    []string // of the models
	events []label.Event
}

func (r *fileRound) item(hash, id string) {
	if !slices.Contains(r.Models, hash) {
		r.Models, r.ids = append(r.Models, hash), append(r.ids, id)
	}
}

// classes decides on the number of classes; see AgreementFromFile.
func (r *fileRound) classes(asked int) (int, error) {
	borderline := slices.ContainsFunc(r.events, func(ev label.Event) bool { return ev.Value == label.Borderline })
	switch {
	case asked != 0 && label.Values(asked) == nil:
		return 0, fmt.Errorf("%d classes; a round has 2 or 3", asked)
	case asked == 2 && borderline:
		return 0, fmt.Errorf("round %s has borderline labels; measure it with 3 classes", r.ID)
	case asked != 0:
		return asked, nil
	case borderline:
		return 3, nil
	}
	return 2, nil
}

// byRound collects rounds by id and returns them in the order of their ids.
type byRound map[string]*fileRound

func (m byRound) get(id, name string) *fileRound {
	if m[id] == nil {
		m[id] = &fileRound{Round: label.Round{ID: id, Name: name}}
	}
	return m[id]
}

func (m byRound) list() (rounds []fileRound) {
	ids := []string{}
	for id := range m {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		rounds = append(rounds, *m[id])
	}
	return rounds
}

func longRounds(data []byte, name string) ([]fileRound, error) {
	rows, err := ReadLong(bytes.NewReader(data), name)
	if err != nil {
		return nil, err
	}
	rounds := byRound{}
	for _, row := range rows {
		r := rounds.get(row.Round, row.RoundName)
		r.item(row.Model, row.ModelID)
		r.events = append(r.events, row.Event)
		if row.Kind == label.Label && !slices.Contains(r.Annotators, row.Annotator) {
			r.Annotators = append(r.Annotators, row.Annotator)
		}
	}
	for _, r := range rounds {
		slices.Sort(r.Annotators)
	}
	return rounds.list(), nil
}

// wideRounds turns each cell into an event, so that both tables are measured the same way.
func wideRounds(data []byte, name string) ([]fileRound, error) {
	wide, err := ReadLabelsWide(bytes.NewReader(data), name)
	if err != nil {
		return nil, err
	}
	rounds := byRound{}
	for _, row := range wide.Rows {
		r := rounds.get(row.RoundID, "")
		r.item(row.ModelHash, row.ModelID)
		for a, v := range row.Labels {
			if v == "" {
				continue
			}
			r.events = append(r.events, label.Event{
				ID: strconv.Itoa(len(r.events)), Round: row.RoundID, Model: row.ModelHash, Annotator: wide.Annotators[a],
				Kind: label.Label, Pass: 1, Value: v,
			})
		}
	}
	list := rounds.list()
	for k, r := range list {
		for _, a := range wide.Annotators {
			if slices.ContainsFunc(r.events, func(ev label.Event) bool { return ev.Annotator == a }) {
				list[k].Annotators = append(list[k].Annotators, a)
			}
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
	"round_id", "measure", "rater_a", "rater_b", "class_a", "class_b", "value", "n", "low", "high", "defined", "resamples",
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
			cells := []string{p.round, prefix + "_count", Guard(p.a), Guard(p.b), classes[k], classes[l], strconv.Itoa(n), strconv.Itoa(c.N)}
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
	cells := []string{p.round, p.prefix, Guard(p.a), Guard(p.b), p.class, "", value, strconv.Itoa(e.N)}
	if iv := e.Interval; iv == nil {
		cells = append(cells, "", "", "", "", e.Value.Reason, "")
	} else {
		low, high := "", ""
		if iv.Reason == "" {
			low, high = number(iv.Low), number(iv.High)
		}
		cells = append(cells, low, high, strconv.Itoa(iv.Defined), strconv.Itoa(iv.Resamples), e.Value.Reason, iv.Reason)
	}
	t.row(append(cells, e.Words))
}
