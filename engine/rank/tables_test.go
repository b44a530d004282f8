package rank

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

func TestTablesAreDeclaredWell(t *testing.T) {
	for _, err := range []error{
		Ranks.Check(), Standings.Check(), Scores.Check(), Qualities.Check(), Correlations.Check(), HardImages.Check(),
		CurveTable.Check(), ImpactTable.Check(), ConditionsTable.Check(), Shifts.Check(), basis.Check(),
		LeftOuts.Check(),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	for _, options := range []any{&Asked{}, &Options{}} {
		testdata.OK(t, option.Verify(options))
	}
}

// example are 4 models on 12 images of pets, and on fog, without a single missing study: a is
// always right, the others less and less often.
func example(t *testing.T) Rankings {
	t.Helper()
	d := Data{Models: []Model{{ID: "a", Hash: "h"}, {ID: "=b"}, {ID: "c"}, {ID: "d"}}, Samples: 12, Classes: 3}
	for i := range d.Samples {
		right := int32(i % 3)
		d.Truth = append(d.Truth, right)
		for j := range d.Models {
			label := right
			if (i*7+j)%12 < 3*j {
				label = (right + 1 + int32(j%2)) % 3
			}
			d.Labels = append(d.Labels, label)
		}
	}
	d.Given = []Given{
		{Method: EI, Scores: []float64{.5, math.NaN(), .25, .75}, Note: "rot90", Family: "rot90"},
		{Method: EI, Scores: []float64{.5, .25, .25, .125}, Note: "grayscale"},
	}
	o := Options{Methods: []Method{LaFMethod, Random, CES, EI}, Budget: 4, Repetitions: 3, Seed: 1, Top: []int{1, 2}}
	r := Rankings{
		Data: d, ClassNames: []string{"cat", "dog", "eel"},
		SampleNames: []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "=ten"},
		LeftOut: []LeftOut{
			{ID: "z", Hash: "hz", Suite: "pets", SuiteHash: "hp", Reason: result.Because("no_signals", "no signals")},
			{Suite: "pets, fog 5", Reason: result.Because(FewModels, "too few")},
		},
	}
	b := leaderboard(t, d, o)
	r.On = []*OnSuite{
		{Leaderboard: b, Suite: "pets", SuiteHash: "hp"},
		{Leaderboard: b, Suite: "pets, fog 3", SuiteHash: "hf", Corruption: "fog", Severity: 3},
	}
	var err error
	if r.On[0].Curves, err = Curves(t.Context(), d, o, []int{4, 8}, nil); err != nil {
		t.Fatal(err)
	}
	if r.Impact, err = Impact(t.Context(), d, o, nil); err != nil {
		t.Fatal(err)
	}
	c := testdata.Must(ConditionsOf(t.Context(), "pets, fog 3", d, o))(t)
	c.SuiteHash, c.Corruption, c.Severity = "hf", "shifted 3x3 t5", 3
	r.Conditions = []Conditions{c}
	return r
}

// TestDevicesOfPredictions: the column is there where some predictions are of a GPU, and says
// nothing of those that came from elsewhere.
func TestDevicesOfPredictions(t *testing.T) {
	d := Data{
		Models: []Model{{ID: "a", Hash: "ha", Device: "cuda"}, {ID: "b", Hash: "hb"}, {ID: "c"}},
		Labels: []int32{0, 1, 0, 1, 1, 0, 0, 0, 1}, Samples: 3, Classes: 2,
	}
	on := &OnSuite{Leaderboard: leaderboard(t, d, Options{
		Methods: []Method{LaFMethod}, Budget: 1, Repetitions: 1, Seed: 1, Top: []int{1},
	})}
	sheets := func() []*result.Sheet {
		return []*result.Sheet{Ranks.Sheet(RankedOf(on)), Standings.Sheet(RankedOf(on)), Scores.Sheet(scoredOf(on))}
	}
	for _, sheet := range sheets() {
		got := map[string]string{}
		for row := range sheet.Len() {
			got[sheet.Fields[sheet.Field("model_id")].Say(row)] = sheet.Fields[sheet.Field("device")].Say(row)
		}
		if len(got) != 3 || got["a"] != "cuda" || got["b"] != "cpu" || got["c"] == "cpu" {
			t.Errorf("%s: %q", sheet.Name, got)
		}
	}
	on.Models[0].Device = ""
	for _, sheet := range sheets() {
		if sheet.Field("device") >= 0 {
			t.Errorf("%s has devices, and all is computed on the processor", sheet.Name)
		}
	}
}

func TestEveryTableHasItsRows(t *testing.T) {
	r := example(t)
	rows := map[string]int{}
	for _, s := range r.Sheets() {
		testdata.OK(t, s.Check())
		testdata.OK(t, s.Text(io.Discard))
		testdata.Is(t, s.Name+": rows of the file", len(cells(t, s)), s.Len())
		for _, f := range s.Fields {
			if f.Help == "" {
				t.Errorf("%s, column %s: no help", s.Name, f.Key)
			}
		}
		rows[s.Name] = s.Len()
	}
	want := map[string]int{
		"ranks": 8, "ranking": 32, "quality": 10, "rank_correlation": 100, "hard_images": len(r.On[0].LaF.Kept),
		"curves": len(CurvePointsOf(r.On[0].Curves)), "impact": 10, "conditions": 1, "averages": 32, "shifted": 12,
		"differences": 40, "basis": 1, "left_out": 2,
	}
	for name, n := range want {
		testdata.Is(t, name, rows[name], n)
	}
	bare := Rankings{On: []*OnSuite{{Leaderboard: Leaderboard{Models: r.Data.Models, Rankings: r.On[0].Rankings[2:3]}}}}
	if list := bare.Sheets(); len(list) != 5 {
		t.Errorf("%d sheets of a leaderboard without truth, LaF and comparisons", len(list))
	}
	testdata.Equal(t, "On", r.On[0].Names(), []string{"laf", "random", "ces", "ei", "ei-2"})
	standings := Standings.Sheet(RankedOf(r.On[0]))
	testdata.OK(t, standings.Text(io.Discard))
	first := RankedOf(r.On[0])[0]
	testdata.Is(t, "line of the first", strings.Contains(first.Line(), first.model().ID+", true accuracy "), true)
}

// cells reads a sheet's file, by key.
func cells(t *testing.T, s *result.Sheet) []map[string]string {
	t.Helper()
	var b bytes.Buffer
	testdata.OK(t, s.CSV(&b, false))
	lines := testdata.Must(csv.NewReader(&b).ReadAll())(t)
	var list []map[string]string
	for _, line := range lines[1:] {
		one := map[string]string{}
		for k, cell := range line {
			one[lines[0][k]] = cell
		}
		list = append(list, one)
	}
	return list
}

// TestSuitesWithOtherModels: the table says how many there are, and a sentence that they differ; a
// suite on which nothing was ranked has its rows, by every measure.
func TestSuitesWithOtherModels(t *testing.T) {
	r := example(t)
	if text := Uneven(r.On); text != "" {
		t.Error(text)
	}
	fewer := *r.On[1]
	fewer.Models = fewer.Models[1:]
	on := []*OnSuite{{Suite: "pets, fog 5"}, r.On[0], &fewer}
	if text := Uneven(on); !strings.Contains(text, "3 to 4 on each") {
		t.Error(text)
	}
	rows := cells(t, Shifts.Sheet(ShiftsOf(on)))
	testdata.Is(t, "rows of 4 measures", len(rows), 4*4)
	for k, row := range rows {
		if want := []string{"", "4", "3", ""}[k%4]; row["models"] != want {
			t.Errorf("%s: %s models, want %s", row["suite"], row["models"], want)
		}
	}
	left := append(r.LeftOut, LeftOut{ID: "y", Suite: "pets", SuiteHash: "hp", Reason: r.LeftOut[0].Reason})
	testdata.Equal(t, "on suites", Partly(left), []string{"pets: z, y (no signals)"})
}

func TestHardImagesStandInTheirOrder(t *testing.T) {
	r := example(t)
	l, list := r.On[0].LaF, r.HardImages()
	for k, h := range list {
		at := slices.Index(l.Kept, h.Image)
		if h.Difficulty != -l.Easiness[at] || h.Agreement != l.PriorEasiness[at] || h.Sure != l.Sure[at] {
			t.Errorf("%+v", h)
		}
		if k > 0 && list[k-1].Difficulty < h.Difficulty {
			t.Errorf("image %d is harder than the one before", h.Image)
		}
		if h.True != r.ClassNames[h.Image%3] || h.Majority != r.ClassNames[l.Pseudo[at]] ||
			h.Image == 11 != (h.Name == "") {
			t.Errorf("%+v", h)
		}
	}
	l.Easiness, l.Labels, r.ClassNames, r.Data.Truth = nil, nil, nil, nil
	list = r.HardImages()
	for k, h := range list {
		if !math.IsNaN(h.Difficulty) || !math.IsNaN(h.Sure) || h.True != "" || len(h.Majority) != 1 {
			t.Errorf("%+v", h)
		}
		if k > 0 && list[k-1].Agreement > h.Agreement {
			t.Error("the least agreement comes first")
		}
	}
}

// A leaderboard whose sampled rankers lack true classes gets their rankings by exactly the labels
// that they draw.
func TestLabelsByHand(t *testing.T) {
	full := simulated(2, 6, 120, 3)
	d := full
	d.Truth = nil
	o := Options{Methods: []Method{LaFMethod, Random, SDS, CESOracle}, Budget: 20, Seed: 1, Repetitions: 4}
	b := leaderboard(t, d, o)
	wanted, err := b.ByHand(t.Context(), d, o)
	if err != nil || len(wanted) != 2 || len(wanted[Random]) != 20 ||
		b.Rankings[1].Reason.Text != "it waits for the labels of 20 of 20 images" {
		t.Fatalf("%v, %v, %+v", wanted, err, b.Rankings[1])
	}
	d = onlyLabelled(full, wanted[Random])
	b = leaderboard(t, d, o)
	wanted, err = b.ByHand(t.Context(), d, o)
	random := b.Rankings[1]
	if err != nil || !random.Reason.None() || random.SD != nil || random.Note != "labels of 20 images given by hand" ||
		wanted[Random] != nil || len(wanted[SDS]) == 0 {
		t.Fatalf("%v, %v, %+v", wanted, err, random)
	}
	if !slices.Equal(random.Scores, d.Accuracy()) || !slices.Contains(b.Compared, Random) {
		t.Errorf("scores %v, compared %v", random.Scores, b.Compared)
	}
	o.Budget = 31
	if _, err := b.ByHand(t.Context(), d, o); err != nil ||
		b.Rankings[2].Reason.Text != "a budget of 31 labels is more than the 30 images (25 %) that SDS draws from" {
		t.Errorf("%v, %+v", err, b.Rankings[2])
	}
}

func TestRankersThatAreAsked(t *testing.T) {
	d := simulated(2, 6, 120, 3)
	for _, c := range []struct {
		o    Options
		want []Method
	}{
		{Options{}, []Method{LaFMethod, CRC, Random, SDS, CES}},
		{Options{LaF: "reference"}, []Method{LaFReference, CRC, Random, SDS, CES}},
		{
			Options{Methods: []Method{LaFMethod, AllMethods}},
			[]Method{
				LaFMethod, LaFReference, LaFUnpruned, LaFUnoptimised, CRC, Random, SDS, CES, CESReference, CESOracle,
			},
		},
		{Options{Methods: []Method{EI, LaFMethod, EI}}, []Method{EI, LaFMethod}},
	} {
		testdata.Equal(t, fmt.Sprintf("%+v asks", c.o), c.o.filled(d).Methods, c.want)
	}
	a := Asked{Budgets: []int{3}}
	testdata.Refused(t, "everything is 0, and nothing is wrong", option.Check(&a))
	option.SetDefaults(&a)
	a.Methods = []Method{"magic"}
	if err := option.Check(&a); err == nil || !strings.HasPrefix(err.Error(),
		`there is no ranker "magic"; --methods takes laf, `) {
		t.Error(err)
	}
	a.Methods, a.Budgets = nil, []int{3}
	if err := option.Check(&a); err == nil || err.Error() != "--budgets goes with --curves" {
		t.Error(err)
	}
}
