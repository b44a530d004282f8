package rank

import (
	"fmt"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestASelectionIsWhatMakeBoardDraws(t *testing.T) {
	full := simulated(4, 6, 600, 4)
	for _, m := range []Method{Random, SDS, CES, CESReference} {
		o := Options{Budget: 32, Seed: 3, Repetitions: 1, Methods: []Method{m}}
		chosen := testdata.Must(Selection(t.Context(), full, m, o, 0))(t)
		if !slices.IsSorted(chosen) || len(slices.Compact(slices.Clone(chosen))) != len(chosen) {
			t.Errorf("%s: the selection %v is not ascending", m, chosen)
		}
		if n := len(chosen); n != 32 && !m.entropy() || n < 30 || n > 180 {
			t.Errorf("%s: %d images", m, n)
		}
		hand := onlyLabelled(full, chosen)
		got := testdata.Must(FromSelection(t.Context(), hand, m, o))(t)
		want := leaderboard(t, full, o).of(t, m)
		testdata.Is(t, fmt.Sprintf("%s: %d labels of 600 give the quality %+v", m, len(chosen), got.Quality),
			got.Quality.Spearman.Reason, littleTruth)
		got.Quality, want.Quality = Quality{}, Quality{}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: by hand %+v, want %+v", m, got, want)
		}
		all := testdata.Must(FromSelection(t.Context(), full, m, o))(t)
		testdata.Is(t, fmt.Sprintf("%s: with all labels %+v", m, all), fmt.Sprint(all),
			fmt.Sprint(leaderboard(t, full, o).of(t, m)))
	}
}

// onlyLabelled hides the truth of all other samples.
func onlyLabelled(d Data, samples []int) Data {
	truth := make([]int32, d.Samples)
	for i := range truth {
		truth[i] = -1
	}
	for _, i := range samples {
		truth[i] = d.Truth[i]
	}
	d.Truth = truth
	return d
}

// Another repetition selects other samples, and no truth is needed.
func TestSelectionsOfRepetitions(t *testing.T) {
	d := simulated(4, 6, 200, 4)
	blind := d
	blind.Truth = nil
	for _, m := range []Method{Random, SDS, CES} {
		first := testdata.Must(Selection(t.Context(), d, m, Options{Budget: 40}, 0))(t)
		if other := testdata.Must(Selection(t.Context(), d, m, Options{Budget: 40}, 1))(t); slices.Equal(first, other) {
			t.Errorf("%s selects %v twice", m, first)
		}
		testdata.Equal(t, fmt.Sprintf("%s selects", m),
			testdata.Must(Selection(t.Context(), blind, m, Options{Budget: 40}, 0))(t), first)
	}
}

func TestWhySamplesCannotBeSelected(t *testing.T) {
	d := simulated(4, 6, 100, 4)
	labels := d
	labels.Softmax = nil
	chosen := testdata.Must(Selection(t.Context(), d, Random, Options{Budget: 20}, 0))(t)
	for _, c := range []struct {
		name   string
		data   Data
		method Method
		budget int
		stream int
		want   string
	}{
		{"not sampled", d, LaFMethod, 20, 0, "LaF asks for no labels"},
		{"oracle", d, CESOracle, 20, 0, "needs the true ranking"},
		{"no probabilities", labels, CES, 20, 0, "CES cannot select images: it needs the models' probabilities"},
		{"large", d, SDS, 26, 0, "SDS cannot select images: a budget of 26 labels"},
		{"stream", d, Random, 20, -1, "there is no repetition -1"},
	} {
		testdata.Refused(t, fmt.Sprintf("%s: the error", c.name),
			testdata.Err(Selection(t.Context(), c.data, c.method, Options{Budget: c.budget}, c.stream)), c.want)
		if c.stream == 0 {
			testdata.Refused(t, fmt.Sprintf("%s: the error", c.name),
				testdata.Err(FromSelection(t.Context(), c.data, c.method, Options{Budget: c.budget})), c.want)
		}
	}
	missing := onlyLabelled(d, chosen[3:])
	testdata.Refused(t, "three labels are missing",
		testdata.Err(FromSelection(t.Context(), missing, Random, Options{Budget: 20})),
		"it waits for the labels of 3 of 20 images")
	missing.Truth = nil
	testdata.Refused(t, "all labels are missing",
		testdata.Err(FromSelection(t.Context(), missing, Random, Options{Budget: 20})), "labels of 20 of 20")
}
