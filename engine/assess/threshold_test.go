package assess

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// slowThreshold tries every threshold, or every ascending pair, and keeps the first with the most
// correct rows.
func slowThreshold(values []float64, y []int, classes int) []float64 {
	candidates := midpoints(values)
	correct := func(thresholds ...float64) int {
		n := 0
		for s, v := range values {
			class := 0
			for _, threshold := range thresholds {
				if v < threshold {
					class++
				}
			}
			if class == y[s] {
				n++
			}
		}
		return n
	}
	best, most := []float64(nil), -1
	for a, low := range candidates {
		if classes == 2 {
			if n := correct(low); n > most {
				best, most = []float64{low}, n
			}
			continue
		}
		for _, high := range candidates[a:] {
			if n := correct(low, high); n > most {
				best, most = []float64{low, high}, n
			}
		}
	}
	return best
}

func TestThresholdIsTheFirstOfTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		classes := rapid.IntRange(2, 3).Draw(t, "classes")
		rows := rapid.IntRange(1, 14).Draw(t, "rows")
		y := rapid.SliceOfN(rapid.IntRange(0, classes-1), rows, rows).Draw(t, "classes of rows")
		values := make([]float64, rows)
		for s := range values {
			values[s] = float64(rapid.IntRange(0, 8).Draw(t, "value")) / 8
		}
		got, want := fitThreshold(values, y, classes), slowThreshold(values, y, classes)
		testdata.Equal(t, "thresholds", got, want)
	})
}

func TestMidpointsPartNeighbours(t *testing.T) {
	a := 0.3
	b := math.Nextafter(a, 1)
	c := math.Nextafter(b, 1)
	got := midpoints([]float64{c, a, b, a})
	testdata.Equal(t, "candidates", got, []float64{math.Inf(-1), b, c, math.Inf(1)})
	testdata.Equal(t, "threshold", fitThreshold([]float64{c, a, b}, []int{0, 1, 0}, 2), []float64{b})
	big := midpoints([]float64{math.MaxFloat64, math.MaxFloat64 / 2})
	if math.IsInf(big[1], 0) {
		t.Error("the midpoint of large numbers overflows")
	}
}

func TestThresholdsJudge(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		thresholds []float64
		value      float64
		class      int
		margin     float64
	}{
		{[]float64{0.5}, 0.5, 0, 0},
		{[]float64{0.5}, 0.25, 1, 0.25},
		{[]float64{-inf}, 0, 0, inf},
		{[]float64{inf}, 1, 1, inf},
		{[]float64{0.25, 0.75}, 0.125, 2, 0.125},
		{[]float64{0.25, 0.75}, 0.25, 1, 0},
		{[]float64{0.25, 0.75}, 0.625, 1, 0.125},
		{[]float64{0.25, 0.75}, 0.75, 0, 0},
		{[]float64{0.5, 0.5}, 0.4375, 2, 0.0625},
		{[]float64{-inf, 0.5}, 0.375, 1, 0.125},
	} {
		threshold := Threshold{Score: CorrectMean, Thresholds: c.thresholds}
		if class, margin := threshold.class(c.value), threshold.margin(c.value); class != c.class ||
			margin != c.margin {
			t.Errorf("%v under %v: class %d, margin %v; want %d, %v",
				c.value, c.thresholds, class, margin, c.class, c.margin)
		}
	}
}

func TestThresholdsInJSON(t *testing.T) {
	whole := Threshold{Score: ConsistencyMean, Thresholds: []float64{math.Inf(-1), 0.1, math.Inf(1)}}
	data := testdata.Must(json.Marshal(whole))(t)
	testdata.Is(t, "written", string(data), `{"score":"consistency_mean","thresholds":["-inf",0.1,"+inf"]}`)
	var back Threshold
	testdata.OK(t, json.Unmarshal(data, &back))
	testdata.NoDiff(t, "read back", cmp.Diff(whole, back))
	for _, bad := range []string{
		`{"score":"correct_mean","thresholds":["inf"]}`, `{"score":"correct_mean","thresholds":[null]}`,
		`{"score":"correct_mean","thresholds":[[1]]}`, `{"score":"correct_mean","thresholds":[1e999]}`,
		`{"score":"correct_mean","thresholds":0.5}`, `{"score":"correct_mean","theta":[0.5]}`, `[]`, `"x"`,
	} {
		testdata.Refused(t, fmt.Sprintf("%s was read", bad), json.Unmarshal([]byte(bad), &back))
	}
	testdata.Is(t, "a refused text changed the value", back.Score, whole.Score)
}

func FuzzThreshold(f *testing.F) {
	for _, seed := range []string{
		`{"score":"correct_mean","thresholds":["-inf",0.5]}`, `{"thresholds":["+inf"]}`, `{"thresholds":[{}]}`,
		`{"score":1}`, `null`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var read, again Threshold
		if json.Unmarshal(data, &read) != nil {
			return
		}
		written := testdata.Must(json.Marshal(read))(t)
		if err := json.Unmarshal(written, &again); err != nil || again.Score != read.Score ||
			!slices.Equal(again.Thresholds, read.Thresholds) {
			t.Fatalf("%+v became %+v, %v", read, again, err)
		}
		if read.validate(len(read.Thresholds)+1) == nil {
			read.class(0.5)
		}
	})
}
