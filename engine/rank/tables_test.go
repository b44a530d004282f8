package rank

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
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
}

// Standings are the ranks with the scores, and a line for each model says the ranks.
func TestStandings(t *testing.T) {
	on := example(t).On[0]
	rows := RankedOf(on)
	sheet := Standings.Sheet(rows)
	for k, one := range on.Rankings {
		f := sheet.Fields[sheet.Field(on.Key(k))]
		for row, r := range rows {
			want := "-"
			if v := at(one.Scores, r.Model); !math.IsNaN(v) {
				want = fmt.Sprintf("%d   %s", one.Rank[r.Model], result.Number.Say(v, 4))
			}
			if got := f.Say(row); !strings.HasPrefix(got, want) || strings.Contains(got, "±") != (one.SD != nil) {
				t.Errorf("%s of %s is %q, want %q", f.Title, on.Models[r.Model].ID, got, want)
			}
		}
	}
	first := rows[0]
	if line := first.Line(); !strings.HasPrefix(line, first.model().ID+", true accuracy ") ||
		!strings.Contains(line, ", LaF 1") {
		t.Errorf("%q", line)
	}
	on.Truth = nil
	if f := Standings.Sheet(rows).Fields; f[sheet.Field("accuracy")].Show != result.FileOnly {
		t.Error("accuracies that are not known have a column")
	}
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

// cellHolds compares a cell with a number, NaN with an empty one.
func cellHolds(t *testing.T, row map[string]string, key string, want float64) {
	t.Helper()
	if text, there := row[key]; !there || text != result.Number.Write(want) {
		t.Errorf("%s is %q, want %v", key, text, want)
	}
}

func TestFilesHoldTheNumbersOfTheBoard(t *testing.T) {
	r := example(t)
	first := r.On[0]
	for k, row := range cells(t, Ranks.Sheet(RankedOf(first))) {
		j := slices.IndexFunc(first.Models, func(m Model) bool { return m.ID == row["model_id"] })
		cellHolds(t, row, "accuracy", first.Truth[j])
		cellHolds(t, row, "accuracy_rank", float64(Competition(first.Truth)[j]))
		cellHolds(t, row, "laf", float64(first.Rankings[0].Rank[j]))
		cellHolds(t, row, "ei", positive(first.Rankings[3].Rank[j]))
		cellHolds(t, row, "ei_2", positive(first.Rankings[4].Rank[j]))
		cellHolds(t, row, "majority_agreement", first.LaF.PriorSpecialty[j])
		if k == 0 && row["laf"] != "1" || !strings.Contains(row["missing"],
			"ces: it needs the models' probabilities") || row["ces"] != "" {
			t.Errorf("row %d: %v", k, row)
		}
	}
	for k, row := range cells(t, Scores.Sheet(scoredOf(first))) {
		s := scoredOf(first)[k]
		one := s.Ranking()
		cellHolds(t, row, "score", one.Scores[s.Model])
		cellHolds(t, row, "rank", positive(one.Rank[s.Model]))
		if one.SD != nil {
			cellHolds(t, row, "score_sd", one.SD[s.Model])
		}
		if row["suite_hash"] != "hp" || row["model_id"] != first.Models[s.Model].ID ||
			row["method"] != first.Names()[s.K] {
			t.Error(row)
		}
	}
	for k, row := range cells(t, Qualities.Sheet(RatedOf(r.On...))) {
		one := RatedOf(r.On...)[k].Ranking()
		cellsHold(t, row, one.Quality)
		cellHolds(t, row, "models", RatedOf(r.On...)[k].models())
		cellHolds(t, row, "budget", positive(one.Budget))
		if row["reason"] != one.Reason.Text || row["note"] != one.Note || row["severity"] != []string{"", "3"}[k/5] {
			t.Error(row)
		}
	}
	for k, row := range cells(t, Correlations.Sheet(pairsOf(first))) {
		p := pairsOf(first)[k]
		if row["measure"] != []string{"spearman", "kendall", "jaccard_1", "jaccard_2"}[k/25] ||
			row["first"] != []string{"truth", "laf", "random", "ei", "ei-2"}[k%25/5] {
			t.Fatal(row)
		}
		cellHolds(t, row, "value", [][][]float64{
			first.Spearman, first.Kendall, first.Jaccard[0], first.Jaccard[1],
		}[k/25][k%25/5][k%5])
		if p.First == p.Second && !math.IsNaN(p.Value) && p.Value != 1 {
			t.Error(p)
		}
	}
	for k, row := range cells(t, CurveTable.Sheet(CurvePointsOf(r.On[0].Curves))) {
		cellsHold(t, row, CurvePointsOf(r.On[0].Curves)[k].Quality)
	}
	for k, row := range cells(t, ImpactTable.Sheet(r.Impact)) {
		cellsHold(t, row, r.Impact[k].Quality)
		cellHolds(t, row, "share", r.Impact[k].Share)
	}
	conditions := ConditionsTable.Sheet(r.Conditions)
	cellsHold(t, cells(t, conditions)[0], r.Conditions[0].Quality)
	testdata.Is(t, "Fields", conditions.Fields[conditions.Field("corruption")].Say(0), "shifted 3 × 3, t = 5")
	for k, row := range cells(t, Shifts.Sheet(ShiftsOf(r.On))) {
		one := first.named("laf").Quality
		cellHolds(t, row, "laf", []Spread{one.Spearman, one.Kendall, one.Jaccard[0], one.Jaccard[1]}[k/3].value())
		if row["suite"] != []string{"pets", "pets, fog 3", "mean of the shifted"}[k%3] {
			t.Error(row)
		}
	}
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

func cellsHold(t *testing.T, row map[string]string, q Quality) {
	t.Helper()
	cellHolds(t, row, "spearman", q.Spearman.value())
	cellHolds(t, row, "spearman_sd", q.Spearman.deviation())
	cellHolds(t, row, "spearman_p", q.SpearmanP())
	cellHolds(t, row, "kendall", q.Kendall.value())
	cellHolds(t, row, "kendall_p", pOf(q.Tau))
	cellHolds(t, row, "jaccard_2", q.Jaccard[1].value())
	cellHolds(t, row, "jaccard_2_sd", q.Jaccard[1].deviation())
	cellHolds(t, row, "repetitions", positive(q.Spearman.Of))
	if q.Spearman.N == 0 && !strings.Contains(row["missing"], "spearman: "+q.Spearman.Reason.Text) {
		t.Errorf("missing is %q", row["missing"])
	}
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

func TestWhatPeopleReadOfRankers(t *testing.T) {
	r := example(t)
	s := Qualities.Sheet(RatedOf(r.On[0]))
	said := func(key string) (list []string) {
		for k := range s.Len() {
			list = append(list, s.Fields[s.Field(key)].Say(k))
		}
		return list
	}
	kept := strconv.Itoa(len(r.On[0].LaF.Kept))
	if got := said("method"); !slices.Equal(got, []string{
		"LaF", "random", "CES",
		"effective invariance, rot90, 3 of 4 models", "effective invariance, grayscale",
	}) {
		t.Errorf("%q", got)
	}
	if got := said("note"); !slices.Equal(got, []string{
		kept + " of 12 images", "4 labels", "it needs the models' probabilities, and only their classes are known",
		"rot90, 3 of 4 models", "grayscale",
	}) {
		t.Errorf("%q", got)
	}
	if got := said("jaccard_1"); !strings.Contains(got[1], " ± ") || strings.Contains(got[0], "±") ||
		got[2] != result.None {
		t.Errorf("%q", got)
	}
}

// No sentence speaks of samples or variables: people know of images, classes, scores.
func TestReasonsSpeakOfImages(t *testing.T) {
	full := simulated(3, 5, 100, 3)
	blind, soft, same := full, full, full
	blind.Truth, soft.Softmax = nil, nil
	same.Labels = slices.Repeat([]int32{1}, len(full.Labels))
	fixed := full
	fixed.Given = []Given{{Method: EI, Scores: slices.Repeat([]float64{1}, 5)}}
	codes := map[string]bool{}
	for name, c := range map[string]struct {
		data   Data
		budget int
	}{
		"full": {full, 0}, "soft": {soft, 0}, "blind": {blind, 0}, "same": {same, 0}, "pool": {full, 40},
		"all": {full, 200}, "few": {full, 5}, "fixed": {fixed, 0},
	} {
		b, err := MakeLeaderboard(t.Context(), c.data,
			Options{Methods: Methods(), Budget: c.budget, Repetitions: 2, Seed: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range RatedOf(&OnSuite{Leaderboard: b}) {
			one := s.Ranking()
			for _, why := range []result.Reason{one.Reason, one.Quality.Spearman.Reason, because(one.Quality.Rho)} {
				if strings.Contains(why.Text, "sample") || strings.Contains(why.Text, "variable") ||
					(why.Code == "") != (why.Text == "") {
					t.Errorf("%s, %s: %+v", name, one.Method, why)
				}
				codes[why.Code] = true
			}
			if strings.Contains(one.Note, "sample") || strings.Contains(noDScore.Text, ":3") {
				t.Errorf("%s, %s: rests on %q", name, one.Method, one.Note)
			}
		}
	}
	for _, code := range []string{
		AllAlike, NoTruth, Unlabelled, NoProbabilities, BadBudget, NotMeasured, ScoreFixed, Repeated,
	} {
		if !codes[code] {
			t.Errorf("no reason has the code %s", code)
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
