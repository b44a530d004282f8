package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/internal/testdata"
)

// TestPreprocessingOfEarlierVersions holds the text that names signals: what earlier versions could
// say is named as they did.
func TestPreprocessingOfEarlierVersions(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Model)
		want   string
	}{
		"default": {func(*Model) {}, `{"mean":[0],"std":[1],"resize":"stretch"}`},
		"mean and std": {
			func(m *Model) { m.Record = []Field{{"mean", "0.5"}, {"std", "0.25"}} },
			`{"mean":[0.5],"std":[0.25],"resize":"stretch"}`,
		},
		"metadata": {func(m *Model) {
			m.Graph.Metadata = map[string]string{"mean": "[0,0,0]", "std": "[1,1,2]"}
		}, `{"mean":[0,0,0],"std":[1,1,2],"resize":"stretch"}`},
		"crop": {func(m *Model) { m.Correction.Resize = Crop }, `{"mean":[0],"std":[1],"resize":"crop"}`},
		"the default, said": {func(m *Model) {
			m.Correction.Recipe = "resize=stretch:32x32;filter=bilinear;depth=float"
		}, `{"mean":[0],"std":[1],"resize":"stretch"}`},
		"crop, said": {func(m *Model) {
			m.Correction.Recipe = "resize=shorter:32;crop=center:32x32;depth=float"
		}, `{"mean":[0],"std":[1],"resize":"crop"}`},
		"mean, said": {
			func(m *Model) { m.Correction.Recipe = "mean=0.4,0.5,0.6;std=0.25" },
			`{"mean":[0.4,0.5,0.6],"std":[0.25],"resize":"stretch"}`,
		},
		"of its own": {
			func(m *Model) { m.Correction.Recipe = "keras-caffe" },
			`{"mean":[103.939,116.779,123.68],"std":[1],"resize":"","recipe":"resize=stretch:32x32;antialias=0;channels=bgr;scale=255"}`,
		},
		"crop and range": {
			func(m *Model) { m.Correction.Recipe, m.Correction.Resize = "scale=255", Crop },
			`{"mean":[0],"std":[1],"resize":"crop","recipe":"scale=255"}`,
		},
	} {
		m := Model{ID: "m", Graph: graph()}
		c.change(&m)
		s := testdata.Must(m.Settings())(t)
		testdata.Is(t, name, string(testdata.Must(json.Marshal(s.Preprocessing))(t)), c.want)
		testdata.Equal(t, name, testdata.Must(s.Preprocessing.Whole())(t).Mean, s.Preprocessing.Mean)
		testdata.Is(t, name, testdata.Must(recipe.Parse(s.Recipe.Text()))(t).Text(), s.Recipe.Text())
	}
}

// TestRecipeAuthorities walks down DESIGN.md section 5's order; each group of keys comes from the
// strongest place that says it.
func TestRecipeAuthorities(t *testing.T) {
	file, ok := ReadBeside("preprocessor_config.json",
		[]byte(`{"image_processor_type":"ViTImageProcessor","size":32,"image_mean":[0.1,0.1,0.1]}`))
	if !ok || file.Problem != "" {
		t.Fatalf("%+v", file)
	}
	names, ok := ReadBeside("config.json", []byte(`{"id2label":{"1":"b","0":"a"}}`))
	if !ok {
		t.Fatal("class names are not read")
	}
	m := Model{ID: "m", Graph: graph(), Beside: []Beside{file, names}}
	m.Correction = Correction{Recipe: "channels=bgr"}
	m.Record = []Field{{"mean", "120;120;120"}, {"std", "60"}}
	m.Graph.Metadata = map[string]string{"mean": "0.2", "std": "0.3", "class_names": "x,y"}
	for _, step := range []struct {
		text, from string
		names      string
		next       func()
	}{
		{
			"resize=stretch:32x32;channels=bgr;scale=255;mean=120,120,120;std=60",
			"correction (channels); models.csv (range); preprocessor_config.json (resize)", "ab",
			func() { m.Correction = Correction{} },
		},
		{
			"resize=stretch:32x32;scale=255;mean=120,120,120;std=60",
			"models.csv (range); preprocessor_config.json (resize, channels)", "ab", func() { m.Record = nil },
		},
		{
			"resize=stretch:32x32;mean=0.1,0.1,0.1;std=0.5,0.5,0.5", "preprocessor_config.json", "ab",
			func() { m.Beside = nil },
		},
		{
			"resize=stretch:32x32;depth=float;mean=0.2;std=0.3", "onnx metadata (range); default", "xy",
			func() { m.Graph.Metadata = nil },
		},
		{"resize=stretch:32x32;depth=float", "default", "", func() {}},
	} {
		s, err := m.Settings()
		if err != nil || s.Recipe.Text() != step.text || s.RecipeFrom() != step.from ||
			strings.Join(s.ClassNames, "") != step.names {
			t.Errorf("%s from %s, names %q, %v, want %s from %s", s.Recipe.Text(), s.RecipeFrom(), s.ClassNames, err,
				step.text, step.from)
		}
		step.next()
	}
}

func TestRecipesThatDoNotFit(t *testing.T) {
	problem, _ := ReadBeside("preprocessor_config.json", []byte(`{"image_processor_type":"NewImageProcessor"}`))
	for name, c := range map[string]struct {
		change func(*Model)
		want   string
	}{
		"size": {
			func(m *Model) { m.Correction.Recipe = "imagenet" },
			"gives 224 x 224 pixels, and the model takes 32 x 32; give --recipe with that size, such as " +
				"resize=shorter:36;crop=center:32x32;mean",
		},
		"unknown name": {func(m *Model) { m.Correction.Recipe = "imagnet" }, "is no name"},
		"channels":     {func(m *Model) { m.Correction.Recipe = "channels=gray" }, "the input has 3 channels"},
		"layout":       {func(m *Model) { m.Correction.Recipe = "layout=nhwc" }, "the input is nchw"},
		"type":         {func(m *Model) { m.Correction.Recipe = "type=uint8" }, "the input takes float32"},
		"file beside it": {
			func(m *Model) { m.Beside = []Beside{problem} },
			"preprocessor_config.json: the image processor New is not known",
		},
		"metadata": {
			func(m *Model) { m.Graph.Metadata = map[string]string{"Image.NominalPixelRange": "?"} },
			"onnx metadata: Image.NominalPixelRange",
		},
	} {
		m := Model{ID: "m7", Graph: graph()}
		c.change(&m)
		testdata.Refused(t, name, testdata.Err(m.Settings()), c.want, "m7")
	}
	m := Model{ID: "m", Graph: graph(), Beside: []Beside{problem}, Correction: Correction{Recipe: "raw-255"}}
	if _, err := m.Settings(); err != nil {
		t.Errorf("a recipe given by hand does not stand above a file that is not understood: %v", err)
	}
	for _, p := range []Preprocessing{
		{Resize: "x"},
		{Resize: Crop, Recipe: "resize=none"},
		{Recipe: "mean=1"},
		{Recipe: "scale=2;channels=bgr"},
		{Recipe: "x"},
	} {
		testdata.Refused(t, fmt.Sprintf("%+v is taken", p), testdata.Err(p.Whole()))
	}
}
