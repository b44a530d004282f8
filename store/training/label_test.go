package training

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/feature"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
)

// measured measures what can be: m3, m7, ... have no second convolution.
func (b *fixture) measured() []Measured {
	b.tb.Helper()
	got, _, err := Measure(b.tb.Context(), b.Workspace, b.ask(), nil, nil)
	must(b.tb, err)
	return got
}

func (b *fixture) label(measured []Measured, from Labels) (assess.Data, []LeftOut) {
	b.tb.Helper()
	d, left, err := Label(b.Workspace, measured, feature.DefaultLayout(), from)
	must(b.tb, err)
	must(b.tb, d.Validate())
	return d, left
}

// labels are the rows' labels, "-" for none.
func labels(d assess.Data) string {
	texts := make([]string, len(d.Rows))
	for i, r := range d.Rows {
		if texts[i] = string(r.Label); texts[i] == "" {
			texts[i] = "-"
		}
	}
	return strings.Join(texts, " ")
}

func reasonsOf(left []LeftOut) string {
	texts := make([]string, len(left))
	for i, l := range left {
		texts[i] = l.ID + ": " + l.Reason.Text
	}
	return strings.Join(texts, "\n")
}

func TestLabelByRound(t *testing.T) {
	b := newFixture(t, 6)
	measured := b.measured()
	r := b.addRound(nil)
	d, left := b.label(measured, Labels{Round: r.ID})
	if got := labels(d); got != "variant - - - -" {
		t.Errorf("labels %s", got)
	}
	if !slices.Equal(d.Classes, label.Values(2)) || !slices.Equal(d.Raters, r.Annotators) ||
		!slices.Equal(d.Names, feature.DefaultLayout().Names()) {
		t.Errorf("%v, %v", d.Classes, d.Raters)
	}
	want := "m1: it is borderline, which two classes leave out\nm2: its labels tie; adjudicate it, or let ties count " +
		"as borderline\n" +
		"m4: nobody has labelled it\nm5: nobody has labelled it\nm3: labelled in round first, but without features here"
	if got := reasonsOf(left); got != want {
		t.Errorf("left out:\n%s\nwant:\n%s", got, want)
	}
	row := d.Rows[0]
	if row.Basis != string(label.Majority) || row.ID != "m0" || row.Hash != b.models[0].Hash ||
		row.Accuracy != measured[0].Accuracy ||
		row.Scores != measured[0].Scores || !slices.Equal(row.X, measured[0].Vector.Values) {
		t.Errorf("%+v", row)
	}
	if got := d.Rows[1].Ratings; !slices.Equal(got,
		[]label.Value{label.Invariant, label.Borderline, label.Borderline}) {
		t.Errorf("ratings %v", got)
	}
}

func TestLabelBorderline(t *testing.T) {
	b := newFixture(t, 3)
	measured := b.measured()
	r := b.addRound(nil)
	for _, c := range []struct {
		from    Labels
		want    string
		classes int
		rating  label.Value // of m1 by r2
	}{
		{Labels{}, "variant - -", 2, label.Borderline},
		{Labels{Borderline: Leave}, "variant - -", 2, label.Borderline},
		{Labels{Borderline: Keep}, "variant borderline -", 3, label.Borderline},
		{Labels{Borderline: AsInvariant}, "variant invariant -", 2, label.Invariant},
		{Labels{Borderline: AsVariant}, "variant variant -", 2, label.Variant},
		{Labels{Borderline: Keep, Ties: true}, "variant borderline borderline", 3, label.Borderline},
		{Labels{Borderline: AsVariant, Ties: true}, "variant variant variant", 2, label.Variant},
		{Labels{Ties: true}, "variant - -", 2, label.Borderline},
	} {
		c.from.Round = r.ID
		d, left := b.label(measured, c.from)
		if got := labels(d); got != c.want || len(d.Classes) != c.classes || d.Rows[1].Ratings[1] != c.rating {
			t.Errorf("%+v: %s, %d classes, rating %s", c.from, got, len(d.Classes), d.Rows[1].Ratings[1])
		}
		if len(left) != strings.Count(c.want, "-") {
			t.Errorf("%+v: %v", c.from, left)
		}
	}
}

// A round of two classes has no borderline to keep; adjudication and undo count as everywhere.
func TestLabelTwoClasses(t *testing.T) {
	b := newFixture(t, 3)
	measured := b.measured()
	r := b.addRound(func(r *label.Round) { r.Classes = 2 })
	ev := label.Event{
		Round: r.ID, Model: b.models[2].Hash, Annotator: "r3", Kind: label.Adjudicate, Value: label.Invariant,
	}
	testdata.Must(b.Append(ev))(t)
	d, _ := b.label(measured, Labels{Round: r.ID, Borderline: Keep})
	if got := labels(d); got != "variant invariant invariant" || len(d.Classes) != 2 ||
		d.Rows[2].Basis != string(label.Adjudicated) {
		t.Errorf("%s, %s", got, d.Rows[2].Basis)
	}
}

func TestLabelKeepsSecrets(t *testing.T) {
	b := newFixture(t, 2)
	measured := b.measured()
	r := b.addRound(func(r *label.Round) { r.Blind = true })
	from := Labels{Round: r.ID}
	var secret *SecretError
	if d, _, err := Label(b.Workspace, measured, feature.DefaultLayout(), from); !errors.As(err, &secret) ||
		d.Rows != nil || !strings.Contains(err.Error(), "round first is blind") {
		t.Errorf("%v, %v", err, d.Rows)
	}
	from.Researcher = true
	if d, _ := b.label(measured, from); labels(d) != "variant -" {
		t.Error(labels(d))
	}
	r.Closed = true
	must(t, b.UpdateRound(r))
	if d, _ := b.label(measured, Labels{Round: r.ID}); labels(d) != "variant -" {
		t.Error(labels(d))
	}
}

// The tables that an export writes give the labels that the round gives.
func TestLabelByFile(t *testing.T) {
	b := newFixture(t, 6)
	measured := b.measured()
	r := b.addRound(nil)
	ev := label.Event{
		Round: r.ID, Model: b.models[4].Hash, Annotator: "r3", Kind: label.Adjudicate, Value: label.Invariant,
	}
	testdata.Must(b.Append(ev))(t)
	out := t.TempDir()
	testdata.Must(export.Export(t.Context(), b.Workspace,
		export.Options{Out: out, Without: []export.Part{export.Pictures}}, nil))(t)
	for _, from := range []Labels{{}, {Borderline: Keep, Ties: true}, {Borderline: AsInvariant}} {
		byRound := from
		byRound.Round = r.ID
		want, wantLeft := b.label(measured, byRound)
		for _, name := range []string{"labels_long.csv", "labels_wide.csv"} {
			from.File = filepath.Join(out, name)
			got, left := b.label(measured, from)
			for i := range want.Rows { // the wide table has no word for why nobody decided
				if got.Rows[i].Label != want.Rows[i].Label || !slices.Equal(got.Rows[i].Ratings, want.Rows[i].Ratings) {
					t.Errorf("%s, row %d: %+v, want %+v", name, i, got.Rows[i], want.Rows[i])
				}
			}
			if !slices.Equal(got.Raters, want.Raters) || !slices.Equal(got.Classes, want.Classes) || len(left) < 2 ||
				len(left) > len(wantLeft) {
				t.Errorf("%s: %v, %v, %v", name, got.Raters, got.Classes, reasonsOf(left))
			}
		}
	}
}

const (
	roundA, roundB = "01HZZZZZZZ0000000000000001", "01HZZZZZZZ0000000000000002"
	wideHeader     = "round_id,model_id,model_hash,r1,r2,majority,final\n"
)

func (b *fixture) file(name, text string) string {
	b.tb.Helper()
	path := filepath.Join(b.tb.TempDir(), name)
	must(b.tb, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// Several rounds complete each other, as long as they agree.
func TestLabelByFileOfTwoRounds(t *testing.T) {
	b := newFixture(t, 3)
	measured := b.measured()
	h := []string{b.models[0].Hash, b.models[1].Hash, b.models[2].Hash}
	text := strings.TrimSpace(wideHeader) + ",by_rule\n" +
		roundA + ",m0," + h[0] + ",variant,,variant,variant,true\n" + roundA + ",m1," + h[1] +
		",invariant,variant,,,true\n" +
		roundB + ",m1," + h[1] + ",,variant,variant,variant,false\n" + roundB + ",m2," + h[2] +
		",variant,variant,variant,invariant,false\n" +
		roundB + ",gone," + sums.Hash("gone") + ",variant,variant,variant,variant,false\n"
	d, left := b.label(measured, Labels{File: b.file("wide.csv", text)})
	if got := labels(d); got != "variant variant invariant" || d.Rows[2].Basis != string(label.Adjudicated) ||
		!d.ByRule {
		t.Errorf("%s, %s, by a rule: %v", got, d.Rows[2].Basis, d.ByRule)
	}
	if !slices.Equal(d.Rows[1].Ratings, []label.Value{label.Invariant, label.Variant}) ||
		!slices.Equal(d.Raters, []string{"r1", "r2"}) {
		t.Errorf("%v, %v", d.Rows[1].Ratings, d.Raters)
	}
	want := []LeftOut{{
		ID: "gone", Hash: sums.Hash("gone"),
		Reason: result.Because(assess.WithoutFeatures, "labelled in wide.csv, but without features here"),
	}}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, left))
	text += roundB + ",m0," + h[0] + ",invariant,,invariant,invariant,false\n"
	_, _, err := Label(b.Workspace, measured, feature.DefaultLayout(), Labels{File: b.file("wide.csv", text)})
	testdata.Refused(t, "error", err, "wide.csv: model m0 is variant in one round and invariant in another")
}

func TestLabelByColumn(t *testing.T) {
	b := newFixture(t, 6)
	measured := b.measured()
	d, left := b.label(measured, Labels{
		Column: "rule_label", HoldoutColumn: "fold", HoldoutValue: "holdout", Group: "optimizer",
	})
	if got := labels(d); got != "invariant variant - variant -" || d.Raters != nil {
		t.Errorf("%s, raters %v", got, d.Raters)
	}
	const without = ": it has no label in column rule_label"
	if got := reasonsOf(left); got != "m2"+without+"\nm5"+without {
		t.Error(got)
	}
	if d.Rows[0].Basis != "column rule_label" || d.Rows[2].NoLabel.Code != assess.NotInLabels {
		t.Errorf("%+v", d.Rows)
	}
	for i, want := range []struct {
		holdout bool
		group   string
	}{{false, "Adam"}, {true, "SGD"}, {false, "RMSprop"}, {false, "SGD"}, {true, "RMSprop"}} {
		if d.Rows[i].Holdout != want.holdout || d.Rows[i].Group != want.group {
			t.Errorf("row %d: %v, %s", i, d.Rows[i].Holdout, d.Rows[i].Group)
		}
	}
	d, _ = b.label(measured, Labels{Column: "verdict", Borderline: Keep})
	if labels(d) != "variant borderline variant variant borderline" || len(d.Classes) != 3 {
		t.Error(labels(d))
	}
}

func TestLabelWithoutSource(t *testing.T) {
	b := newFixture(t, 2)
	d, left := b.label(b.measured(), Labels{})
	if labels(d) != "- -" || left != nil || len(d.Classes) != 2 || d.Labelled() != nil {
		t.Errorf("%s, %v", labels(d), left)
	}
	if d, left, err := Label(b.Workspace, nil, feature.DefaultLayout(), Labels{}); err != nil || len(d.Rows) != 0 ||
		left != nil {
		t.Errorf("%v, %v", err, left)
	}
}

func TestLabelRefuses(t *testing.T) {
	b := newFixture(t, 2)
	measured := b.measured()
	background := testdata.Must(b.CreateRound(t.Context(), label.Round{
		Name: "scenes", Kind: label.BackgroundRound, Suite: b.suite.Hash,
		Selection: sums.Hash("selection"), Interpolants: []string{"I1"},
		Annotators: []string{"r1"}, Models: []string{b.models[0].Hash},
	}))(t)
	for _, c := range []struct {
		from Labels
		want string
	}{
		{Labels{Round: "R", Column: "fold"}, "name only one"},
		{Labels{Round: roundA}, "not found"},
		{Labels{Round: background.ID}, "about backgrounds"},
		{
			Labels{Column: "colour"},
			`no training record has a column "colour"; there are fold, rule_label, optimizer, verdict`,
		},
		{Labels{Column: "optimizer"}, `model m0, column optimizer: "Adam" is no label; use invariant`},
		{Labels{Borderline: "half"}, `not "half"`},
		{Labels{HoldoutValue: "holdout"}, "no column is named"},
		{Labels{HoldoutColumn: "part", HoldoutValue: "holdout"}, `column "part"`},
		{
			Labels{HoldoutColumn: "fold", HoldoutValue: "held"},
			`no model has fold = "held"; its values are "regular", "holdout"`,
		},
		{Labels{Group: "family"}, `column "family"`},
		{Labels{File: filepath.Join(t.TempDir(), "absent.csv")}, "absent.csv"},
		{Labels{File: b.file("odd.csv", "a,b\n1,2\n")}, "odd.csv, line 1"},
		{Labels{File: b.file("none.csv", wideHeader)}, "none.csv holds no labels"},
	} {
		d, left, err := Label(b.Workspace, measured, feature.DefaultLayout(), c.from)
		if err == nil || !strings.Contains(err.Error(), c.want) || d.Rows != nil || left != nil {
			t.Errorf("%+v: %v, want %q", c.from, err, c.want)
		}
	}
	_, _, err := Label(b.Workspace, nil, feature.DefaultLayout(), Labels{Column: "fold"})
	testdata.Refused(t, "error", err, "have no training records")
	testdata.ErrorIs(t, "error", testdata.Err(b.Round(roundB)), store.ErrNotFound)
}
