package models

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func mixed() *View {
	v := NewView()
	rows := []Row{
		row("1", "architecture", "VGG4", "epochs", "5", "optimizer", "Adam", "range", "-15..15"),
		row("2", "architecture", "VGG4-BN", "epochs", "20", "optimizer", "Adam W", "anomaly", "leak"),
		row("3", "architecture", "CNN5", "epochs", "100", "optimizer", "SGD"),
		row("4", "architecture", "CNN5", "note", `half "quoted"`, "learning rate", "0.5"),
		row("5", "epochs", "many"),
	}
	for i, accuracy := range []float64{0.9, 0.95, 0.5, math.NaN(), math.NaN()} {
		rows[i].Accuracy = accuracy
	}
	rows[0].Verdict = &Verdict{Label: "variant", Ratings: 3, Agree: 2. / 3}
	rows[1].Verdict = &Verdict{Label: "invariant", Ratings: 3, Agree: 1}
	rows[2].Verdict = &Verdict{Label: "tie", Ratings: 2, Agree: 0.5}
	rows[3].Verdict = &Verdict{Agree: math.NaN()}
	v.SetLabelled(true)
	v.SetRows(rows)
	return v
}

func TestFilterSyntax(t *testing.T) {
	v := mixed()
	for _, c := range []struct{ filter, want string }{
		{"", "1 2 3 4 5"},
		{"vgg", "1 2"},
		{"-vgg", "3 4 5"},
		{"- vgg", "1 2"}, // a dash alone is a word, which is in a range and in a name
		{"vgg -leak", "1"},
		{`"-15..15"`, "1"},
		{"-15..15", "2 3 4 5"},
		{"architecture=vgg4", "1 2"},
		{`architecture="vgg4"`, "1"},
		{"ARCHITECTURE=cnn", "3 4"},
		{`architecture="CNN5"|"VGG4"`, "1 3 4"},
		{"architecture=cnn|vgg4-", "2 3 4"},
		{"architecture:cnn", "3 4"},
		{`-architecture:"CNN5"`, "1 2 5"},
		{"rotation:-15", ""}, // no column: a word
		{`-architecture="CNN5"`, "1 2 5"},
		{`architecture!="CNN5"`, "1 2 5"},
		{`architecture=""`, "5"},
		{"architecture=", "1 2 3 4"},
		{`optimizer="Adam W"`, "2"},
		{`optimizer="adam`, "1 2"}, // half typed
		{"epochs>5", "2 3"},
		{"epochs>=5 epochs<100", "1 2"},
		{"epochs<=5", "1"},
		{"-epochs>5", "1 4 5"},
		{"epochs>", "1 2 3 5"}, // half typed
		{"epochs>m", "5"},
		{"accuracy<0.9", "3"},
		{"accuracy>=0.9", "1 2"},
		{`"learning rate">0.1`, "4"},
		{"agreement<100", "1 3"},
		{"agreement=100", "2"},
		{"label=variant", "1"},
		{"label=tie", "3"},
		{`label="invariant"|"tie"`, "2 3"},
		{"ratings>2", "1 2"},
		{"state=no", "1 2 3 4 5"},
		{`state="no signals" vgg4-bn`, "2"},
		{"nowhere=x", ""},
		{"nowhere>3", ""},
	} {
		v.SetFilter(c.filter)
		if got := strings.Join(shown(v), " "); got != c.want {
			t.Errorf("filter %q shows %q, not %q", c.filter, got, c.want)
		}
	}
	v.SetFilter("nowhere>3 epochs>1")
	if got := v.Unknown(); !slices.Equal(got, []string{"nowhere"}) {
		t.Errorf("unknown columns %v", got)
	}
}

func TestQueryIsWrittenAsItIsRead(t *testing.T) {
	for text, want := range map[string]string{
		`  vgg   -leak `: "vgg -leak", `a="x y"|"z" b>=3`: `a="x y"|"z" b>=3`, `"learning rate"<1`: `"learning rate"<1`, `=x`: "=x",
		`a=b|c`: "a=b|c", `-a!="x"`: `-a!="x"`, `""`: "", "a|b": "a|b",
	} {
		if got := ParseQuery(text).String(); got != want {
			t.Errorf("%q is written %q, not %q", text, got, want)
		}
	}
}

func TestMenuAndChipsWriteTheSameFilter(t *testing.T) {
	q := ParseQuery(`vgg optimizer="SGD" epochs>3`)
	q = q.Choose("optimizer", []string{"SGD", "Adam W"}).Choose("fold", []string{""}).SetDisagreement(true)
	if got, want := q.String(), `vgg optimizer="SGD"|"Adam W" epochs>3 fold="" agreement<100`; got != want {
		t.Fatalf("%s", got)
	}
	if got := q.Chosen("Optimizer"); !slices.Equal(got, []string{"SGD", "Adam W"}) {
		t.Errorf("chosen %v", got)
	}
	var words []string
	for _, c := range q.Clauses {
		words = append(words, c.Words())
	}
	if got, want := strings.Join(words, ", "), "vgg, optimizer is SGD or Adam W, epochs > 3, fold is empty, raters disagree"; got != want {
		t.Errorf("chips %q", got)
	}
	if !q.Disagreement() || q.SetDisagreement(false).Disagreement() || len(q.SetDisagreement(true).Clauses) != 5 {
		t.Error("the clause of disagreement")
	}
	if got := q.Choose("optimizer", nil).Without(0).String(); got != `epochs>3 fold="" agreement<100` {
		t.Errorf("%s", got)
	}
	if q.String() != `vgg optimizer="SGD"|"Adam W" epochs>3 fold="" agreement<100` {
		t.Error("a changed query changes the one that it came from")
	}
	if got := q.Choose("x", []string{`a"b`}).String(); got != q.String() {
		t.Errorf("a quotation mark cannot be written, and became %s", got)
	}
	if got := ParseQuery("-leak architecture=vgg_4").Clauses; got[0].Words() != "not: leak" || got[1].Words() != "architecture begins with vgg_4" {
		t.Errorf("%q %q", got[0].Words(), got[1].Words())
	}
}

// FuzzQuery: any text is a filter, and what is written back means the same.
func FuzzQuery(f *testing.F) {
	for _, text := range []string{`a="b"|c -d "e f">=3`, "-", `"`, "a=", "||", "!=<>", "-\"x\"=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := mixed()
		v.SetFilter(text)
		first := shown(v)
		if strings.Count(text, `"`)%2 == 1 || strings.ContainsAny(text, "\n\v\f\r\u0085\u00a0") {
			return // a mark left open is closed by being written
		}
		v.SetFilter(v.Query().String())
		if got := shown(v); !slices.Equal(first, got) {
			t.Errorf("%q shows %v, written back as %q it shows %v", text, first, v.Query(), got)
		}
	})
}

func TestColumnsCanBeHidden(t *testing.T) {
	v := mixed()
	keys := func() (list []string) {
		for _, c := range v.Columns() {
			list = append(list, c.Key)
		}
		return list
	}
	all := len(keys())
	v.Hide("epochs", true)
	v.Hide(keyThumbs, true)
	v.Hide(keyID, true) // stays: a row needs its name
	if got := keys(); len(got) != all-2 || slices.Contains(got, "epochs") || !slices.Contains(got, keyID) {
		t.Errorf("columns %v", got)
	}
	v.SetFilter("epochs>5")
	if got := shown(v); !slices.Equal(got, []string{"2", "3"}) {
		t.Errorf("a hidden column does not filter: %v", got)
	}
	l := v.looks(firstLooks())
	other := mixed()
	other.Hide("optimizer", true)
	other.apply(l)
	if !other.Hidden("epochs") || other.Hidden("optimizer") {
		t.Errorf("remembered: %v", other.Hiding())
	}
	v.SetLabelled(false)
	v.Hide("epochs", false)
	if slices.Contains(keys(), keyLabel) || !slices.Contains(keys(), "epochs") {
		t.Errorf("without a round: %v", keys())
	}
}

func TestValuesAreCounted(t *testing.T) {
	v := mixed()
	if got, want := v.Values("epochs"), []Value{{"5", 1}, {"20", 1}, {"100", 1}, {"many", 1}, {"", 1}}; !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if got := v.Values("architecture")[0]; got != (Value{"CNN5", 2}) {
		t.Errorf("%v", got)
	}
}

func TestOrderByLabelAndAgreement(t *testing.T) {
	v := mixed()
	v.SortBy(keyAgreement)
	if got := strings.Join(shown(v), " "); got != "3 1 2 4 5" {
		t.Errorf("by agreement: %s", got)
	}
	v.SortBy(keyLabel)
	if got := strings.Join(shown(v), " "); got != "2 3 1 4 5" {
		t.Errorf("by label: %s", got)
	}
	v.SetOrder("epochs", true)
	if got := strings.Join(shown(v), " "); got != "5 3 2 1 4" {
		t.Errorf("by epochs downwards: %s", got)
	}
}

func TestCaptionCountsInThousands(t *testing.T) {
	v := NewView()
	rows := make([]Row, 1000)
	for i := range rows {
		rows[i] = row(strings.Repeat("x", i%3+1)+string(rune('a'+i%26)), "k", "v")
		rows[i].Model.Hash += string(rune(i))
	}
	v.SetRows(rows)
	v.SetFilter("xxxb")
	v.CheckShown(true)
	n := v.Len()
	if got, want := v.Caption(), strings.Join([]string{"13 of 1,000 models,", "13 checked"}, " "); n != 13 || got != want {
		t.Errorf("%d rows, %q", n, got)
	}
	v.UncheckRange(0, 11)
	if got := v.Caption(); got != "13 of 1,000 models, 1 checked" {
		t.Error(got)
	}
	if v.CheckNone(); !v.Unchecked() {
		t.Error("checks are left")
	}
}
