package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
)

// threeRaters labels n items with three words by a simple rule that agrees often.
func threeRaters(n int, words []label.Value) []LongRow {
	var rows []LongRow
	for i := range n {
		id := "m" + string(rune('a'+i))
		for a, annotator := range []string{"r1", "r2", "r3"} {
			k := i
			if (i+a)%4 == 0 {
				k += a
			}
			rows = append(rows, sample(len(rows), annotator, id, words[k%len(words)]))
		}
	}
	return rows
}

func save(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// The long table, the wide table made of the same labels and the round itself give the same report.
func TestAgreementFromFile(t *testing.T) {
	for _, words := range [][]label.Value{label.Values(2), label.Values(3)} {
		rows := threeRaters(12, words)
		round := label.Round{ID: roundID, Name: "first", Classes: len(words), Annotators: []string{"r1", "r2", "r3"}}
		var events []label.Event
		var ids []string
		for _, row := range rows {
			events = append(events, row.Event)
			if !slices.Contains(ids, row.ModelID) {
				round.Models, ids = append(round.Models, row.Model), append(ids, row.ModelID)
			}
		}
		opts := agreement.Options{Intervals: true}
		want := AgreementOf(round, events, ids, opts)
		long, err := AgreementFromFile(save(t, "labels_long.csv", longText(t, rows)), 0, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]RoundAgreement{want}, long); diff != "" {
			t.Errorf("long: %s", diff)
		}
		named := func(hash string) string { return ids[slices.Index(round.Models, hash)] }
		table := WideOf([]label.Round{round}, map[string][]label.Event{roundID: events}, named)
		wide, err := AgreementFromFile(save(t, "labels_wide.csv", wideText(t, table)), 0, opts)
		if err != nil {
			t.Fatal(err)
		}
		want.Round = "" // the wide table has no names of rounds
		if diff := cmp.Diff([]RoundAgreement{want}, wide); diff != "" {
			t.Errorf("wide: %s", diff)
		}
	}
}

func TestAgreementFromFileWithUndo(t *testing.T) {
	undone := sample(50, "r1", "ma", label.Invariant)
	undo := sample(51, "r1", "ma", "")
	undo.Kind, undo.Supersedes = label.Undo, undone.ID
	rows := append(threeRaters(6, label.Values(2)), undone, undo)
	opts := agreement.Options{}
	with, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 0, opts)
	if err != nil {
		t.Fatal(err)
	}
	without, err := AgreementFromFile(save(t, "l.csv", longText(t, rows[:len(rows)-2])), 0, opts)
	if diff := cmp.Diff(without, with); err != nil || diff != "" {
		t.Errorf("an undone label counts: %v %s", err, diff)
	}
}

func TestAgreementFromFileOfSeveralRounds(t *testing.T) {
	rows := threeRaters(5, label.Values(2))
	for k := range rows {
		if k%2 == 0 {
			rows[k].Round, rows[k].RoundName = ulidOf(7000), "older"
		}
	}
	list, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 3, agreement.Options{})
	if err != nil || len(list) != 2 || list[0].Round != "older" || list[1].RoundID != roundID || len(list[0].Report.Classes) != 3 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAgreementFromFileRefuses(t *testing.T) {
	three := longText(t, threeRaters(4, label.Values(3)))
	for _, c := range []struct {
		text    string
		classes int
		want    string
	}{
		{three, 2, "l.csv: round " + roundID + " has borderline labels; measure it with 3 classes"},
		{three, 5, "l.csv: 5 classes; a round has 2 or 3"},
		{strings.Join(longHeader(), ",") + "\n", 0, "l.csv holds no labels"},
		{"a,b\n1,2\n", 0, "l.csv, line 1: this is no labels_long.csv"},
		{"", 0, "l.csv, line 1: the file is empty"},
		{"round_id,model_id,model_hash,majority,final\nx,y,z,,\n", 0, "l.csv, line 2: column round_id"},
	} {
		if _, err := AgreementFromFile(save(t, "l.csv", c.text), c.classes, agreement.Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := AgreementFromFile(filepath.Join(t.TempDir(), "none.csv"), 0, agreement.Options{}); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestAgreementCSV(t *testing.T) {
	rows := threeRaters(12, label.Values(3))
	list, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 3, agreement.Options{Intervals: true})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := AgreementCSV(&out, list); err != nil {
		t.Fatal(err)
	}
	table, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// eleven group measures; per pair and per rater four coefficients and nine counts; two measures per class
	if want := 1 + 11 + (3+3)*(4+9) + 3*2; len(table) != want {
		t.Errorf("%d rows, want %d", len(table), want)
	}
	r := list[0].Report
	find := func(measure, a, b string) []string {
		for _, row := range table {
			if row[1] == measure && row[2] == a && row[3] == b && row[4] == "" {
				return row
			}
		}
		t.Fatalf("no row %s %s %s", measure, a, b)
		return nil
	}
	fleiss := find("fleiss", "", "")
	iv := r.Fleiss.Interval
	want := []string{
		roundID, "fleiss", "", "", "", "", number(r.Fleiss.Value.Value), "12", number(iv.Low), number(iv.High), "", "",
		r.Fleiss.Words,
	}
	if diff := cmp.Diff(want, fleiss); diff != "" {
		t.Error(diff)
	}
	if row := find("cohen_quadratic", "r1", "r3"); row[6] != number(r.Cohen[1].Quadratic.Value.Value) {
		t.Errorf("%v", row)
	}
	if row := find("cohen_vs_majority", "r2", "(majority)"); row[6] != number(r.VsMajority[1].Kappa.Value.Value) {
		t.Errorf("%v", row)
	}
}

func TestAgreementCSVUndefined(t *testing.T) {
	round := label.Round{ID: roundID, Classes: 2, Annotators: []string{"r1", "r2"}, Models: []string{"h"}}
	list := []RoundAgreement{AgreementOf(round, nil, []string{"s1"}, agreement.Options{Intervals: true, LeaveOneOut: true})}
	var out bytes.Buffer
	if err := AgreementCSV(&out, list); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		roundID + ",fleiss,,,,,,0,,,no item has two ratings,no item has two ratings,\n",
		roundID + ",cohen,r1,r2,,,,0,,,no common items,no common items,\n",
		roundID + ",cohen_vs_majority_of_others_count,r1,(majority),variant,invariant,0,0,,,,,\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %q in\n%s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "NaN") {
		t.Error("the table holds NaN")
	}
}

func TestAgreementJSON(t *testing.T) {
	list, err := AgreementFromFile(save(t, "l.csv", longText(t, threeRaters(6, label.Values(2)))), 0, agreement.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := AgreementJSON(&out, list); err != nil {
		t.Fatal(err)
	}
	var back struct {
		Rounds []struct {
			RoundID string   `json:"round_id"`
			Models  []string `json:"models"`
			Report  struct {
				Raters   []string                                  `json:"raters"`
				Majority map[string][]*string                      `json:"majority"`
				Fleiss   struct{ Value *float64 }                  `json:"fleiss"`
				Cohen    []struct{ Confusion [][]int }             `json:"cohen_pairs"`
				Classes  []string                                  `json:"classes"`
				Versus   []struct{ Kappa struct{ Reason string } } `json:"cohen_vs_majority"`
			} `json:"report"`
		} `json:"rounds"`
	}
	if err := json.Unmarshal(out.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	r := back.Rounds[0]
	if r.RoundID != roundID || len(r.Models) != 6 || len(r.Report.Majority["unresolved"]) != 6 || *r.Report.Majority["lowest"][0] != "invariant" {
		t.Errorf("%+v", r)
	}
	if len(r.Report.Cohen) != 3 || len(r.Report.Cohen[0].Confusion) != 2 || r.Report.Fleiss.Value == nil || len(r.Report.Versus) != 3 {
		t.Errorf("%+v", r.Report)
	}
}

// The whole file for two annotators, six items and two classes: percent 4/6, and by hand n = 6, rows 3/3, columns 3/3,
// p_o = 2/3, p_e = 1/2, so Cohen's kappa is 1/3; Fleiss is the same, since both use each class three times.
// Krippendorff's alpha is 1 - (12-1) x 2 / (6 x 6) = 7/18.
func TestAgreementCSVByHand(t *testing.T) {
	round := label.Round{ID: roundID, Name: "first", Classes: 2, Annotators: []string{"r1", "-r2"}}
	var events []label.Event
	for i, pair := range [][2]label.Value{
		{label.Invariant, label.Invariant},
		{label.Invariant, label.Invariant},
		{label.Invariant, label.Variant},
		{label.Variant, label.Invariant},
		{label.Variant, label.Variant},
		{label.Variant, label.Variant},
	} {
		id := string(rune('a' + i))
		round.Models = append(round.Models, hashOf(id))
		for a, v := range pair {
			events = append(events, sample(2*i+a, round.Annotators[a], id, v).Event)
		}
	}
	list := []RoundAgreement{AgreementOf(round, events, []string{"a", "b", "c", "d", "e", "f"}, agreement.Options{})}
	var out bytes.Buffer
	if err := AgreementCSV(&out, list); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(`round_id,measure,rater_a,rater_b,class_a,class_b,value,n,low,high,reason,interval_reason,interpretation
R,percent,,,,,0.6666666666666666,6,,,,,
R,fleiss,,,,,0.33333333333333326,6,,,,,fair
R,cohen_mean,,,,,0.3333333333333333,6,,,,,fair
R,gwet_ac1,,,,,0.33333333333333326,6,,,,,fair
R,krippendorff_nominal,,,,,0.38888888888888884,6,,,,,fair
R,cohen_percent,r1,'-r2,,,0.6666666666666666,6,,,,,
R,cohen,r1,'-r2,,,0.3333333333333333,6,,,,,fair
R,cohen_count,r1,'-r2,invariant,invariant,2,6,,,,,
R,cohen_count,r1,'-r2,invariant,variant,1,6,,,,,
R,cohen_count,r1,'-r2,variant,invariant,1,6,,,,,
R,cohen_count,r1,'-r2,variant,variant,2,6,,,,,
R,cohen_vs_majority_percent,r1,(majority),,,1,4,,,,,
R,cohen_vs_majority,r1,(majority),,,1,4,,,,,almost perfect
R,cohen_vs_majority_count,r1,(majority),invariant,invariant,2,4,,,,,
R,cohen_vs_majority_count,r1,(majority),invariant,variant,0,4,,,,,
R,cohen_vs_majority_count,r1,(majority),variant,invariant,0,4,,,,,
R,cohen_vs_majority_count,r1,(majority),variant,variant,2,4,,,,,
R,cohen_vs_majority_percent,'-r2,(majority),,,1,4,,,,,
R,cohen_vs_majority,'-r2,(majority),,,1,4,,,,,almost perfect
R,cohen_vs_majority_count,'-r2,(majority),invariant,invariant,2,4,,,,,
R,cohen_vs_majority_count,'-r2,(majority),invariant,variant,0,4,,,,,
R,cohen_vs_majority_count,'-r2,(majority),variant,invariant,0,4,,,,,
R,cohen_vs_majority_count,'-r2,(majority),variant,variant,2,4,,,,,
R,class_percent,,,invariant,,0.6666666666666666,4,,,,,
R,class_kappa,,,invariant,,0.3333333333333333,6,,,,,fair
R,class_percent,,,variant,,0.6666666666666666,4,,,,,
R,class_kappa,,,variant,,0.3333333333333333,6,,,,,fair
`, "R,", roundID+",")
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// Repeats are measured by themselves and are in both files; without repeats there is nothing of them.
func TestAgreementSelfAndPerClass(t *testing.T) {
	round := label.Round{ID: roundID, Name: "first", Classes: 2, Annotators: []string{"r1", "r2"}, Models: []string{"a", "b", "c"}}
	events := []label.Event{}
	add := func(annotator, model string, v label.Value, pass int) {
		ev := sample(len(events), annotator, model, v).Event
		ev.Model, ev.Pass = model, pass
		events = append(events, ev)
	}
	for _, model := range round.Models {
		add("r1", model, label.Variant, 1)
		add("r2", model, label.Invariant, 1)
	}
	plain := AgreementOf(round, events, round.Models, agreement.Options{})
	if len(plain.Self) != 0 || len(plain.PerClass) != 2 || plain.PerClass[0].Percent.Value.Value != 0 {
		t.Errorf("without repeats: %+v", plain)
	}
	add("r1", "a", label.Variant, 2)
	add("r1", "b", label.Invariant, 2)
	a := AgreementOf(round, events, round.Models, agreement.Options{})
	if len(a.Self) != 1 || a.Self[0].Rater != "r1" || a.Self[0].N != 2 || a.Self[0].Percent.Value.Value != 0.5 {
		t.Fatalf("self-consistency %+v", a.Self)
	}
	var text bytes.Buffer
	if err := AgreementCSV(&text, []RoundAgreement{a}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"self_percent,r1,r1,,,0.5,2,", "self_count,r1,r1,variant,invariant,1,2,", "class_percent,,,invariant,,0,3,"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the table:\n%s", want, text.String())
		}
	}
}

// TestAgreementIsCancelled: intervals of many rounds take long.
func TestAgreementIsCancelled(t *testing.T) {
	rows := threeRaters(6, label.Values(2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 0, agreement.Options{Intervals: true, Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
