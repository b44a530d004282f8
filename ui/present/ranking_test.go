package present

import (
	"context"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/rank"
)

// data are the predictions of models on images: model j is wrong on every image whose number is a multiple of j + 2.
func data(models, samples int) rank.Data {
	d := rank.Data{Models: make([]rank.Model, models), Samples: samples, Classes: 3, Labels: make([]int32, models*samples), Truth: make([]int32, samples)}
	for i := range samples {
		d.Truth[i] = int32(i % 3)
		for j := range models {
			d.Models[j].ID = "m" + string(rune('0'+j))
			d.Labels[i*models+j] = d.Truth[i]
			if i%(j+2) == 0 {
				d.Labels[i*models+j] = (d.Truth[i] + 1) % 3
			}
		}
	}
	return d
}

// The window speaks of images and true classes, engine/rank of samples and labels.
func TestReasonsOfRankersNameImages(t *testing.T) {
	plain, soft, blind, same := data(5, 100), data(5, 100), data(5, 100), data(5, 100)
	soft.Softmax = func(_ context.Context, model int) ([]float32, error) {
		rows := make([]float32, 300)
		for i := range 100 {
			rows[3*i+int(soft.Labels[i*5+model])] = 1
		}
		return rows, nil
	}
	blind.Truth = nil
	for k := range same.Labels {
		same.Labels[k] = 1
	}
	for name, c := range map[string]struct {
		data   rank.Data
		budget int
	}{"plain": {plain, 0}, "soft": {soft, 0}, "blind": {blind, 0}, "same": {same, 0}, "pool": {soft, 40}, "all": {soft, 200}, "few": {soft, 5}} {
		b, err := rank.MakeBoard(t.Context(), c.data, rank.BoardOptions{Methods: rank.Methods(), Budget: c.budget, Repetitions: 2, Seed: 1}, engine.NoProgress{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range b.Rankings {
			if strings.Contains(Reason(r.Reason), "sample") {
				t.Errorf("%s, %s: %q speaks of samples", name, r.Method, Reason(r.Reason))
			}
			if note := RankNote(r.Note); r.Reason == "" && r.Note != "" && (note == "" || strings.Contains(note, "sample")) {
				t.Errorf("%s, %s: note %q became %q", name, r.Method, r.Note, note)
			}
			if q := Reason(r.Quality.Spearman.Reason); strings.Contains(q, "sample") || strings.Contains(q, "variable") {
				t.Errorf("%s, %s: no quality because %q", name, r.Method, q)
			}
		}
	}
}

func TestRankReason(t *testing.T) {
	for text, want := range map[string]string{
		"Effective invariance was not measured for these models": "it was not measured for these models",
		rank.NoDScore: "it was not measured for these models; it needs labels, and signals for masks and for padded translations: " +
			"run the sets mask:3 and shift:3:5, or open D-Score",
		"something else": "",
		"":               "",
	} {
		if got := rankReason(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := Reason("no sample has a true label"); got != "no image has a true class" {
		t.Errorf("%q", got)
	}
}

func TestRankNote(t *testing.T) {
	for text, want := range map[string]string{
		"150 labels": "150 labels", "1 labels": "1 label", "mean of 7 rankings, 30 labels each": "mean of 7 rankings, 30 labels each",
		"3912 of 4000 samples":                                          "3,912 of 4,000 images",
		"10 of 12 samples, not settled after 1000 rounds":               "10 of 12 images, not settled after 1000 rounds",
		"mask:3, shift:3:5":                                             "3 × 3 regions, t = 5",
		"mask:2;layers=1,3;after=batchnorm, shift:2:4":                  "2 × 2 regions, t = 4, layers 1,3, after batch-norm",
		"mask:4;layers=2, shift:4:7":                                    "4 × 4 regions, t = 7, layer 2",
		"mask:2, shift:3:5":                                             "mask:2, shift:3:5",
		"mask:2, rot90":                                                 "mask:2, rot90",
		"rotation:-15:15:1;interpolation=bilinear, max@CONF":            "rotation:-15:15:1;interpolation=bilinear, max@CONF",
		"selections of m3, the best of 5 models; 150 labels to find it": "selections of m3, the best of 5 models; 150 labels to find it",
		"": "",
	} {
		if got := RankNote(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}
