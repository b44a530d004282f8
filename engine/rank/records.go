package rank

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/stats"
)

// OnSuite is a leaderboard with the suite or table of predictions that it is about.
type OnSuite struct {
	Leaderboard
	Suite, SuiteHash string // SuiteHash is "" for a table
	// Corruption and Severity are those of derive.Kind, "" and 0 for a suite that is not made from
	// another one.
	Corruption string
	Severity   int
	Curves     []Curve // the quality over the labelling budget; nil where it was not asked for
}

// id names the suite.
func (s *OnSuite) id() string { return cmp.Or(s.SuiteHash, s.Suite) }

// Rankings is all that was measured: what the command rank and the window show and save. What is
// nil was not asked for.
type Rankings struct {
	// On has the suite that is asked about, then, where these are ranked too, those that are made
	// from it.
	On         []*OnSuite
	Data       Data // of the first suite
	Impact     []ImpactPoint
	Conditions []Conditions
	LeftOut    []LeftOut
	// SampleNames and ClassNames are names of images and classes, nil for numbers.
	SampleNames, ClassNames []string
}

// Sheets are the tables that there is something for; that of what is left out is always there.
func (r Rankings) Sheets() []*result.Sheet {
	first := r.On[0]
	list := []*result.Sheet{
		Ranks.Sheet(RankedOf(r.On...)), Scores.Sheet(scoredOf(r.On...)),
		Qualities.Sheet(RatedOf(r.On...)),
	}
	if len(first.Compared) > 0 {
		list = append(list, Correlations.Sheet(pairsOf(first)))
	}
	if first.LaF != nil {
		list = append(list, HardImages.Sheet(r.HardImages()))
	}
	if len(first.Curves) > 0 {
		list = append(list, CurveTable.Sheet(CurvePointsOf(first.Curves)))
	}
	if len(r.Impact) > 0 {
		list = append(list, ImpactTable.Sheet(r.Impact))
	}
	if len(r.Conditions) > 0 {
		list = append(list, ConditionsTable.Sheet(r.Conditions))
	}
	groups := r.Groups()
	if len(first.Curves) > 0 || len(r.On) > 1 {
		list = append(list, Averages.Sheet(AveragesOf(groups)))
	}
	if len(r.On) > 1 {
		list = append(list, Shifts.Sheet(ShiftsOf(r.On)), Differences.Sheet(RivalsOf(groups[1:])))
	}
	return append(list, basis.Sheet([]Rankings{r}), LeftOuts.Sheet(r.LeftOut))
}

// Groups are the suite that is asked about, and those that are made from it where there are some.
func (r Rankings) Groups() []Suites {
	groups := []Suites{{Of: r.On[0].Suite, On: r.On[:1]}}
	if len(r.On) > 1 {
		groups = append(groups, Suites{Of: "shifted from " + r.On[0].Suite, On: r.On[1:]})
	}
	return groups
}

// Document is the rankings with what was asked, for --json and ranking.json.
func (r Rankings) Document(a Asked) result.Document {
	return result.Document{Schema: "variscope.rank", Version: 1, Options: option.Record(&a), Sheets: r.Sheets()}
}

// Names are the rankings' own names in files: the method, with a number behind it where one was
// measured more than once.
func (b Leaderboard) Names() []string {
	names, seen := make([]string, len(b.Rankings)), map[Method]int{}
	for k, one := range b.Rankings {
		seen[one.Method]++
		names[k] = string(one.Method)
		if n := seen[one.Method]; n > 1 {
			names[k] += "-" + strconv.Itoa(n)
		}
	}
	return names
}

// Key is the k-th ranking's name as the key of a column.
func (b Leaderboard) Key(k int) string { return strings.ReplaceAll(b.Names()[k], "-", "_") }

// title is a ranking's name for people, with what it rests on where its method was measured more
// than once.
func (b Leaderboard) title(k int, name func(Method) string) string {
	one := b.Rankings[k]
	for other, r := range b.Rankings {
		if other != k && r.Method == one.Method {
			return name(one.Method) + ", " + one.Note
		}
	}
	return name(one.Method)
}

// named is the ranking of this name, one with a reason where there is none.
func (b Leaderboard) named(name string) Ranking {
	if k := slices.Index(b.Names(), name); k >= 0 {
		return b.Rankings[k]
	}
	return Ranking{Reason: unmeasured}
}

// Ranked is a model on a suite: a row of Ranks.
type Ranked struct {
	Of    *OnSuite
	Model int
}

// RankedOf are the models of each suite in the order of the first ranking; without a rank last.
func RankedOf(on ...*OnSuite) []Ranked {
	var rows []Ranked
	for _, s := range on {
		from := len(rows)
		for j := range s.Models {
			rows = append(rows, Ranked{s, j})
		}
		if k := slices.IndexFunc(s.Rankings, func(r Ranking) bool { return r.Reason.None() }); k >= 0 {
			ranks := s.Rankings[k].Rank
			slices.SortStableFunc(rows[from:], func(a, b Ranked) int {
				return cmp.Compare(uint(ranks[a.Model]-1), uint(ranks[b.Model]-1)) // 0 is none and becomes the largest
			})
		}
	}
	return rows
}

// Line is the model's rank by every ranker: "m3, true accuracy 2, LaF 1", and whether its accuracy
// is by chance.
func (r Ranked) Line() string {
	text := r.model().ID
	if r.Of.Truth != nil {
		text += fmt.Sprintf(", %s %d", TruthMethod.Title(), Competition(r.Of.Truth)[r.Model])
	}
	for k, one := range r.Of.Rankings {
		if r.Model < len(one.Rank) && one.Rank[r.Model] > 0 {
			text += fmt.Sprintf(", %s %d", r.Of.title(k, Method.Title), one.Rank[r.Model])
		}
	}
	if level := r.Of.ChanceOf(r.Model); level.Flagged() {
		text += "; " + level.Sentence()
	}
	return text
}

// Scored is a model by a ranker on a suite: a row of Scores.
type Scored struct {
	Rated
	Model int
}

func scoredOf(on ...*OnSuite) []Scored {
	var rows []Scored
	for _, r := range RatedOf(on...) {
		for j := range r.Ranking().Scores {
			rows = append(rows, Scored{r, j})
		}
	}
	return rows
}

// Rated is a ranker on a suite: a row of Qualities. K is its place in Of.Rankings.
type Rated struct {
	Of *OnSuite
	K  int
}

// RatedOf are all rankers of each suite.
func RatedOf(on ...*OnSuite) []Rated {
	var rows []Rated
	for _, s := range on {
		for k := range s.Rankings {
			rows = append(rows, Rated{s, k})
		}
	}
	return rows
}

// Ranking is the ranker's answer.
func (r Rated) Ranking() Ranking { return r.Of.Rankings[r.K] }

// RestsOn says what the ranking rests on, or why there is none or its quality is not known.
func (r Rated) RestsOn() string {
	one := r.Ranking()
	switch why := one.Quality.Spearman.Reason; {
	case !one.Reason.None():
		return one.Reason.Text
	case why.None():
		return one.Note
	case one.Note == "":
		return "quality unknown: " + why.Text
	default:
		return one.Note + "; quality unknown: " + why.Text
	}
}

// Pair is two rankings of a suite, or a ranking and the truth, by one measure: a row of
// Correlations.
type Pair struct {
	Measure       Measure
	First, Second string // Leaderboard.Names, or TruthMethod
	Value         float64
	titles        [2]string
}

func pairsOf(s *OnSuite) []Pair {
	var keys, titles []string
	if s.Truth != nil {
		keys, titles = append(keys, string(TruthMethod)), append(titles, TruthMethod.Title())
	}
	for k, name := range s.Names() {
		if s.Rankings[k].Reason.None() {
			keys, titles = append(keys, name), append(titles, s.title(k, Method.Title))
		}
	}
	var rows []Pair
	for _, m := range Measures(s.TopK) {
		for a, values := range s.Between(m) {
			for b, v := range values {
				rows = append(rows, Pair{m, keys[a], keys[b], v, [2]string{titles[a], titles[b]}})
			}
		}
	}
	return rows
}

// Measure is how two rankings are compared: by Spearman, Kendall, or the Jaccard similarity of
// their best models.
type Measure struct {
	Key  string // "spearman", "kendall", "jaccard_3"
	Best int    // models of Jaccard, else 0
}

// Measures are all of them for these numbers of best models, in the order of tables and menus.
func Measures(top []int) []Measure {
	list := []Measure{{Key: "spearman"}, {Key: "kendall"}}
	for _, k := range top {
		list = append(list, Measure{"jaccard_" + strconv.Itoa(k), k})
	}
	return list
}

// Title is the measure's name for people.
func (m Measure) Title() string {
	switch m.Key {
	case "spearman":
		return "Spearman's ρ"
	case "kendall":
		return "Kendall's τ-b"
	}
	return fmt.Sprintf("Jaccard of the %d best", m.Best)
}

// Of is the measure in a quality, with N 0 where there is none.
func (m Measure) Of(q Quality) Spread {
	switch m.Key {
	case "spearman":
		return q.Spearman
	case "kendall":
		return q.Kendall
	}
	if k := slices.Index(q.Top, m.Best); k >= 0 {
		return q.Jaccard[k]
	}
	return Spread{Mean: undefined, SD: undefined}
}

// Between is the matrix of a measure over all that is compared, nil where there is none.
func (b Leaderboard) Between(m Measure) [][]float64 {
	switch m.Key {
	case "spearman":
		return b.Spearman
	case "kendall":
		return b.Kendall
	}
	if k := slices.Index(b.TopK, m.Best); k >= 0 && k < len(b.Jaccard) {
		return b.Jaccard[k]
	}
	return nil
}

// Shift is a suite by one measure, for a column per ranker: a row of Shifts. Without Of it is the
// mean over the suites that are made from the first.
type Shift struct {
	Measure Measure
	Of      *OnSuite
	all     []*OnSuite
}

// ShiftsOf are all suites by one measure after the other, the mean over the shifted ones below.
func ShiftsOf(on []*OnSuite) []Shift {
	var rows []Shift
	for _, m := range Measures(topOf(on)) {
		for _, s := range on {
			rows = append(rows, Shift{m, s, on})
		}
		rows = append(rows, Shift{m, nil, on})
	}
	return rows
}

// models are those that take part; of the mean there is no such number.
func (s Shift) models() float64 {
	if s.Of == nil {
		return undefined
	}
	return positive(len(s.Of.Models))
}

// spread is the quality of a ranker.
func (s Shift) spread(ranker string) Spread {
	if s.Of != nil {
		return s.Measure.Of(s.Of.named(ranker).Quality)
	}
	var means []float64
	for _, one := range s.all {
		if spread := s.Measure.Of(one.named(ranker).Quality); spread.N > 0 && one.Corruption != "" {
			means = append(means, spread.Mean)
		}
	}
	return Spread{Mean: mean(means), SD: undefined, N: len(means)}
}

// CurvePoint is a ranker's quality at a budget: a row of CurveTable.
type CurvePoint struct {
	Of      Curve
	Budget  int
	Quality Quality
}

// CurvePointsOf are the points of all curves.
func CurvePointsOf(curves []Curve) []CurvePoint {
	var rows []CurvePoint
	for _, c := range curves {
		for k, labels := range c.Budgets {
			rows = append(rows, CurvePoint{c, labels, c.Quality[k]})
		}
	}
	return rows
}

// HardImage is an image on which models disagree, as LaF sees it: a row of HardImages.
type HardImage struct {
	Image                  int
	Name                   string  // "" for none
	Difficulty             float64 // the negative of the log-easiness; NaN without optimising
	Agreement              float64 // share of the models with the majority's class
	Majority, Likely, True string  // classes; Likely is the most probable one by LaF, True "" where it is not known
	Sure                   float64 // probability of Likely
}

// HardImages are the images that are not unanimous, the hardest first: by difficulty, then the
// least agreement, then number.
func (r Rankings) HardImages() []HardImage {
	l := r.On[0].LaF
	if l == nil {
		return nil
	}
	order := stats.UpTo(len(l.Kept))
	slices.SortStableFunc(order, func(a, b int) int {
		if l.Easiness != nil && l.Easiness[a] != l.Easiness[b] {
			return cmp.Compare(l.Easiness[a], l.Easiness[b])
		}
		return cmp.Compare(l.PriorEasiness[a], l.PriorEasiness[b])
	})
	list := make([]HardImage, len(order))
	for at, k := range order {
		h := HardImage{
			Image: l.Kept[k], Agreement: l.PriorEasiness[k], Majority: r.class(l.Pseudo[k]),
			Difficulty: undefined, Sure: undefined,
		}
		if l.Easiness != nil {
			h.Difficulty = -l.Easiness[k]
		}
		if l.Labels != nil {
			h.Likely, h.Sure = r.class(l.Labels[k]), l.Sure[k]
		}
		if h.Image < len(r.SampleNames) {
			h.Name = r.SampleNames[h.Image]
		}
		if h.Image < len(r.Data.Truth) && r.Data.Truth[h.Image] >= 0 {
			h.True = r.class(r.Data.Truth[h.Image])
		}
		list[at] = h
	}
	return list
}

// class is a class's name, or its number.
func (r Rankings) class(c int32) string {
	if int(c) < len(r.ClassNames) {
		return r.ClassNames[c]
	}
	return strconv.Itoa(int(c))
}
