package export

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
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
