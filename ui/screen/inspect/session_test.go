package inspect

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/internal/uitest/sample"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/kit/evidence"
	"github.com/variscope/variscope/ui/screen/inspect/pane"
)

// opened is the session of a sample's model.
func opened(t testing.TB, ws *sample.Workspace, k int, modalities []string) *session {
	t.Helper()
	base, summary, err := evidence.Describe(t.Context(), ws,
		evidence.Request{Model: ws.Imported[k].Hash, Suite: ws.Shapes.Hash, Family: sample.Family})
	if err != nil || summary.Key == "" {
		t.Fatal(err, "no signals")
	}
	shared := evidence.Ranges{}
	for _, name := range evidence.DefaultModalities() {
		shared[name] = evidence.PaperRange
	}
	x, err := open(context.Background(), ws, subject{base, ws.Shapes, sample.Family, modalities, shared}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func computed(t interface{ Fatalf(string, ...any) }, x *session, c Controls, excluded []int) frame {
	f, err := x.compute(c, excluded, evidence.View{})
	if err != nil {
		t.Fatalf("compute %+v: %v", c, err)
	}
	return f
}

// The matrices of a choice are those that the store computes from the signals, whatever was shown
// before.
func TestSessionSameBitsAsStore(t *testing.T) {
	ws := sample.New(t, 7)
	x := opened(t, ws, 5, evidence.DefaultModalities())
	rapid.Check(t, func(t *rapid.T) {
		c := Controls{
			Which: variance.Which(rapid.IntRange(0, 2).Draw(t, "which")), Class: rapid.IntRange(0, 3).Draw(t, "class"),
			Share: rapid.IntRange(1, 100).Draw(t, "share"), Reach: rapid.IntRange(0, 16).Draw(t, "reach"),
		}
		excluded := rapid.SliceOfDistinct(rapid.IntRange(0, sample.Images-1), rapid.ID[int]).Draw(t, "excluded")
		slices.Sort(excluded)
		f := computed(t, x, c, excluded)
		answer, err := ws.Matrices(context.Background(), store.MatrixRequest{
			Model: ws.Imported[5], Suite: ws.Shapes.Hash, Family: sample.Family,
			Modalities: evidence.DefaultModalities(), Images: f.images,
		})
		if errors.Is(err, variance.ErrNoImages) {
			if f.none == nil || f.shown.Ready() || len(f.shown.Tiles) != 5 {
				t.Fatalf("no images, but %+v", f.shown.Tiles)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v", err)
		}
		if f.none != nil || f.shown.Images != answer.Chosen || len(f.chosen) != answer.Chosen ||
			f.shown.Excluded != len(excluded) {
			t.Fatalf("%d images, want %d", len(f.chosen), answer.Chosen)
		}
		n := f.last - f.first + 1
		if len(f.shown.Values) != n || len(f.shown.Accuracy) != n {
			t.Fatalf("%d values and %d accuracies for %d transformations",
				len(f.shown.Values), len(f.shown.Accuracy), n)
		}
		for k, tile := range f.shown.Tiles {
			want := answer.Matrices[tile.Modality].Centre((f.last - f.first) / 2)
			if !slices.Equal(tile.Matrix.Data, want.Data) {
				t.Fatalf("tile %d has other bits", k)
			}
		}
	})
}

func TestSessionSaysWhatIsMissing(t *testing.T) {
	ws := sample.New(t, 6)
	x := opened(t, ws, 4, []string{"std@CONF", "max@CONV-2", "max@HEAD", "L2@CONV-1", "std@CONV-1"})
	f := computed(t, x, everything(), nil)
	for k, want := range []string{
		"", "no second convolution", "not computed: run with position HEAD",
		"not computed: run with modality L2@CONV-1", "",
	} {
		if got := f.shown.Tiles[k].Reason; got != want {
			t.Errorf("%s: %q, want %q", f.shown.Tiles[k].Modality, got, want)
		}
	}
	// What has no shared range gets one of its own, and says so; reduced softmax vectors have one
	// whatever the models.
	if _, badge := f.shown.View.Range("std@CONV-1"); !strings.HasPrefix(badge, "not shared: 0..") {
		t.Errorf("badge %q", badge)
	}
	if r, badge := f.shown.View.Range("std@CONF"); badge != "" || r.High != 0.3 {
		t.Errorf("std@CONF %v %q", r, badge)
	}
}

// A signal that is not finite takes its matrix away, and comes back when the image is excluded.
func TestSessionWithABrokenSignal(t *testing.T) {
	ws := sample.New(t, 3)
	x := opened(t, ws, 0, []string{"max@CONF", "max@CONV-1"})
	rows := testdata.Must(x.set.Signals(x.parts[1].modality))(t)
	rows[7][11] = float32(math.NaN())
	x.parts[1].prepared = variance.Prepare(rows)
	f := computed(t, x, everything(), nil)
	if got := f.shown.Tiles[1].Reason; !strings.Contains(got, "image 11") || f.shown.Tiles[0].Absent() {
		t.Errorf("reason %q", got)
	}
	if f = computed(t, x, everything(), []int{11}); f.shown.Tiles[1].Absent() {
		t.Error("without the image there is a matrix")
	}
}

func TestJudge(t *testing.T) {
	ws := sample.New(t, 7)
	x := opened(t, ws, 5, []string{"max@CONF", "mean@CONV-1", "max@HEAD"})
	f := computed(t, x, Controls{Share: 50, Reach: 10}, nil)
	largest := judge(f, pane.Whole(""), 0.1)
	conf, conv, head := largest[0], largest[1], largest[2]
	if conf.Largest != 1 || conf.Estimated || conf.Delta != f.shown.Tiles[0].Matrix.Max() ||
		conf.Images != len(f.chosen) || conf.cell {
		t.Errorf("CONF %+v", conf)
	}
	// f+ of a convolution is the largest difference that is seen, in the interval and over the
	// chosen images.
	rows := testdata.Must(x.set.Signals(signal.Modality{Position: model.Conv1, Reducer: signal.Mean}))(t)
	most := 0.0
	for i := f.first; i <= f.last; i++ {
		for j := f.first; j <= f.last; j++ {
			for _, k := range f.chosen {
				most = max(most, math.Abs(float64(rows[i][k])-float64(rows[j][k])))
			}
		}
	}
	if conv.Largest != most || !conv.Estimated || !strings.HasSuffix(conv.lines()[0], " est.") {
		t.Errorf("CONV-1 %+v, want f+ %v", conv, most)
	}
	if head.there || len(head.lines()) != 1 || head.lines()[0] != "" {
		t.Errorf("HEAD %+v", head)
	}
	cell := judge(f, pane.Focus{I: 6, J: 20}, 0.2)[0]
	if !cell.cell || cell.Delta != f.shown.Tiles[0].Matrix.At(1, 15) || !strings.HasPrefix(cell.lines()[0], "δ ") ||
		certaintyLines([]judged{cell})[5].Name != "needed for ±20 %" {
		t.Errorf("cell %+v %q", cell, cell.lines())
	}
	if outside := judge(f, pane.Focus{I: 0, J: 30}, 0.2)[0]; outside.cell {
		t.Error("an element outside the interval")
	}
	if zero := judge(f, pane.Focus{I: 9, J: 9}, 0.1)[0]; zero.lines()[0] != "δ is 0 for every image" {
		t.Errorf("the diagonal %q", zero.lines())
	}
	if lines := certaintyLines(largest); len(lines) != 12 || lines[0].Name != "max@CONF" || lines[3].Value != "1.00" ||
		!strings.Contains(lines[9].Value, "estimate") {
		t.Errorf("table %+v", lines)
	}
}

// TestBandOfAnElement: it is that of the whole matrix, for signals and for distances.
func TestBandOfAnElement(t *testing.T) {
	ws := sample.New(t, 7)
	x := opened(t, ws, 5, []string{"max@CONF", "mean@CONV-1", "max@HEAD"})
	f := computed(t, x, Controls{Share: 50, Reach: 10}, nil)
	by := variance.Bootstrap{Resamples: 100, Seed: 1}
	bands := testdata.Must(x.bands(context.Background(), f, 6, 20, by))(t)
	for k, p := range x.parts[:2] {
		d := testdata.Must(variance.DifferencesOf(x.set, p.modality))(t)
		whole, err := d.Band(context.Background(), f.chosen, by, nil)
		want := result.Significant(whole.Low.At(6, 20), 3) + ".." + result.Significant(whole.High.At(20, 6), 3)
		if err != nil || bands[k].ends != want {
			t.Errorf("%s: %+v, want %s, %v", p.name, bands[k], want, err)
		}
	}
	one := judge(f, pane.Focus{I: 6, J: 20}, 0.2)[0]
	if one.banded, one.band = true, bands[0]; one.lines()[1] != "by resamples "+bands[0].ends {
		t.Errorf("%q", one.lines())
	}
	if bands[2] != (band{}) {
		t.Errorf("an absent matrix has %+v", bands[2])
	}
	if diagonal, err := x.bands(context.Background(), f, 9, 9, by); err != nil || diagonal[0] != (band{}) {
		t.Errorf("the diagonal has %+v, %v", diagonal[0], err)
	}
	f.chosen = f.chosen[:7]
	if few, err := x.bands(context.Background(), f, 6, 20, by); err != nil || few[0].why == "" {
		t.Errorf("seven images have %+v, %v", few[0], err)
	}
}

// large is a session of 10,000 images under 31 transformations, in memory only.
func large() *session {
	const n, images, classes = 31, 10000, 10
	random := rand.New(rand.NewPCG(1, 2))
	x := &session{reach: [2]int{-1, -1}, single: evidence.Ranges{}, labels: make([]int, images)}
	x.set = &signal.Set{Transformations: n, Images: images, Classes: classes, Prediction: make([]int32, n*images)}
	for k := range x.labels {
		x.labels[k] = k % classes
	}
	for at := range x.set.Prediction {
		x.set.Prediction[at] = int32((at%images + random.IntN(12)/11) % classes)
	}
	for i := range n {
		x.base.Values = append(x.base.Values, float64(i-n/2))
	}
	for range classes {
		x.base.Classes = append(x.base.Classes, "class")
	}
	for _, m := range signal.DefaultModalities() {
		rows := make([][]float32, n)
		for i := range rows {
			rows[i] = make([]float32, images)
			for k := range rows[i] {
				rows[i][k] = float32(0.9 + 0.05*random.NormFloat64())
			}
		}
		x.parts = append(x.parts, part{name: m.String(), modality: m, prepared: variance.Prepare(rows)})
	}
	return x
}

// BenchmarkFrame is one step of a slider without the widgets: which images, five matrices of 10,000
// images x 31 transformations, accuracies, bounds and pictures.
func BenchmarkFrame(b *testing.B) {
	x := large()
	for name, c := range map[string]Controls{
		"share":   {Share: 97},
		"correct": {Which: variance.Correct, Share: 100},
		"all":     everything(),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				testdata.Must(x.compute(c, nil, evidence.View{}))(b)
			}
		})
	}
}

// Vector modalities follow the controls like the others; their f+ is known for CONF, else the
// largest distance seen.
func TestSessionOfVectorModalities(t *testing.T) {
	const n, images = 5, 40
	random := rand.New(rand.NewPCG(3, 4))
	x := &session{reach: [2]int{-1, -1}, single: evidence.Ranges{}}
	x.set = &signal.Set{Transformations: n, Images: images, Prediction: make([]int32, n*images)}
	for i := range n {
		x.base.Values = append(x.base.Values, float64(i-2))
	}
	for _, name := range []string{"L2@CONV-1", "L2@CONF"} {
		m := testdata.Must(signal.ParseModality(name))(t)
		distances := make([][]float32, signal.Pairs(n))
		for p := range distances {
			for range images {
				distances[p] = append(distances[p], random.Float32())
			}
		}
		x.parts = append(x.parts, part{name: name, modality: m, distances: distances})
	}
	f := computed(t, x, Controls{Share: 50, Reach: 1}, []int{4})
	for k, p := range x.parts {
		whole, err := variance.Vector(p.distances, n, f.chosen)
		if err != nil || !slices.Equal(f.shown.Tiles[k].Matrix.Data, whole.Centre(1).Data) {
			t.Errorf("%s: another matrix, %v", p.name, err)
		}
	}
	most := 0.0
	for _, pair := range [][2]int{{2, 1}, {3, 1}, {3, 2}} {
		for _, k := range f.chosen {
			most = max(most, float64(x.parts[0].distances[signal.Pair(pair[0], pair[1])][k]))
		}
	}
	if f.largest[0] != most || f.largest[1] != math.Sqrt2 || slices.Contains(f.chosen, 4) {
		t.Errorf("f+ %v, want %v and the root of 2", f.largest, most)
	}
}
