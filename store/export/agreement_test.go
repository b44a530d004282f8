package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	if err != nil || len(list) != 2 || list[0].Of.Name != "older" || list[1].Of.ID != roundID ||
		len(list[0].Report.Classes) != 3 {
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
		if _, err := AgreementFromFile(save(t, "l.csv", c.text), c.classes, ratings.Options{},
			agreement.Options{}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := AgreementFromFile(filepath.Join(t.TempDir(), "none.csv"), 0, ratings.Options{},
		agreement.Options{}); err == nil || !strings.Contains(err.Error(), "none.csv") {
		t.Errorf("a missing file: %v", err)
	}
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
