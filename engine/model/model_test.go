package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func graph() Graph {
	return Graph{
		Input:   Input{Name: "input", Layout: NCHW, Channels: 3, Height: 32, Width: 32},
		Outputs: []Output{{Name: "output", Classes: 2}, {Name: "aux", Classes: 5, Kind: Probabilities}},
		Convs:   []string{"c1", "c2", "c3"},
		Head:    "pool_in",
		Tensors: []string{"c1", "r1", "c2", "c3", "pool_in", "output", "aux"},
	}
}

func TestTensorOfPosition(t *testing.T) {
	none := graph()
	none.Convs, none.Head, none.Outputs = nil, "", nil
	one := graph()
	one.Convs = []string{"patches"}
	for _, c := range []struct {
		name     string
		graph    Graph
		position string
		assigned map[string]string
		tensor   string
		ok       bool
	}{
		{"last conv", graph(), Conv1, nil, "c3", true},
		{"second but last conv", graph(), Conv2, nil, "c2", true},
		{"one conv has no CONV-2", one, Conv2, nil, "", false},
		{"one conv has a CONV-1", one, Conv1, nil, "patches", true},
		{"no conv", none, Conv1, nil, "", false},
		{"assigned tensor wins", one, Conv2, map[string]string{Conv2: "r1"}, "r1", true},
		{"head", graph(), Head, nil, "pool_in", true},
		{"no head", none, Head, nil, "", false},
		{"CONF is the first output", graph(), CONF, nil, "output", true},
		{"no output", none, CONF, nil, "", false},
		{"tensor by name", graph(), "r1", nil, "r1", true},
		{"unknown tensor", graph(), "nowhere", nil, "nowhere", false},
	} {
		if tensor, ok := c.graph.Tensor(c.position, c.assigned); tensor != c.tensor || ok != c.ok {
			t.Errorf("%s: got %q %v, want %q %v", c.name, tensor, ok, c.tensor, c.ok)
		}
	}
}

// TestAuthorities walks down the order of DESIGN.md section 4: each case takes the strongest
// authority away.
func TestAuthorities(t *testing.T) {
	m := Model{ID: "m", Graph: graph(), ProbedKind: Probabilities}
	m.Correction = Correction{
		OutputKind: Logits, Output: "output", Mean: []float64{0.1}, Std: []float64{0.2}, ClassNames: []string{"a", "b"},
	}
	m.Record = []Field{
		{"output_kind", " PROBABILITIES "}, {"mean", "0.4;0.5;0.6"}, {"std", "1;1;2"}, {"class_names", "c;d"},
	}
	m.Graph.Metadata = map[string]string{
		"output_kind": "log-probabilities", "mean": "[0.5]", "std": "[0.25]",
		"class_names": `["e","f"]`,
	}
	m.Graph.Outputs[0].Kind = Probabilities
	for _, c := range []struct {
		by    Authority
		kind  OutputKind
		mean  []float64
		norm  Authority
		names []string
		next  func()
	}{
		{ByUser, Logits, []float64{0.1}, ByUser, []string{"a", "b"}, func() { m.Correction = Correction{} }},
		{ByRecord, Probabilities, []float64{0.4, 0.5, 0.6}, ByRecord, []string{"c", "d"}, func() { m.Record = nil }},
		{
			ByMetadata, LogProbabilities,
			[]float64{0.5},
			ByMetadata,
			[]string{"e", "f"},
			func() { m.Graph.Metadata = nil },
		},
		{ByGraph, Probabilities, []float64{0}, ByDefault, nil, func() { m.Graph.Outputs[0].Kind = "" }},
		{ByProbe, Probabilities, []float64{0}, ByDefault, nil, func() { m.ProbedKind = "" }},
		{ByDefault, Logits, []float64{0}, ByDefault, nil, func() {}},
	} {
		s := testdata.Must(m.Settings())(t)
		if s.KindBy != c.by || s.OutputKind != c.kind || s.NormBy != c.norm ||
			!slices.Equal(s.Preprocessing.Mean, c.mean) || !slices.Equal(s.ClassNames, c.names) {
			t.Errorf("%s: got %+v", c.by, s)
		}
		c.next()
	}
}

func TestSettingsRefuse(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Model)
		want   string
	}{
		{"no output", func(m *Model) { m.Graph.Outputs = nil }, "no output of form (N, C)"},
		{"unknown output", func(m *Model) { m.Correction.Output = "x" }, `no class output "x"; choose one of `},
		{
			"output kind", func(m *Model) { m.Record = []Field{{"output_kind", "scores"}} },
			`output_kind "scores" in models.csv`,
		},
		{
			"mean no number", func(m *Model) { m.Record = []Field{{"mean", "a"}, {"std", "1"}} },
			"no list of finite numbers",
		},
		{
			"mean of two channels", func(m *Model) { m.Record = []Field{{"mean", "1;2"}, {"std", "1"}} },
			"need 1 or 3 numbers",
		},
		{"std zero", func(m *Model) { m.Record = []Field{{"mean", "0"}, {"std", "0"}} }, "must not be 0"},
		{
			"class names", func(m *Model) { m.Graph.Metadata = map[string]string{"class_names": "[1"} },
			"onnx metadata: class_names",
		},
	} {
		m := Model{ID: "m7", Graph: graph()}
		c.change(&m)
		testdata.Refused(t, c.name, testdata.Err(m.Settings()), c.want, "m7")
	}
}

func TestParseNumbers(t *testing.T) {
	for text, want := range map[string][]float64{
		"0.5": {0.5}, "1;2;3": {1, 2, 3}, "[0.1, 0.2]": {0.1, 0.2}, " 1 ; 2 ": {1, 2},
		"": nil, "[]": nil, "1;": nil, "NaN": nil, "1e999": nil, "[1": nil, "+Inf;1": nil,
	} {
		got, err := ParseNumbers(text)
		if (err == nil) != (want != nil) || !slices.Equal(got, want) && want != nil {
			t.Errorf("%q: got %v, %v, want %v", text, got, err, want)
		}
	}
}

func FuzzParseNumbers(f *testing.F) {
	for _, seed := range []string{"0.5", "1;2", "[1,2]", "[", ";;", "1e400"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseNumbers(text)
		if err == nil && len(list) == 0 {
			t.Error("no error and no number")
		}
	})
}

// One number per image is about two classes whatever a word or the graph says of it; a binary kind
// does not fit more.
func TestKindsOfOneNumber(t *testing.T) {
	for _, test := range []struct {
		classes int
		kind    OutputKind // of the graph
		word    string     // of the record
		want    OutputKind
		count   int
	}{
		{1, "", "", BinaryLogit, 2},
		{1, Sigmoid, "", BinaryProbability, 2},
		{1, "", "probabilities", BinaryProbability, 2},
		{1, Sigmoid, "binary-logit", BinaryLogit, 2},
		{3, Sigmoid, "", Sigmoid, 3},
		{3, Sigmoid, "logits", Logits, 3},
		{0, "", "binary-probability", BinaryProbability, 2},
	} {
		m := Model{ID: "m", Graph: Graph{Outputs: []Output{{Name: "y", Classes: test.classes, Kind: test.kind}}}}
		if test.word != "" {
			m.Record = []Field{{"output_kind", test.word}}
		}
		if s, err := m.Settings(); err != nil || s.OutputKind != test.want || s.Classes != test.count {
			t.Errorf("%+v: %s of %d classes, %v", test, s.OutputKind, s.Classes, err)
		}
	}
	m := Model{
		ID: "m", Graph: Graph{Outputs: []Output{{Name: "y", Classes: 3}}},
		Record: []Field{{"output_kind", "binary-logit"}},
	}
	if _, err := m.Settings(); err == nil || !strings.Contains(err.Error(),
		`output "y" has 3 numbers per image; binary-logit is one`) {
		t.Error(err)
	}
}
