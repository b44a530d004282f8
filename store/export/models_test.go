package export

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// modelTable writes models.csv and returns each row as a map from column to cell.
func modelTable(t *testing.T, items []Item) (header []string, rows []map[string]string) {
	t.Helper()
	var out bytes.Buffer
	testdata.OK(t, ModelSheet(View{Items: items}).CSV(&out, false))
	cells := testdata.Must(csv.NewReader(&out).ReadAll())(t)
	for _, row := range cells[1:] {
		m := map[string]string{}
		for k, cell := range row {
			if cell != "" {
				m[cells[0][k]] = cell
			}
		}
		rows = append(rows, m)
	}
	return cells[0], rows
}

func knownItem() Item {
	return Item{
		Known: true, State: "ready",
		Model: model.Model{
			Hash: sums.Hash("s1"), ID: "=s1", ProbedKind: model.Probabilities,
			Graph: model.Graph{
				Input:   model.Input{Channels: 3, Height: 32, Width: 16},
				Outputs: []model.Output{{Name: "y", Classes: 2}}, Parameters: 99,
				Metadata: map[string]string{"class_names": "cat;dog"},
			},
			Record: []model.Field{
				{Name: "optimizer", Value: "Adam"},
				{Name: "mean", Value: "0.50"},
				{Name: "std", Value: "1"},
				{Name: "augmentation_range", Value: "-20..20"},
				{Name: "extra", Value: "-3"},
				{Name: "state", Value: "old"},
			},
		},
		Accuracy: []float64{0.5, 0.75, 0.25}, Robust: 0.125, Images: 100, Skipped: 3,
		Absent: map[string]string{"max@CONV-2": "no second convolution"},
	}
}

func TestModelsCSV(t *testing.T) {
	unknown := Item{Model: model.Model{Hash: sums.Hash("gone")}, State: "not in the workspace"}
	header, rows := modelTable(t, []Item{knownItem(), unknown})
	own := []string{
		"id", "parameters", "input_shape", "output_kind", "mean", "std", "optimizer", "augmentation_range", "extra",
	}
	// What no model has, has no column.
	if want := slices.Concat(own, []string{"record.state"}, Measured()); !slices.Equal(header, want) {
		t.Errorf("header %v, want %v", header, want)
	}
	want := map[string]string{
		"id": "=s1", "parameters": "99", "input_shape": "3x32x16", "output_kind": "probabilities", "mean": "0.50",
		"std": "1", "optimizer": "Adam", "record.state": "old", "augmentation_range": "-20..20", "extra": "-3",
		"model_hash": sums.Hash("s1"), "state": "ready", "images": "100", "skipped": "3", "measured_accuracy": "0.75",
		"measured_robust_accuracy": "0.125", "absent": "max@CONV-2",
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(want, rows[0]))
	gone := map[string]string{
		"id": sums.Hash("gone")[:12], "model_hash": sums.Hash("gone"),
		"state": "not in the workspace",
	}
	testdata.NoDiff(t, "-want +got", cmp.Diff(gone, rows[1]))
}

func TestModelsCSVSettings(t *testing.T) {
	corrected := knownItem()
	corrected.Correction = model.Correction{OutputKind: model.Logits, Mean: []float64{0.1, 0.2, 0.3}, Std: []float64{1}}
	silent := knownItem()
	silent.Hash, silent.Record, silent.ProbedKind = sums.Hash("s2"), nil, ""
	unreadable := knownItem()
	unreadable.Hash = sums.Hash("s3")
	unreadable.Record = []model.Field{{Name: "mean", Value: "x"}, {Name: "std", Value: "y"}}
	_, rows := modelTable(t, []Item{corrected, silent, unreadable})
	if rows[0]["output_kind"] != "logits" || rows[0]["mean"] != "0.1;0.2;0.3" || rows[0]["std"] != "1" {
		t.Errorf("corrected: %v", rows[0])
	}
	for _, column := range []string{"output_kind", "mean", "std"} {
		if rows[1][column] != "" {
			t.Errorf("the default of %s is written as if it were known: %q", column, rows[1][column])
		}
	}
	if rows[2]["mean"] != "x" {
		t.Errorf("unreadable: %v", rows[2])
	}
}
