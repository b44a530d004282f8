package engine

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

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
	testdata.Must(prepareTask(task))(t)
	shapes := [][]int64{{32, 3}, {32, 8, 4, 4}, {32, 4, 8, 8}}
	in.Model.Probes = map[string][][]int64{"x": nil, task.Feed.ProbeName(): shapes}
	if task, err := Plan(in); err != nil || !task.Probed || !reflect.DeepEqual(task.Feed.Shapes, shapes) {
		t.Errorf("probe that passed: %v, %v, %v", task.Probed, task.Feed.Shapes, err)
	}
}

func TestPlanPositions(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(in *PlanInput)
		want   string // positions, tensors that the model is opened with, what is absent, distances
	}{
		"conf always": {func(in *PlanInput) {
			in.Positions = []string{"HEAD"}
		}, "[{CONF out} {HEAD fc}] [fc] [] []"},
		"absent": {func(in *PlanInput) {
			in.Model.Graph.Convs, in.Positions = []string{"c1"}, []string{"CONV-1", "CONV-2", "CONF", "nowhere"}
		}, "[{CONF out} {CONV-1 c1}] [c1] [CONV-2 nowhere] []"},
		"assigned and shared": {func(in *PlanInput) {
			in.Model.Correction.Positions = map[string]string{"CONV-2": "c3"}
			in.Positions = []string{"CONV-1", "CONV-2", "c3", "out"}
		}, "[{CONF out} {CONV-1 c3} {CONV-2 c3} {c3 c3} {out out}] [c3] [] []"},
		"vectors": {func(in *PlanInput) {
			in.Positions, in.Vectors = []string{"CONF"}, []string{"CONV-1/L2", "L2@CONV-1", "Linf@gone", "L1@CONF"}
		}, "[{CONF out} {CONV-1 c3}] [c3] [gone] [L2@CONV-1 L1@CONF]"},
		"set": {func(in *PlanInput) { in.Family = anySet(t, transform.Grayscale) }, "[] [] [] []"},
		"set with positions": {func(in *PlanInput) {
			in.Family, in.Positions = anySet(t, transform.Plain), []string{"HEAD"}
		}, "[{CONF out} {HEAD fc}] [fc] [] []"},
		"other output": {func(in *PlanInput) {
			in.Model.Correction.Output, in.Positions = "other", []string{"CONF"}
			in.Suite.Classes = []string{"0", "1", "2", "3", "4"}
		}, "[{CONF other}] [] [] []"},
	} {
		in := planInput(t)
		tt.change(&in)
		task := testdata.Must(Plan(in))(t)
		got := fmt.Sprint(task.Spec.Positions, task.Feed.Tensors, task.Absent, task.Spec.Vectors)
		testdata.Is(t, name, got, tt.want)
		testdata.Must(prepareTask(task))(t)
	}
}

func TestPlanSizes(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(in *PlanInput)
		want   [4]int
	}{
		"batch asked for": {func(in *PlanInput) { in.Batch = 64 }, [4]int{64, 3, 32, 24}},
		"batch fixed": {func(in *PlanInput) {
			in.Batch, in.Model.Graph.Input.Batch = 64, 1
		}, [4]int{1, 3, 32, 24}},
		"dynamic width":        {func(in *PlanInput) { in.Model.Graph.Input.Width = 0 }, [4]int{32, 3, 32, 40}},
		"images of many sizes": {func(in *PlanInput) { in.Suite.Shape = [3]int{} }, [4]int{32, 3, 32, 24}},
		"dynamic size": {func(in *PlanInput) {
			in.Model.Graph.Input.Height, in.Model.Graph.Input.Width = 0, 0
		}, [4]int{32, 3, 40, 40}},
	} {
		in := planInput(t)
		tt.change(&in)
		task := testdata.Must(Plan(in))(t)
		s, w := task.Spec, tt.want
		testdata.Is(t, name, task.Feed.Input,
			model.Input{Name: "in", Layout: model.NCHW, Batch: w[0], Channels: w[1], Height: w[2], Width: w[3]})
		testdata.Is(t, name+": spec", [4]int{s.Batch, s.Channels, s.Height, s.Width}, w)
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
	for want, change := range map[string]func(in *PlanInput){
		"3 classes and the suite 10": func(in *PlanInput) { in.Suite.Classes = make([]string, 10) },
		"suite birds has no images":  func(in *PlanInput) { in.Suite.Images = 0 },
		"images of suite birds differ in size": func(in *PlanInput) {
			in.Model.Graph.Input.Height, in.Suite.Shape = 0, [3]int{3, 0, 0}
		},
		"4 channels":         func(in *PlanInput) { in.Model.Graph.Input.Channels = 4 },
		"no vector order":    func(in *PlanInput) { in.Vectors = []string{"L0@CONF"} },
		"no vector modality": func(in *PlanInput) { in.Vectors = []string{"max@CONF"} },
		`tensor "x"`:         func(in *PlanInput) { in.Model.Correction.Positions = map[string]string{"CONV-2": "x"} },
		"output_kind": func(in *PlanInput) {
			in.Model.Record = []model.Field{{Name: "output_kind", Value: "odds"}}
		},
		"finite": func(in *PlanInput) {
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{math.NaN()}, []float64{1}
		},
		"no variance matrix": func(in *PlanInput) {
			in.Family, in.Vectors = anySet(t, transform.Plain), []string{"L2@CONV-1"}
		},
		"32 x 24 pixels": func(in *PlanInput) { in.Family = anySet(t, transform.Rot90) },
		"not applicable": func(in *PlanInput) {
			in.Family, in.Model.Graph.Input.Channels = anySet(t, transform.Grayscale), 1
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{0}, []float64{1}
		},
		"need 1 or 1 numbers": func(in *PlanInput) {
			in.Model.Graph.Input.Channels, in.Suite.Shape = 0, [3]int{1, 28, 28}
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{0, 0, 0}, []float64{1, 1, 1}
		},
		"must not be 0": func(in *PlanInput) {
			in.Model.Correction.Mean, in.Model.Correction.Std = []float64{0}, []float64{0}
		},
	} {
		in := planInput(t)
		change(&in)
		testdata.Refused(t, want, testdata.Err(Plan(in)), "model 307", want)
	}
}

func TestMatchClasses(t *testing.T) {
	named := func(names string) suite.Manifest { return suite.Manifest{Classes: strings.Fields(names), Named: true} }
	numbered := func(names string) suite.Manifest { return suite.Manifest{Classes: strings.Fields(names)} }
	settings := func(names string) model.Settings {
		return model.Settings{ClassNames: append([]string(nil), strings.Fields(names)...)} // nil for none
	}
	type table = map[string]string
	for name, tt := range map[string]struct {
		suite   suite.Manifest
		names   string
		classes int
		table   table
		want    []int
		by      string
	}{
		"by name":              {named("cat dog ant"), "ant cat dog", 3, nil, []int{1, 2, 0}, ByName},
		"model unnamed":        {named("cat dog"), "", 2, nil, []int{0, 1}, ByIndex},
		"suite unnamed":        {numbered("0 1"), "cat dog", 2, nil, []int{0, 1}, ByIndex},
		"both unnamed":         {numbered("0 1 2"), "", 3, nil, []int{0, 1, 2}, ByIndex},
		"numbers as names":     {named("cat dog"), "0 1", 2, nil, []int{0, 1}, ByIndex},
		"numbers in any order": {numbered("0 2 1"), "", 3, nil, []int{0, 2, 1}, ByIndex},
		"no labels":            {suite.Manifest{}, "", 3, nil, nil, NoLabels},
		"table of names": {
			named("cat dog"), "feline canine fish", 3, table{"cat": "feline", "dog": "canine"}, []int{0, 1}, ByTable,
		},
		"table of numbers": {named("cat dog"), "", 5, table{"cat": "4", "dog": " 0 "}, []int{4, 0}, ByTable},
		"table with none":  {named("cat dog"), "", 5, table{"cat": "4", "dog": ""}, []int{4, -1}, ByTable},
	} {
		got, by, err := MatchClasses(tt.suite, settings(tt.names), tt.classes, tt.table)
		if err != nil || !slices.Equal(got, tt.want) || by != tt.by {
			t.Errorf("%s: %v %s %v, want %v %s", name, got, by, err, tt.want, tt.by)
		}
	}
	for want, tt := range map[string]struct {
		suite   suite.Manifest
		names   string
		classes int
		table   table
		err     error
	}{
		"7 classes and the suite 10": {numbered("0 1 2 3 4 5 6 7 8 9"), "", 7, nil, ErrClassMismatch},
		"--class-map map.csv":        {named("cat dog"), "cat dog eel", 3, nil, ErrClassTable},
		"(eel)":                      {named("cat dog eel"), "cat dog", 2, nil, ErrClassTable},
		"twice":                      {named("cat cat dog"), "cat dog dog", 3, nil, ErrClassTable},
		"only the suite has dog, only the model eel": {named("cat dog"), "cat eel", 2, nil, ErrClassMismatch},
		"a, b, c, d, e":               {named("a b c d e"), "v w x y z", 5, nil, ErrClassMismatch},
		"3 classes but 2 class names": {named("cat dog"), "cat dog", 3, nil, ErrClassMismatch},
		`"dog"`:                       {named("cat dog"), "", 5, table{"cat": "4"}, ErrClassTable},
		`"cow"`:                       {named("cat"), "", 5, table{"cat": "4", "cow": "1"}, ErrClassTable},
		"from 0 to 4":                 {named("cat"), "", 5, table{"cat": "5"}, ErrClassTable},
		`"-1"`:                        {named("cat"), "", 5, table{"cat": "-1"}, ErrClassTable},
	} {
		_, _, err := MatchClasses(tt.suite, settings(tt.names), tt.classes, tt.table)
		testdata.ErrorIs(t, want, err, tt.err)
		testdata.Refused(t, want, err, want)
	}
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
