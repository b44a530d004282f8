package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
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
	testdata.OK(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestAgreementFromFileRefuses(t *testing.T) {
	three := longText(t, threeRaters(4, label.Values(3)))
	for _, c := range []struct {
		text    string
		classes int
		want    string
	}{
		{three, 2, "l.csv: round " + roundID + " has borderline labels; measure it with 3 classes"},
		{"a,b\n1,2\n", 0, "l: there is one rater, b; agreement needs two"},
		{"", 0, "l.csv: it is empty"},
		{"round_id,model_id,model_hash,majority,final\nx,y,z,,\n", 0, "l.csv, line 2: column round_id"},
	} {
		_, err := AgreementFromFile(save(t, "l.csv", c.text), c.classes, ratings.Options{}, agreement.Options{})
		testdata.Refused(t, "table", err, c.want)
	}
	_, err := AgreementFromFile(filepath.Join(t.TempDir(), "none.csv"), 0, ratings.Options{}, agreement.Options{})
	testdata.Refused(t, "a missing file", err, "none.csv")
}

// TestAgreementIsCancelled: intervals of many rounds take long.
func TestAgreementIsCancelled(t *testing.T) {
	rows := threeRaters(6, label.Values(2))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := AgreementFromFile(save(t, "l.csv", longText(t, rows)), 0, ratings.Options{},
		agreement.Options{Intervals: true, Context: ctx}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func roundsOf(t *testing.T, text string, classes int) ([]FileRound, error) {
	t.Helper()
	return ReadRounds(save(t, "labels.csv", text), classes)
}

// A wide table's votes and final labels decide its items as the round did.
func TestReadRoundsOfAWideTable(t *testing.T) {
	other := ulidOf(9001)
	row := func(round, id, cells string) string {
		return round + "," + id + "," + sums.Hash(id) + "," + cells + "\n"
	}
	rounds, err := roundsOf(t, "round_id,model_id,model_hash,b,a,c,majority,final\n"+
		row(other, "z", "variant,,,variant,variant")+
		row(roundID, "m1", "variant,variant,invariant,variant,variant")+
		row(roundID, "m2", "variant,invariant,,,borderline")+
		row(roundID, "m3", "invariant,variant,,,")+
		row(roundID, "m4", "invariant,invariant,,invariant,variant")+
		row(roundID, "m5", ",,,,"), 0)
	if err != nil || len(rounds) != 2 || rounds[0].ID != roundID {
		t.Fatalf("%v, %+v", err, rounds)
	}
	r := rounds[0]
	if r.Classes != 3 || rounds[1].Classes != 2 || !slices.Equal(r.Annotators, []string{"b", "a", "c"}) ||
		!slices.Equal(rounds[1].Annotators, []string{"b"}) {
		t.Errorf("%d and %d classes, %v, %v", r.Classes, rounds[1].Classes, r.Annotators, rounds[1].Annotators)
	}
	marked, err := roundsOf(t, "round_id,model_id,model_hash,a,majority,final,by_rule\n"+
		row(other, "z", "variant,variant,variant,true")+row(roundID, "m1", ",,,false"), 0)
	if err != nil || marked[0].ByRule || !marked[1].ByRule || rounds[1].ByRule {
		t.Errorf("labels that a rule has made: %+v, %v", marked, err)
	}
	want := []label.Decision{
		{Model: sums.Hash("m1"), Value: label.Variant, By: label.Majority},
		{Model: sums.Hash("m2"), Value: label.Borderline, By: label.Adjudicated},
		{Model: sums.Hash("m3"), By: label.Tie},
		{Model: sums.Hash("m4"), Value: label.Variant, By: label.Adjudicated},
		{Model: sums.Hash("m5"), By: label.Unlabelled},
	}
	if got := label.Training(r.Round, r.Events, false); !slices.Equal(got, want) ||
		!slices.Equal(r.IDs, []string{"m1", "m2", "m3", "m4", "m5"}) {
		t.Errorf("%+v, %v", got, r.IDs)
	}
}

func TestReadRoundsOfALongTable(t *testing.T) {
	undo := sample(4, "r1", "m1", "")
	undo.Kind, undo.Supersedes = label.Undo, ulidOf(1)
	final := sample(5, "judge", "m2", label.Variant)
	final.Kind = label.Adjudicate
	rows := []label.Row{
		sample(1, "r1", "m1", label.Variant), sample(2, "r2", "m1", label.Invariant),
		sample(3, "r1", "m2", label.Invariant), undo, final,
	}
	rounds, err := roundsOf(t, longText(t, rows), 3)
	if err != nil || len(rounds) != 1 {
		t.Fatal(err)
	}
	r := rounds[0]
	want := []label.Decision{
		{Model: sums.Hash("m1"), Value: label.Invariant, By: label.Majority},
		{Model: sums.Hash("m2"), Value: label.Variant, By: label.Adjudicated},
	}
	if got := label.Training(r.Round, r.Events, false); !slices.Equal(got, want) || r.Classes != 3 ||
		r.Name != "first" || !slices.Equal(r.Annotators, []string{"r1", "r2"}) {
		t.Errorf("%+v, %+v", got, r.Round)
	}
}

func TestReadRoundsRefuses(t *testing.T) {
	borderline := longText(t, []label.Row{sample(1, "r1", "m1", label.Borderline)})
	for _, c := range []struct {
		text    string
		classes int
		want    string
	}{
		{"", 0, "labels.csv, line 1: the file is empty"},
		{"a,b\n", 0, "no labels_long.csv"},
		{strings.Join(longHeader(), ",") + "\n", 0, "labels.csv holds no labels"},
		{borderline, 2, "labels.csv: round " + roundID + " has borderline labels"},
		{borderline, 4, "4 classes; a round has 2 or 3"},
	} {
		_, err := roundsOf(t, c.text, c.classes)
		testdata.Refused(t, "table", err, c.want)
	}
}
