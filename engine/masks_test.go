package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// maskTask is a task under a set of masks without positions.
func maskTask(id string, images int, masks transform.Masks) Task {
	task := fakeTask(id, images)
	family, err := transform.Mask(masks)
	if err != nil {
		panic(err)
	}
	task.Spec.Family, task.Spec.Positions = family.String(), nil
	task.Feed.Tensors, task.Feed.Mask = nil, &masks
	return task
}

// TestMaskSetAgainstDefinition: every image as it is, through the model with each region deleted.
func TestMaskSetAgainstDefinition(t *testing.T) {
	task := maskTask("m", 270, transform.Masks{N: 3})
	source, rec := newSource(270), newMemory()
	done(t, InProcess{netsFor(task)}, rec, 2, fakeRun("r", source, task))
	set := testdata.Must(rec.set(task))(t)
	if set.Transformations != 10 {
		t.Fatalf("%d variants", set.Transformations)
	}
	task.Spec.Preprocessing.Std = []float64{.25, .25, .25}
	for _, k := range []int{0, 3, 15, 16, 255, 256, 269} {
		untouched := obvious(t, task, source, 0, k)[0]
		for region := range set.Transformations {
			want := make([]float32, 4)
			signal.Softmax(want, turned(untouched, 4, region), task.Spec.OutputKind)
			at := region*set.Images + k
			for c, v := range want {
				if !near(set.Softmax[at*4+c], v) {
					t.Errorf("image %d, region %d: softmax %d is %v, want %v", k, region, c, set.Softmax[at*4+c], v)
				}
			}
		}
	}
}

// TestMaskSetFillsABatchOnce: all variants see the same input, which is written once.
func TestMaskSetFillsABatchOnce(t *testing.T) {
	task := maskTask("m", 32, transform.Masks{N: 2})
	rt := netsFor(task)
	var seen [][]float32
	rt.onRun = func(_ context.Context, _ Feed, input []float32) error {
		seen = append(seen, slices.Clone(input))
		return nil
	}
	done(t, InProcess{rt}, newMemory(), 1, fakeRun("r", newSource(32), task))
	const batches, variants = 2, 5
	if len(seen) != batches*variants {
		t.Fatalf("%d inferences, want %d", len(seen), batches*variants)
	}
	for k, input := range seen {
		if first := seen[k/variants*variants]; !slices.Equal(input, first) {
			t.Errorf("inference %d has another input than the first of its batch", k)
		}
	}
	if slices.Equal(seen[0], seen[variants]) {
		t.Error("both batches have the same input")
	}
	if n := rt.inputs.Load(); n != 1+batches { // one for the check of its size
		t.Errorf("the input was asked for %d times, want %d", n, 1+batches)
	}
}

// TestCancelOfAMaskSet ends between two variants and keeps no part of the unit.
func TestCancelOfAMaskSet(t *testing.T) {
	task := maskTask("m", 600, transform.Masks{N: 4})
	rt, rec := netsFor(task), newMemory()
	e := New(InProcess{rt}, rec, Limits{Workers: 2})
	defer func() { _ = e.Close() }()
	began := make(chan struct{}, 10_000)
	rt.onRun = func(ctx context.Context, _ Feed, _ []float32) error {
		began <- struct{}{}
		if len(began) > 30 {
			<-ctx.Done() // as an inference that takes long
		}
		return ctx.Err()
	}
	testdata.OK(t, e.Submit(fakeRun("r", newSource(600), task)))
	for range 20 {
		<-began
	}
	testdata.OK(t, e.Cancel("r"))
	status, err := e.Wait(t.Context(), "r")
	if err != nil || status.Phase != Cancelled || len(rec.units) != 0 {
		t.Errorf("%s with %d units, %v", status.Phase, len(rec.units), err)
	}
	if rt.runners.Load() != 0 || rt.opens.Load() != rt.closes.Load() {
		t.Errorf("%d runners and %d of %d sessions are left open", rt.runners.Load(), rt.opens.Load()-rt.closes.Load(),
			rt.opens.Load())
	}
}

func TestMasksOfAnotherRunAreRefused(t *testing.T) {
	bare, other := maskTask("m", 4, transform.Masks{N: 2}), fakeTask("m", 4)
	bare.Feed.Mask, other.Feed.Mask = nil, &transform.Masks{N: 2}
	wrong := maskTask("m", 4, transform.Masks{N: 2})
	wrong.Feed.Mask = &transform.Masks{N: 3}
	for _, task := range []Task{bare, other, wrong} {
		testdata.Refused(t, fmt.Sprintf("%s with masks %v", task.Spec.Family, task.Feed.Mask),
			testdata.Err(prepareTask(task)), "plan the run again")
	}
}

func TestPlanMasks(t *testing.T) {
	in := planInput(t)
	in.Family = anySet(t, "mask:3;layers=1,3;after=batchnorm")
	task := testdata.Must(Plan(in))(t)
	want := transform.Masks{N: 3, Layers: []int{1, 3}, AfterBatchNorm: true}
	if task.Feed.Mask == nil || !reflect.DeepEqual(*task.Feed.Mask, want) || task.Spec.Family != in.Family.String() ||
		task.Spec.Positions != nil {
		t.Errorf("%+v", task)
	}
	testdata.Must(prepareTask(task))(t)
	names := map[string]bool{}
	for _, set := range strings.Fields(
		"plain shift:3:5 mask:3 mask:2 mask:3;layers=1 mask:3;layers=1,3 mask:3;after=batchnorm") {
		in.Family = anySet(t, set)
		task := testdata.Must(Plan(in))(t)
		names[task.Feed.ProbeName()] = true
		in.Model.Probes = map[string][][]int64{task.Feed.ProbeName(): nil}
		testdata.Is(t, set+": the probe that passed is known", testdata.Must(Plan(in))(t).Probed, true)
		in.Model.Probes = nil
	}
	if len(names) != 6 { // plain and shift open the model alike
		t.Errorf("the probes have %d names: %v", len(names), names)
	}
}

func TestPlanRefusesMasks(t *testing.T) {
	for _, c := range []struct {
		set, want string
		change    func(g *model.Graph)
	}{
		{"mask:3;layers=3", "307 has 2 convolutions; layer 3 is", func(g *model.Graph) { g.Convs = g.Convs[:2] }},
		{"mask:2;layers=2", "307 has 1 convolution; layer 2 is", func(g *model.Graph) { g.Convs = g.Convs[:1] }},
		{"mask:3", "307 has no two-dimensional convolution", func(g *model.Graph) { g.Convs = nil }},
		{"mask:4", "307 was exported with opset 6", func(g *model.Graph) { g.Opset = 6 }},
	} {
		in := planInput(t)
		in.Family = anySet(t, c.set)
		c.change(&in.Model.Graph)
		err := testdata.Err(Plan(in))
		testdata.Refused(t, c.set, err, c.want)
		testdata.Is(t, c.set+": ErrNoRegions", errors.Is(err, ErrNoRegions), len(in.Model.Graph.Convs) == 0)
	}
}
