package export

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/ratings"
)

// wideLabels are ten items of three raters, with labels that are missing.
var wideLabels = []string{"vvv", "vvb", "iii", "i-i", "bbv", "--v", "iib", "vv-", "bib", "iii"}

// inForm writes wideLabels as a table, with words for i, b, v and -.
func inForm(words string, separator string) string {
	spell := strings.Split(words, " ")
	rows := []string{strings.Join([]string{"item", "ann", "bob", "cid"}, separator)}
	for k, labels := range wideLabels {
		cells := []string{string(rune('p' + k))}
		for _, l := range labels {
			cells = append(cells, spell[strings.IndexRune("ibv-", l)])
		}
		rows = append(rows, strings.Join(cells, separator))
	}
	return strings.Join(rows, "\n") + "\n"
}

// TestAgreementOfEveryForm: however others write the same labels, the measures are the same.
func TestAgreementOfEveryForm(t *testing.T) {
	measure := func(name, text string, words ...string) *agreement.Round {
		list, err := AgreementFromFile(save(t, name, text), 0, ratings.Options{Map: words},
			agreement.Options{Intervals: true})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %d rounds, %v\n%s", name, len(list), err, text)
		}
		return list[0]
	}
	plain := inForm("invariant borderline variant NA", ",")
	want := measure("l.csv", plain)
	if got := want.Report.Classes; !cmp.Equal(got, label.Words(3)) ||
		!cmp.Equal(want.Report.Raters, []string{"ann", "bob", "cid"}) || want.Report.ItemsTwo != 9 {
		t.Errorf("%v, %v, %d", got, want.Report.Raters, want.Report.ItemsTwo)
	}
	long, studio := "label,rater,when,item\n", []string{}
	for k, labels := range wideLabels {
		for a, l := range labels {
			word := map[rune]string{'i': "invariant", 'b': "borderline", 'v': "variant"}[l]
			item, rater := string(rune('p'+k)), []string{"ann", "bob", "cid"}[a]
			long += word + "," + rater + ",today," + item + "\n"
			if word != "" {
				word = `{"from_name": "x", "to_name": "y", "type": "choices", "value": {"choices": ["` + word + `"]}}`
			}
			studio = append(studio, `{"id": 7, "data": {"item": "`+item+`", "text": "t"}, "annotations": [{"id": 3, "completed_by": {"id": 1, "email": "`+rater+`"},
				"result": [`+word+`]}, {"was_cancelled": true, "completed_by": 4, "result": [{"from_name": "x", "type": "choices", "value": {"choices": ["variant"]}}]}]}`)
		}
	}
	wide := []byte{0xff, 0xfe}
	for _, u := range utf16.Encode([]rune(inForm("i b v -", "\t"))) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for name, text := range map[string]string{
		"semicolons.csv": inForm("I B V n/a", ";"), "tabs.tsv": inForm("0 1 2 ", "\t"),
		"floats.csv": inForm("0.0 1.0 2.0 nan", ","),
		"sep.csv":    "sep=;\r\n" + strings.ReplaceAll(inForm("Invariant Borderline VARIANT ", ";"), "\n", "\r\n"),
		"utf16.txt":  string(wide), "long.csv": long, "studio.json": "[" + strings.Join(studio, ",") + "]",
		"pipes.csv": inForm("i b v ?", "|"),
	} {
		got := measure(name, text)
		testdata.NoDiff(t, name, cmp.Diff(want.Report, got.Report))
	}
	mapped := measure("map.csv", inForm("ok meh bad ", ","), "OK=invariant", "meh=Borderline", "bad=variant")
	file := measure("map.csv", inForm("ok meh bad ", ","),
		save(t, "words.csv", "word;label\nok;invariant\nmeh;borderline\nbad;variant\n"))
	if diff := cmp.Diff(want.Report, mapped.Report); diff != "" || !cmp.Equal(want.Report, file.Report) {
		t.Error(diff)
	}
	others := measure("others.csv", inForm("good so-so bad ", ","))
	if math.Abs(others.Report.Percent.Value.Value-want.Report.Percent.Value.Value) > 1e-12 ||
		math.Abs(others.Report.Fleiss.Value.Value-want.Report.Fleiss.Value.Value) > 1e-12 ||
		others.Report.GwetAC2Linear != nil ||
		!cmp.Equal(others.Report.Classes, []string{"bad", "good", "so-so"}) ||
		!strings.Contains(others.Taken, "bad, good, so-so as they are") {
		t.Errorf("%+v, %s", others.Report, others.Taken)
	}
	scale := measure("scale.csv", inForm("1 2 3 ", ","))
	if !cmp.Equal(scale.Report.KrippendorffOrdinal.Value, want.Report.KrippendorffOrdinal.Value) {
		t.Error("the order of a scale 1, 2, 3 is lost")
	}
	two := measure("two.csv", inForm("FALSE TRUE TRUE ", ";"))
	if !cmp.Equal(two.Report.Classes, label.Words(2)) || !strings.Contains(two.Taken, "TRUE as variant") {
		t.Errorf("%v, %s", two.Report.Classes, two.Taken)
	}
}

// TestSpreadsheetsSaveOurTables: Excel writes semicolons and TRUE into labels_long.csv.
func TestSpreadsheetsSaveOurTables(t *testing.T) {
	rows := threeRaters(6, label.Values(3))
	text := longText(t, rows)
	saved := strings.NewReplacer(",", ";", "true", "TRUE", "false", "FALSE", "\n", "\r\n").Replace(text)
	want := testdata.Must(ReadLong(strings.NewReader(text), "l"))(t)
	got, err := ReadLong(bytes.NewReader([]byte("\ufeff"+saved)), "l")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(err, diff)
	}
}
