package export

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/store/ratings"
)

// threeRaters labels n items with three words by a simple rule that agrees often.
func threeRaters(n int, words []label.Value) []label.Row {
	var rows []label.Row
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
		want := agreement.OfRound(round, events, ids, round.Annotators, opts)
		long, err := AgreementFromFile(save(t, "labels_long.csv", longText(t, rows)), 0, ratings.Options{}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{want.Report, want.PerClass, want.Ratings, want.Models, "first"}, []any{long[0].Report, long[0].PerClass, long[0].Ratings, long[0].Models, long[0].Of.Name}); diff != "" {
			t.Errorf("long: %s", diff)
		}
		table := WideOf([]*agreement.Round{want}, map[string][]label.Event{roundID: events})
		wide, err := AgreementFromFile(save(t, "labels_wide.csv", wideText(t, table)), 0, ratings.Options{}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]any{want.Report, want.PerClass, want.Ratings, want.Models}, []any{wide[0].Report, wide[0].PerClass, wide[0].Ratings, wide[0].Models}); diff != "" {
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
	with, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 0, ratings.Options{}, opts)
	if err != nil {
		t.Fatal(err)
	}
	without, err := AgreementFromFile(save(t, "l.csv", longText(t, rows[:len(rows)-2])), 0, ratings.Options{}, opts)
	if diff := cmp.Diff(without[0].Report, with[0].Report); err != nil || diff != "" {
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
	list, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 3, ratings.Options{}, agreement.Options{})
	if err != nil || len(list) != 2 || list[0].Of.Name != "older" || list[1].Of.ID != roundID || len(list[0].Report.Classes) != 3 {
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
		{"a,b\n1,2\n", 0, "l: there is one rater, b; agreement needs two"},
		{"", 0, "l.csv: it is empty"},
		{"round_id,model_id,model_hash,majority,final\nx,y,z,,\n", 0, "l.csv, line 2: column round_id"},
	} {
		if _, err := AgreementFromFile(save(t, "l.csv", c.text), c.classes, ratings.Options{}, agreement.Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := AgreementFromFile(filepath.Join(t.TempDir(), "none.csv"), 0, ratings.Options{}, agreement.Options{}); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Errorf("a missing file: %v", err)
	}
}

// Both tables for two annotators, six items and two classes: percent 4/6, and by hand n = 6, rows 3/3, columns 3/3,
// p_o = 2/3, p_e = 1/2, so Cohen's kappa is 1/3; Fleiss is the same, since both use each class three times.
// Krippendorff's alpha is 1 - (12-1) x 2 / (6 x 6) = 7/18.
func TestAgreementFilesByHand(t *testing.T) {
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
	list := []*agreement.Round{agreement.OfRound(round, events, []string{"a", "b", "c", "d", "e", "f"}, round.Annotators, agreement.Options{})}
	var out bytes.Buffer
	for _, sheet := range agreement.Document(list, nil).Sheets[:2] {
		if err := sheet.CSV(&out, false); err != nil {
			t.Fatal(err)
		}
	}
	want := strings.ReplaceAll(`round,round_id,measure,rater_a,rater_b,class,value,value_low,value_high,n,interpretation,no_interval,missing
first,R,percent,,,,0.6666666666666666,,,6,,,
first,R,fleiss,,,,0.33333333333333326,,,6,fair,,
first,R,cohen_mean,,,,0.3333333333333333,,,6,fair,,
first,R,gwet_ac1,,,,0.33333333333333326,,,6,fair,,
first,R,krippendorff_nominal,,,,0.38888888888888884,,,6,fair,,
first,R,cohen_percent,r1,-r2,,0.6666666666666666,,,6,,,
first,R,cohen,r1,-r2,,0.3333333333333333,,,6,fair,,
first,R,cohen_vs_majority_percent,r1,(majority),,1,,,4,,,
first,R,cohen_vs_majority,r1,(majority),,1,,,4,almost perfect,,
first,R,cohen_vs_majority_percent,-r2,(majority),,1,,,4,,,
first,R,cohen_vs_majority,-r2,(majority),,1,,,4,almost perfect,,
first,R,class_percent,,,invariant,0.6666666666666666,,,4,,,
first,R,class_kappa,,,invariant,0.3333333333333333,,,6,fair,,
first,R,class_percent,,,variant,0.6666666666666666,,,4,,,
first,R,class_kappa,,,variant,0.3333333333333333,,,6,fair,,
round,round_id,measure,rater_a,rater_b,class_a,class_b,count,n
first,R,cohen,r1,-r2,invariant,invariant,2,6
first,R,cohen,r1,-r2,invariant,variant,1,6
first,R,cohen,r1,-r2,variant,invariant,1,6
first,R,cohen,r1,-r2,variant,variant,2,6
first,R,cohen_vs_majority,r1,(majority),invariant,invariant,2,4
first,R,cohen_vs_majority,r1,(majority),invariant,variant,0,4
first,R,cohen_vs_majority,r1,(majority),variant,invariant,0,4
first,R,cohen_vs_majority,r1,(majority),variant,variant,2,4
first,R,cohen_vs_majority,-r2,(majority),invariant,invariant,2,4
first,R,cohen_vs_majority,-r2,(majority),invariant,variant,0,4
first,R,cohen_vs_majority,-r2,(majority),variant,invariant,0,4
first,R,cohen_vs_majority,-r2,(majority),variant,variant,2,4
`, ",R,", ","+roundID+",")
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestAgreementIsCancelled: intervals of many rounds take long.
func TestAgreementIsCancelled(t *testing.T) {
	rows := threeRaters(6, label.Values(2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 0, ratings.Options{}, agreement.Options{Intervals: true, Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
