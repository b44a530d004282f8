package engine

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// finish runs one run to its end on an engine of its own.
func finish(t *testing.T, rt Runtime, rec Recorder, workers int, run Run) Status {
	t.Helper()
	e := New(rt, rec, Limits{Workers: workers})
	defer func() { _ = e.Close() }()
	testdata.OK(t, e.Submit(run))
	return testdata.Must(e.Wait(context.Background(), run.ID))(t)
}

// done also demands that everything succeeded.
func done(t *testing.T, rt Runtime, rec Recorder, workers int, run Run) Status {
	t.Helper()
	status := finish(t, rt, rec, workers, run)
	for _, task := range status.Tasks {
		if task.Phase != Done || task.Err != nil || task.Done != task.Total {
			t.Fatalf("model %s: %+v", task.ID, task)
		}
	}
	if status.Phase != Done || status.Done != status.Total {
		t.Fatalf("status %+v", status)
	}
	return status
}

// obvious computes image k under transformation i alone, in a batch of one, in plain float64
// normalisation.
func obvious(t *testing.T, task Task, source Source, i, k int) (results [][]float32) {
	t.Helper()
	img := testdata.Must(source.Image(k))(t)
	s := task.Spec
	img = suite.Fit(img, suite.Fitting{
		Channels: s.Channels, Height: s.Height, Width: s.Width, Resize: s.Preprocessing.Resize,
	})
	family := testdata.Must(transform.ParseAny(s.Family))(t)
	plan := testdata.Must(family.Plan(s.Height, s.Width))(t)
	pix := make([]float32, len(img.Pix))
	plan.Apply(pix, img.Pix, s.Channels, i)
	area := s.Height * s.Width
	for x := range pix {
		c := x / area
		pix[x] = float32((float64(pix[x]) - s.Preprocessing.Mean[c]) / s.Preprocessing.Std[0])
	}
	in := task.Feed.Input
	in.Batch, in.Layout = 1, model.NCHW
	_, results = fakeNet{classes: 4, kind: s.OutputKind, layout: model.NCHW}.run(in, pix)
	return results
}

func near(a, b float32) bool { return math.Abs(float64(a-b)) <= 2e-5*(1+math.Abs(float64(b))) }

// TestUnitsAgainstDefinition compares everything that a run records with one image at a time.
func TestUnitsAgainstDefinition(t *testing.T) {
	for name, change := range map[string]func(*Task){
		"nchw":              func(*Task) {},
		"nhwc":              func(t *Task) { t.Feed.Input.Layout = model.NHWC },
		"probabilities":     func(t *Task) { t.Spec.OutputKind = model.Probabilities },
		"batch of 7":        func(t *Task) { t.Spec.Batch, t.Feed.Input.Batch = 7, 7 },
		"batch above chunk": func(t *Task) { t.Spec.Batch, t.Feed.Input.Batch = 300, 300 },
		"centre crop":       func(t *Task) { t.Spec.Preprocessing.Resize = model.Crop },
		"brightness":        func(t *Task) { t.Spec.Family = "brightness:-0.3:0.3:0.15" },
		"plain":             func(t *Task) { t.Spec.Family = transform.Plain },
		"no positions":      func(t *Task) { t.Spec.Family, t.Spec.Positions = transform.Plain, nil },
		"grayscale":         func(t *Task) { t.Spec.Family = transform.Grayscale },
		"rot90": func(t *Task) {
			t.Spec.Family = transform.Rot90
			t.Spec.Width, t.Feed.Input.Width = t.Spec.Height, t.Feed.Input.Height
		},
	} {
		t.Run(name, func(t *testing.T) {
			task := fakeTask("m", 270)
			task.Spec.Preprocessing.Std = []float64{.25, .25, .25}
			change(&task)
			source, rec := newSource(270), newMemory()
			done(t, InProcess{netsFor(task)}, rec, 2, fakeRun("r", source, task))
			set := testdata.Must(rec.set(task))(t)
			for _, k := range []int{0, 3, 15, 16, 255, 256, 269} {
				for i := range set.Transformations {
					compare(t, task, set, i, k, obvious(t, task, source, i, k))
				}
			}
		})
	}
}

func compare(t *testing.T, task Task, set *signal.Set, i, k int, want [][]float32) {
	t.Helper()
	cell := i*set.Images + k
	soft := make([]float32, 4)
	signal.Softmax(soft, want[0], task.Spec.OutputKind)
	best := signal.Argmax(want[0])
	if set.Prediction[cell] != int32(best) || !near(set.Confidence[cell], soft[best]) || set.TrueScore != nil {
		t.Errorf("image %d under %d: prediction %d (%v), want %d (%v)", k, i, set.Prediction[cell],
			set.Confidence[cell], best, soft[best])
	}
	for c, v := range soft {
		if !near(set.Softmax[cell*4+c], v) {
			t.Errorf("image %d under %d: softmax %d is %v, want %v", k, i, c, set.Softmax[cell*4+c], v)
		}
	}
	for p, x := range []tensor{{soft, 4, false}, {want[1], 2, false}, {want[2], 4, true}, {want[0], 4, false}} {
		if len(task.Spec.Positions) == 0 {
			break
		}
		var reduced [signal.Reducers]float32
		signal.Reduce(&reduced, x.values, x.channels, x.last)
		for r := range signal.Reducer(signal.Reducers) {
			m := signal.Modality{Position: task.Spec.Positions[p].Name, Reducer: r}
			rows := testdata.Must(set.Signals(m))(t)
			if !near(rows[i][k], reduced[r]) {
				t.Errorf("image %d under %d: %s is %v, want %v", k, i, m, rows[i][k], reduced[r])
			}
		}
	}
}

func TestVectorModalities(t *testing.T) {
	task := fakeTask("m", 20)
	task.Spec.Vectors = []string{"L2@CONV-1", "Linf@CONF", "L1@CONV-1"}
	source, rec := newSource(20), newMemory()
	done(t, InProcess{netsFor(task)}, rec, 1, fakeRun("r", source, task))
	set := testdata.Must(rec.set(task))(t)
	for _, k := range []int{0, 15, 16, 19} {
		var c1, conf [][]float32
		for i := range set.Transformations {
			results := obvious(t, task, source, i, k)
			soft := make([]float32, 4)
			signal.Softmax(soft, results[0], model.Logits)
			c1, conf = append(c1, results[1]), append(conf, soft)
		}
		for _, text := range task.Spec.Vectors {
			m, _ := signal.ParseModality(text)
			rows := testdata.Must(set.Distances(m))(t)
			tensors := c1
			if m.Position == model.CONF {
				tensors = conf
			}
			for i := range tensors {
				for j := range i {
					want := float32(signal.Distance(tensors[i], tensors[j], m.Order))
					if got := rows[signal.Pair(i, j)][k]; !near(got, want) {
						t.Errorf("%s of image %d, %d and %d: %v, want %v", text, k, i, j, got, want)
					}
				}
			}
		}
	}
}

func TestVectorsThatAreTooLarge(t *testing.T) {
	task := fakeTask("m", 1)
	task.Spec.Vectors = []string{"L2@CONV-1"}
	task.Spec.Batch, task.Feed.Input.Batch = 1<<20, 1<<20
	r := testdata.Must(prepareTask(task))(t)
	b := &unitRunner{Prepared: r, tensors: map[int][]float32{}, sizes: map[int]int{}}
	testdata.Refused(t, "1.2 GiB of tensors", b.keep(place{position: 1}, make([]float32, 60)), "smaller batch")
}

// TestManyClasses: above FullSoftmaxClasses a unit keeps the true class's score in place of the
// softmax.
func TestManyClasses(t *testing.T) {
	task := fakeTask("m", 40)
	task.Spec.TrueClass = []int{3, 100, -1, 0}
	task.Classes = task.Spec.TrueClass
	rt := netsFor(task)
	rt.nets["m"] = fakeNet{classes: 101, kind: model.Logits, layout: model.NCHW}
	var outputs [][]float32
	rt.onResult = func(_ Feed, k int, values []float32) {
		if k == 0 {
			outputs = append(outputs, values)
		}
	}
	rec := newMemory()
	done(t, InProcess{rt}, rec, 1, fakeRun("r", newSource(40), task))
	u := rec.units[task.Spec.UnitKey(0)]
	if u.Softmax != nil || len(u.TrueScore) != 5*40 || u.Classes != 101 {
		t.Fatalf("softmax %d, true scores %d, classes %d", len(u.Softmax), len(u.TrueScore), u.Classes)
	}
	soft := make([]float32, 101)
	for x := range 4 { // images 0..3 under transformation 0
		signal.Softmax(soft, outputs[0][x*101:(x+1)*101], model.Logits)
		want := float32(0)
		if class := task.Classes[x]; class >= 0 {
			want = soft[class]
		}
		testdata.Is(t, fmt.Sprintf("image %d: true score", x), u.TrueScore[x], want)
	}
}

// TestRemainderIsPadded: places behind the last image hold copies of it, and are dropped.
func TestRemainderIsPadded(t *testing.T) {
	task := fakeTask("m", 18)
	rt := netsFor(task)
	size, seen := 3*6*5, 0
	rt.onRun = func(_ context.Context, _ Feed, input []float32) error {
		seen++
		if seen <= 5 {
			return nil // the first batch is full
		}
		for x := 2; x < 16; x++ {
			for y := range size {
				if input[x*size+y] != input[size+y] {
					t.Errorf("place %d differs from the last image", x)
					return nil
				}
			}
		}
		return nil
	}
	rec := newMemory()
	done(t, InProcess{rt}, rec, 1, fakeRun("r", newSource(18), task))
	testdata.Is(t, "batches", seen, 10)
	if u := rec.units[task.Spec.UnitKey(0)]; u.Images != 18 || len(u.Prediction) != 5*18 {
		t.Errorf("unit of %d images with %d predictions", u.Images, len(u.Prediction))
	}
}

func TestImagesAreDecodedOncePerModel(t *testing.T) {
	a, b := fakeTask("a", 300), fakeTask("b", 300)
	source := newSource(300)
	done(t, InProcess{netsFor(a, b)}, newMemory(), 3, fakeRun("r", source, a, b))
	testdata.Is(t, "images were decoded", source.reads.Load(), 600)
}
