package agreement

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// letters reads ratings from rows of letters: i, b, v, or a dot for none.
func letters(rows ...string) [][]int {
	at := map[rune]int{'i': 0, 'b': 1, 'v': 2, '.': Missing}
	list := make([][]int, len(rows))
	for r, row := range rows {
		for _, c := range row {
			list[r] = append(list[r], at[c])
		}
	}
	return list
}

func near(t *testing.T, what string, got Value, want float64) {
	t.Helper()
	if !got.Defined() || math.Abs(got.Value-want) > 1e-12 {
		t.Errorf("%s is %+v, want %v", what, got, want)
	}
}

func TestPerClassOfAPair(t *testing.T) {
	// i: both 2, one of them only 1; b: never both; v: both 1
	list := PerClass(letters("iibvb.", "iiivvv"), 3, Options{Classes: []string{"invariant", "borderline", "variant"}})
	near(t, "invariant", list[0].Percent.Value, 2*2/5.0)
	near(t, "borderline", list[1].Percent.Value, 0)
	near(t, "variant", list[2].Percent.Value, 2*1/3.0)
	if list[0].Class != "invariant" || list[0].Percent.N != 3 || list[1].Percent.N != 2 || list[2].Kappa.N != 5 {
		t.Errorf("per class %+v", list)
	}
	// invariant against the others: 2 both, 2 neither, 1 only by the second
	near(t, "kappa of invariant", list[0].Kappa.Value, (4.0/5-12.0/25)/(1-12.0/25))
}

func TestPerClassOfThree(t *testing.T) {
	ratings := letters("ivvi", "ivii", "ivvb")
	list := PerClass(ratings, 3, Options{})
	// pairs with an i: item 0 gives 6 of 6, item 2 none, item 3 two of four ordered ones from i
	near(t, "invariant", list[0].Percent.Value, (3+0+1.0)/(3+1+2))
	near(t, "kappa of invariant", list[0].Kappa.Value,
		Measure(against(ratings, 0), 2, make([]string, 3), Options{}).Fleiss.Value.Value)
	if none := PerClass(letters("iv", "iv"), 3, Options{})[1].Percent.Value; none.Reason != ClassUnused {
		t.Errorf("a class that nobody used: %+v", none)
	}
	if alone := PerClass(letters("iv", ".."), 3, Options{})[0].Percent.Value; alone.Reason != NoItemTwice {
		t.Errorf("one rater alone: %+v", alone)
	}
}

// The curve ends where the measure of all items stands, and its window is the measure of the items
// in it.
func TestOverTimeAgainstMeasure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.IntRange(1, 12).Draw(t, "items")
		var rows []string
		for r := range 3 {
			rows = append(rows, rapid.StringMatching(fmt.Sprintf("[ibv.]{%d}", items)).Draw(t, fmt.Sprint("row ", r)))
		}
		ratings, window := letters(rows...), rapid.IntRange(1, 6).Draw(t, "window")
		order := rapid.Permutation(testdata.UpTo(items)).Draw(t, "order")
		for k, p := range OverTime(ratings, 3, order, window) {
			whole := Measure(pick(ratings, order[:k+1]), 3, make([]string, 3), Options{})
			same(t, p.Fleiss, whole.Fleiss.Value)
			same(t, p.Percent, whole.Percent.Value)
			if k+1 < window {
				if p.WindowFleiss.Reason != WindowNotFull {
					t.Fatalf("a window that is not full: %+v", p.WindowFleiss)
				}
				continue
			}
			last := Measure(pick(ratings, order[k+1-window:k+1]), 3, make([]string, 3), Options{})
			same(t, p.WindowFleiss, last.Fleiss.Value)
			same(t, p.WindowPercent, last.Percent.Value)
		}
	})
}

func same(t *rapid.T, got, want Value) {
	if got.Reason != want.Reason || math.Abs(got.Value-want.Value) > 1e-9 {
		t.Fatalf("%+v, want %+v", got, want)
	}
}

func pick(ratings [][]int, items []int) [][]int {
	rows := make([][]int, len(ratings))
	for r, row := range ratings {
		for _, i := range items {
			rows[r] = append(rows[r], row[i])
		}
	}
	return rows
}

func TestGroupBy(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []string
		want   []string
	}{
		{"words", []string{"vgg", "cnn", "vgg", ""}, []string{"vgg[0 2]", "cnn[1]", "no value[3]"}},
		{"few numbers stand for themselves", []string{"0.1", "0.2", "0.1"}, []string{"0.1[0 2]", "0.2[1]"}},
		{"many numbers in quartiles", strings.Split("8 1 2 3 4  5 6 7", " "), []string{
			"1 .. 2.75[1 2]", "2.75 .. 4.5[3 4]", "4.5 .. 6.25[6 7]", "6.25 .. 8[0 8]", "no value[5]",
		}},
		{"a word among numbers", strings.Split("1 2 3 4 5 6 7 many", " "), []string{
			"1[0]", "2[1]", "3[2]", "4[3]", "5[4]", "6[5]", "7[6]", "many[7]",
		}},
		{"nothing", nil, nil},
	} {
		var got []string
		for _, g := range GroupBy(c.values) {
			got = append(got, fmt.Sprint(g.Name, g.Items))
		}
		testdata.Equal(t, c.name, got, c.want)
	}
}

func TestMeasureGroups(t *testing.T) {
	ratings := letters("iivvi.", "iivii.", "iiivii")
	groups := []Group{{"agreed", []int{0, 1}}, {"empty", []int{5}}, {"divided", []int{2, 3}}}
	list := MeasureGroups(ratings, 3, groups, Options{Intervals: true})
	if list[0].Name != "divided" || list[1].Name != "agreed" || list[2].Name != "empty" {
		t.Fatalf("order %v", list)
	}
	near(t, "divided", list[0].Percent.Value, 1/3.0)
	near(t, "agreed", list[1].Percent.Value, 1)
	if list[1].Fleiss.Value.Reason != ExpectedAgreement || list[2].Percent.Value.Reason != NoItemTwice ||
		list[0].Percent.N != 2 {
		t.Errorf("groups %+v", list)
	}
	if list[0].Percent.Interval == nil || list[0].Percent.Interval.Reason == "" {
		t.Errorf("two items have an interval: %+v", list[0].Percent.Interval)
	}
}

func TestSelf(t *testing.T) {
	s := Self("a", []int{0, 1, 1, 0, Missing, 1}, []int{0, 1, 0, Missing, 1, 1}, 2, Options{})
	near(t, "percent", s.Percent.Value, 3/4.0)
	if s.N != 4 || s.Rater != "a" || !s.Kappa.Value.Defined() {
		t.Errorf("self-consistency %+v", s)
	}
	if none := Self("a", []int{0, 1}, []int{Missing, Missing}, 2,
		Options{}); none.Percent.Value.Reason != NoCommonItems {
		t.Errorf("without repeats: %+v", none.Percent)
	}
}

func BenchmarkOverTime1000(b *testing.B) {
	ratings := letters(randomRow(1), randomRow(2), randomRow(3))
	order := testdata.UpTo(1000)
	for b.Loop() {
		OverTime(ratings, 3, order, 50)
	}
}

func randomRow(seed int) string {
	row := make([]byte, 1000)
	for k := range row {
		row[k] = "iibv"[(k*k*seed+k/3)%4]
	}
	return string(row)
}

// TestIntervalsAreCancelled: nothing is left out after a cancel, whatever is measured; a context
// that goes on changes nothing.
func TestIntervalsAreCancelled(t *testing.T) {
	ratings := [][]int{{0, 1, 0, 1, 1}, {0, 1, 1, 1, 0}, {0, 0, 1, 1, 1}} // four patterns, as two raters have
	raters := []string{"a", "b", "c"}
	groups := []Group{{Name: "all", Items: []int{0, 1, 2, 3, 4}}}
	for name, measure := range map[string]func(Options) any{
		"all":    func(o Options) any { return Measure(ratings, 2, raters, o) },
		"class":  func(o Options) any { return PerClass(ratings, 2, o) },
		"groups": func(o Options) any { return MeasureGroups(ratings, 2, groups, o) },
		"self":   func(o Options) any { return Self("a", ratings[0], ratings[1], 2, o) },
	} {
		plain := measure(Options{Intervals: true})
		ctx := &counted{Context: t.Context(), left: math.MaxInt}
		if got := measure(Options{Intervals: true, Context: ctx}); !reflect.DeepEqual(got, plain) {
			t.Errorf("%s: %+v with a context, %+v without", name, got, plain)
		}
		asked := math.MaxInt - ctx.left
		ctx = &counted{Context: t.Context(), left: 2}
		o := Options{Intervals: true, Context: ctx}
		measure(o)
		// Each class, or group, is asked for once more.
		if more := -ctx.left; more > 2 || asked < 3 || !errors.Is(o.Err(), context.Canceled) {
			t.Errorf("%s: %d times asked after the cancel; %d without one; %v", name, more, asked, o.Err())
		}
	}
}

// counted is a context that is cancelled when it has been asked so many times.
type counted struct {
	context.Context
	left int
}

func (c *counted) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
