package engine

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

func planInput(t *testing.T) PlanInput {
	t.Helper()
	family := testdata.Must(transform.Parse("rotation:-15:15:1"))(t)
	return PlanInput{
		Model: model.Model{
			Hash: "abc", ID: "307",
			Graph: model.Graph{
				Input: model.Input{Name: "in", Layout: model.NCHW, Channels: 3, Height: 32, Width: 24},
				Outputs: []model.Output{
					{Name: "out", Classes: 3}, {Name: "other", Classes: 5, Kind: model.Probabilities},
				},
				Convs: []string{"c1", "c2", "c3"}, Tensors: []string{"c1", "relu", "c2", "c3", "fc", "out", "other"},
				Head: "fc",
			},
		},
		Path: "307.onnx",
		Suite: suite.Manifest{
			Hash: "s", Name: "birds", Images: 500, Classes: []string{"0", "1", "2"}, Shape: [3]int{3, 40, 40},
		},
		Family: family, Runtime: "1.27.0",
	}
}

func anySet(t *testing.T, name string) transform.Family {
	t.Helper()
	return testdata.Must(transform.ParseAny(name))(t)
}

func TestPlanDefaults(t *testing.T) {
	in := planInput(t)
	in.Suite.Skipped = make([]suite.Skipped, 2)
	task := testdata.Must(Plan(in))(t)
	input := model.Input{Name: "in", Layout: model.NCHW, Batch: 32, Channels: 3, Height: 32, Width: 24}
	want := Task{
		ID: "307",
		Spec: signal.Spec{
			Model: "abc", Source: "s", Images: 500, Family: "rotation:-15:15:1;interpolation=bilinear;border=zero",
			Preprocessing: model.Preprocessing{Mean: []float64{0}, Std: []float64{1}, Resize: model.Stretch},
			OutputKind:    model.Logits, Output: "out", Channels: 3, Height: 32, Width: 24,
			Positions: []signal.Position{
				{Name: "CONF", Tensor: "out"}, {Name: "CONV-1", Tensor: "c3"}, {Name: "CONV-2", Tensor: "c2"},
			},
			Batch: 32, Runtime: "1.27.0", Arch: runtime.GOARCH, Level: Level(),
		},
		Feed:    Feed{Path: "307.onnx", Input: input, Output: "out", Tensors: []string{"c3", "c2"}},
		Classes: []int{0, 1, 2}, MappedBy: ByIndex, Skipped: 2,
	}
	if !reflect.DeepEqual(task, want) {
		t.Errorf("got %+v\nwant %+v", task, want)
	}
	if _, err := prepareTask(task); err != nil {
		t.Errorf("the task cannot be run: %v", err)
	}
	shapes := [][]int64{{32, 3}, {32, 8, 4, 4}, {32, 4, 8, 8}}
	in.Model.Probes = map[string][][]int64{"x": nil, task.Feed.ProbeName(): shapes}
	if task, err := Plan(in); err != nil || !task.Probed || !reflect.DeepEqual(task.Feed.Shapes, shapes) {
		t.Errorf("probe that passed: %v, %v, %v", task.Probed, task.Feed.Shapes, err)
	}
}

func TestPlanPositions(t *testing.T) {
	for name, tt := range map[string]struct {
		change    func(in *PlanInput)
		positions []signal.Position
		tensors   []string
		absent    []string
		vectors   []string
	}{
		"conf always": {
			func(in *PlanInput) { in.Positions = []string{"HEAD"} },
			[]signal.Position{{Name: "CONF", Tensor: "out"}, {Name: "HEAD", Tensor: "fc"}},
			[]string{"fc"},
			nil, nil,
		},
		"absent": {
			func(in *PlanInput) {
				in.Model.Graph.Convs, in.Positions = []string{"c1"}, []string{"CONV-1", "CONV-2", "CONF", "nowhere"}
			},
			[]signal.Position{{Name: "CONF", Tensor: "out"}, {Name: "CONV-1", Tensor: "c1"}},
			[]string{"c1"},
			[]string{"CONV-2", "nowhere"},
			nil,
		},
		"assigned and shared": {
			func(in *PlanInput) {
				in.Model.Correction.Positions = map[string]string{"CONV-2": "c3"}
				in.Positions = []string{"CONV-1", "CONV-2", "c3", "out"}
			},
			[]signal.Position{
				{Name: "CONF", Tensor: "out"},
				{Name: "CONV-1", Tensor: "c3"},
				{Name: "CONV-2", Tensor: "c3"},
				{Name: "c3", Tensor: "c3"},
				{Name: "out", Tensor: "out"},
			},
			[]string{"c3"},
			nil, nil,
		},
		"vectors": {
			func(in *PlanInput) {
				in.Positions, in.Vectors = []string{"CONF"}, []string{"CONV-1/L2", "L2@CONV-1", "Linf@gone", "L1@CONF"}
			},
			[]signal.Position{{Name: "CONF", Tensor: "out"}, {Name: "CONV-1", Tensor: "c3"}},
			[]string{"c3"},
			[]string{"gone"},
			[]string{"L2@CONV-1", "L1@CONF"},
		},
		"set": {
			func(in *PlanInput) { in.Family = anySet(t, transform.Grayscale) },
			nil, nil, nil, nil,
		},
		"set with positions": {
			func(in *PlanInput) {
				in.Family, in.Positions = anySet(t, transform.Plain), []string{"HEAD"}
			},
			[]signal.Position{{Name: "CONF", Tensor: "out"}, {Name: "HEAD", Tensor: "fc"}},
			[]string{"fc"},
			nil, nil,
		},
		"other output": {
			func(in *PlanInput) {
				in.Model.Correction.Output, in.Positions = "other", []string{"CONF"}
				in.Suite.Classes = []string{"0", "1", "2", "3", "4"}
			},
			[]signal.Position{{Name: "CONF", Tensor: "other"}},
			nil, nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := planInput(t)
			tt.change(&in)
			task := testdata.Must(Plan(in))(t)
			if !slices.Equal(task.Spec.Positions, tt.positions) || !slices.Equal(task.Feed.Tensors, tt.tensors) ||
				!slices.Equal(task.Absent, tt.absent) || !slices.Equal(task.Spec.Vectors, tt.vectors) {
				t.Errorf("positions %v, tensors %v, absent %v, vectors %v", task.Spec.Positions, task.Feed.Tensors,
					task.Absent, task.Spec.Vectors)
			}
			if _, err := prepareTask(task); err != nil {
				t.Errorf("the task cannot be run: %v", err)
			}
		})
	}
}

func TestPlanSizes(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(in *PlanInput)
		want   model.Input
	}{
		"batch asked for": {
			func(in *PlanInput) { in.Batch = 64 }, model.Input{Batch: 64, Channels: 3, Height: 32, Width: 24},
		},
		"batch fixed": {
			func(in *PlanInput) { in.Batch, in.Model.Graph.Input.Batch = 64, 1 },
			model.Input{Batch: 1, Channels: 3, Height: 32, Width: 24},
		},
		"dynamic size": {
			func(in *PlanInput) { in.Model.Graph.Input.Height, in.Model.Graph.Input.Width = 0, 0 },
			model.Input{Batch: 32, Channels: 3, Height: 40, Width: 40},
		},
		"dynamic width": {
			func(in *PlanInput) { in.Model.Graph.Input.Width = 0 },
			model.Input{Batch: 32, Channels: 3, Height: 32, Width: 40},
		},
		"images of many sizes": {
			func(in *PlanInput) { in.Suite.Shape = [3]int{} },
			model.Input{Batch: 32, Channels: 3, Height: 32, Width: 24},
		},
	} {
		in := planInput(t)
		tt.change(&in)
		task, err := Plan(in)
		tt.want.Name, tt.want.Layout = "in", model.NCHW
		if err != nil || task.Feed.Input != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", name, task.Feed.Input, err, tt.want)
		}
		if s := task.Spec; s.Batch != tt.want.Batch || s.Channels != tt.want.Channels || s.Height != tt.want.Height ||
			s.Width != tt.want.Width {
			t.Errorf("%s: the spec says %d x %d x %d x %d", name, s.Batch, s.Channels, s.Height, s.Width)
		}
	}
}

func TestPlanManyClasses(t *testing.T) {
	in := planInput(t)
	in.Model.Graph.Outputs[0].Classes = 101
	names := make([]string, 101)
	for i := range names {
		names[i] = strings.Repeat("x", i+1)
	}
	in.Suite.Classes, in.Suite.Named = names, true
	task, err := Plan(in)
	if err != nil || len(task.Spec.TrueClass) != 101 {
		t.Errorf("true classes %v, %v", task.Spec.TrueClass, err)
	}
	if task, err := Plan(planInput(t)); err != nil || task.Spec.TrueClass != nil {
		t.Errorf("true classes %v of a model with 3 classes, %v", task.Spec.TrueClass, err)
	}
}

func TestPlanUnknownClasses(t *testing.T) {
	in := planInput(t)
	in.Model.Graph.Outputs[0].Classes = 0
	testdata.Is(t, "before the probe", testdata.Must(Plan(in))(t).MappedBy, ByIndex)
	in.Classes = 4
	testdata.ErrorIs(t, "after a probe that found 4 classes", testdata.Err(Plan(in)), ErrClassMismatch)
	in.Suite.Classes = nil
	if task, err := Plan(in); err != nil || task.MappedBy != NoLabels || task.Classes != nil {
		t.Errorf("suite without labels: %+v, %v", task, err)
	}
}

func TestPlanErrors(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(in *PlanInput)
		want   string
	}{
		"classes":     {func(in *PlanInput) { in.Suite.Classes = make([]string, 10) }, "3 classes and the suite 10"},
		"empty suite": {func(in *PlanInput) { in.Suite.Images = 0 }, "suite birds has no images"},
		"sizes differ": {
			func(in *PlanInput) { in.Model.Graph.Input.Height, in.Suite.Shape = 0, [3]int{3, 0, 0} },
			"images of suite birds differ in size",
		},
		"four channels": {func(in *PlanInput) { in.Model.Graph.Input.Channels = 4 }, "4 channels"},
		"bad modality":  {func(in *PlanInput) { in.Vectors = []string{"L0@CONF"} }, "no vector order"},
		"scalar vector": {func(in *PlanInput) { in.Vectors = []string{"max@CONF"} }, "no vector modality"},
		"unknown tensor": {
			func(in *PlanInput) { in.Model.Correction.Positions = map[string]string{"CONV-2": "x"} },
			`tensor "x"`,
		},
		"bad record": {func(in *PlanInput) {
			in.Model.Record = []model.Field{{Name: "output_kind", Value: "odds"}}
		}, "output_kind"},
		"mean not finite": {func(in *PlanInput) {
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{math.NaN()}, []float64{1}
		}, "finite"},
		"set with distances": {func(in *PlanInput) {
			in.Family, in.Vectors = anySet(t, transform.Plain), []string{"L2@CONV-1"}
		}, "no variance matrix"},
		"set of turns": {func(in *PlanInput) { in.Family = anySet(t, transform.Rot90) }, "32 x 24 pixels"},
		"set of grays": {func(in *PlanInput) {
			in.Family, in.Model.Graph.Input.Channels = anySet(t, transform.Grayscale), 1
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{0}, []float64{1}
		}, "not applicable"},
		"means of other channels": {func(in *PlanInput) {
			in.Model.Graph.Input.Channels, in.Suite.Shape = 0, [3]int{1, 28, 28}
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{0, 0, 0}, []float64{1, 1, 1}
		}, "need 1 or 1 numbers"},
		"std zero": {func(in *PlanInput) {
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{0}, []float64{0}
		}, "must not be 0"},
	} {
		in := planInput(t)
		tt.change(&in)
		_, err := Plan(in)
		testdata.Refused(t, name, err, "model 307", tt.want)
	}
}

func TestMatchClasses(t *testing.T) {
	named := func(names ...string) suite.Manifest { return suite.Manifest{Classes: names, Named: true} }
	numbered := func(names ...string) suite.Manifest { return suite.Manifest{Classes: names} }
	for name, tt := range map[string]struct {
		suite   suite.Manifest
		names   []string
		classes int
		table   map[string]string
		want    []int
		by      string
		err     error
		says    string
	}{
		"by name": {
			named("cat", "dog", "ant"), []string{"ant", "cat", "dog"}, 3, nil, []int{1, 2, 0}, ByName, nil, "",
		},
		"model unnamed":        {named("cat", "dog"), nil, 2, nil, []int{0, 1}, ByIndex, nil, ""},
		"suite unnamed":        {numbered("0", "1"), []string{"cat", "dog"}, 2, nil, []int{0, 1}, ByIndex, nil, ""},
		"both unnamed":         {numbered("0", "1", "2"), nil, 3, nil, []int{0, 1, 2}, ByIndex, nil, ""},
		"numbers as names":     {named("cat", "dog"), []string{"0", "1"}, 2, nil, []int{0, 1}, ByIndex, nil, ""},
		"numbers in any order": {numbered("0", "2", "1"), nil, 3, nil, []int{0, 2, 1}, ByIndex, nil, ""},
		"no labels":            {suite.Manifest{}, nil, 3, nil, nil, NoLabels, nil, ""},
		"7 on 10": {
			numbered("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), nil, 7, nil, nil, "",
			ErrClassMismatch, "7 classes and the suite 10",
		},
		"suite within model": {
			named("cat", "dog"), []string{"cat", "dog", "eel"}, 3, nil, nil, "", ErrClassTable, "--class-map map.csv",
		},
		"model within suite": {
			named("cat", "dog", "eel"), []string{"cat", "dog"}, 2, nil, nil, "", ErrClassTable, "(eel)",
		},
		"one twice": {
			named("cat", "cat", "dog"), []string{"cat", "dog", "dog"}, 3, nil, nil, "", ErrClassTable, "twice",
		},
		"other names": {
			named("cat", "dog"),
			[]string{"cat", "eel"},
			2, nil, nil, "", ErrClassMismatch,
			"only the suite has dog, only the model eel",
		},
		"many other names": {
			named("a", "b", "c", "d", "e"),
			[]string{"v", "w", "x", "y", "z"},
			5, nil, nil, "", ErrClassMismatch,
			"a, b, c, d, e",
		},
		"names miscounted": {
			named("cat", "dog"),
			[]string{"cat", "dog"},
			3, nil, nil, "", ErrClassMismatch,
			"3 classes but 2 class names",
		},
		"table of names": {
			named("cat", "dog"),
			[]string{"feline", "canine", "fish"},
			3,
			map[string]string{"cat": "feline", "dog": "canine"},
			[]int{0, 1},
			ByTable, nil, "",
		},
		"table of numbers": {
			named("cat", "dog"), nil, 5, map[string]string{"cat": "4", "dog": " 0 "}, []int{4, 0}, ByTable, nil, "",
		},
		"table with none": {
			named("cat", "dog"), nil, 5, map[string]string{"cat": "4", "dog": ""}, []int{4, -1}, ByTable, nil, "",
		},
		"table too short": {
			named("cat", "dog"), nil, 5,
			map[string]string{"cat": "4"},
			nil, ByTable, ErrClassTable,
			`"dog"`,
		},
		"table too long": {
			named("cat"), nil, 5,
			map[string]string{"cat": "4", "cow": "1"},
			nil, ByTable,
			ErrClassTable, `"cow"`,
		},
		"table off": {
			named("cat"), nil, 5, map[string]string{"cat": "5"}, nil, ByTable, ErrClassTable, "from 0 to 4",
		},
		"table negative": {named("cat"), nil, 5, map[string]string{"cat": "-1"}, nil, ByTable, ErrClassTable, `"-1"`},
	} {
		t.Run(name, func(t *testing.T) {
			got, by, err := MatchClasses(tt.suite, model.Settings{ClassNames: tt.names}, tt.classes, tt.table)
			if !errors.Is(err, tt.err) || (err == nil) != (tt.err == nil) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err != nil {
				if !strings.Contains(err.Error(), tt.says) {
					t.Errorf("error %q does not say %q", err, tt.says)
				}
				return
			}
			if !slices.Equal(got, tt.want) || by != tt.by {
				t.Errorf("%v %s, want %v %s", got, by, tt.want, tt.by)
			}
		})
	}
}

// TestMatchByNameForAnyOrder: whatever the two orders are, a label's class has the label's name.
func TestMatchByNameForAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,6}`), 1, 12, rapid.ID[string]).Draw(t, "names")
		shuffled := rapid.Permutation(names).Draw(t, "shuffled")
		mapped, by, err := MatchClasses(suite.Manifest{Classes: names, Named: true},
			model.Settings{ClassNames: shuffled}, len(names), nil)
		if err != nil || by != ByName {
			t.Fatalf("%s, %v", by, err)
		}
		for label, class := range mapped {
			if shuffled[class] != names[label] {
				t.Fatalf("%s is mapped to %s", names[label], shuffled[class])
			}
		}
	})
}

func TestLevel(t *testing.T) {
	known := []string{"avx512", "avx2", "avx", "sse4", "sse2", "neon", "sve", runtime.GOARCH}
	if l := Level(); !slices.Contains(known, l) || l != Level() {
		t.Errorf("level %q", l)
	}
	for _, tt := range []struct {
		has  [4]bool
		want string
	}{
		{[4]bool{true, true, true, true}, "avx512"},
		{[4]bool{false, true, true, true}, "avx2"},
		{[4]bool{false, false, true, true}, "avx"},
		{[4]bool{false, false, false, true}, "sse4"},
		{[4]bool{}, "sse2"},
	} {
		testdata.Is(t, fmt.Sprintf("%v", tt.has), levelX86(tt.has[0], tt.has[1], tt.has[2], tt.has[3]), tt.want)
	}
}

func TestShapeOf(t *testing.T) {
	for _, tt := range []struct {
		shape          []int64
		size, channels int
		last, ok       bool
	}{
		{[]int64{8, 10}, 10, 10, false, true},
		{[]int64{8, 16, 5, 5}, 400, 16, false, true},
		{[]int64{8, 49, 64}, 3136, 64, true, true},
		{[]int64{8, 4, 2, 3, 3}, 72, 4, false, true},
		{[]int64{8}, 1, 1, false, true},
		{[]int64{16, 10}, 0, 0, false, false},
		{[]int64{8, 0, 3}, 0, 0, false, false},
		{nil, 0, 0, false, false},
	} {
		size, channels, last, err := shapeOf(tt.shape, 8)
		if (err == nil) != tt.ok || tt.ok && (size != tt.size || channels != tt.channels || last != tt.last) {
			t.Errorf("%v: %d numbers, %d channels, last %v, %v", tt.shape, size, channels, last, err)
		}
	}
}
