package intake

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

// TestFilesBesideAModel holds the rule of spec/recipe.md section 2: a folder's files count where it
// holds one model, those with the model's name in any case.
func TestFilesBesideAModel(t *testing.T) {
	const vit, names = `{"image_processor_type":"ViTImageProcessor","size":8,"image_mean":0.5,"image_std":0.5}`,
		`{"id2label":{"0":"a","1":"b"}}`
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"alone": {
			map[string]string{"m.onnx": "model", "preprocessor_config.json": vit, "config.json": names},
			"preprocessor_config.json config.json",
		},
		"of several": {map[string]string{
			"m.onnx": "model", "n.onnx": "model n", "preprocessor_config.json": vit,
			"config.json": names,
		}, ""},
		"by its name": {map[string]string{
			"m.onnx": "model", "n.onnx": "model n", "m.preprocessor_config.json": vit,
			"m.json": names, "n.json": names,
		}, "m.preprocessor_config.json m.json"},
		"of others": {map[string]string{"m.onnx": "model", "config.json": `{"a":[1]}`, "m.json": `{}`}, ""},
	} {
		folder := files(t, c.files)
		var got []string
		for _, b := range beside(folder + "/m.onnx") {
			got = append(got, b.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestRecipesAtImport(t *testing.T) {
	folder := files(t, map[string]string{
		"m.onnx":                   "model",
		"preprocessor_config.json": `{"image_processor_type":"NewImageProcessor"}`,
	})
	w := sums.Empty(t)
	take := func(o CorrectionOptions) Report {
		var p testdata.Progress
		r, err := Models(t.Context(), w, nil, read, []string{folder + "/m.onnx"},
			ModelOptions{CorrectionOptions: o}, &p)
		must(t, err)
		return r
	}
	if r := take(CorrectionOptions{}); len(r.Failed) != 1 ||
		!strings.Contains(r.Failed[0].Error(), "New is not known") {
		t.Fatalf("%+v", r)
	}
	for _, wrong := range []CorrectionOptions{
		{Recipe: "x"},
		{Mean: "1"},
		{Recipe: "raw-255", Batch: -1},
		{Recipe: "raw-255", Position: []string{"CONV-2=zz"}},
		{Recipe: "raw-255", Output: "zz"},
	} {
		if r := take(wrong); len(r.Failed) != 1 {
			t.Errorf("%+v is taken", wrong)
		}
	}
	if r := take(CorrectionOptions{Recipe: "raw-255", Batch: 4, Position: []string{"CONV-2=c"}}); len(r.Added) != 1 {
		t.Fatalf("%+v", r)
	}
	if r := take(CorrectionOptions{}); len(r.Merged) != 1 {
		t.Fatalf("what was corrected is gone: %+v", r)
	}
	take(CorrectionOptions{Mean: "0.5", Std: "2"})
	list, err := w.Models()
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	s, err := list[0].Settings()
	want := "resize=stretch:8x8;scale=255;mean=0.5;std=2"
	if err != nil || s.Recipe.Text() != want || list[0].Correction.Batch != 4 ||
		list[0].Correction.Positions["CONV-2"] != "c" {
		t.Errorf("%s, %+v, %v", s.Recipe.Text(), list[0].Correction, err)
	}
	outcomes, err := Report{Added: []string{list[0].ID}}.Outcomes(w)
	must(t, err)
	o := outcomes[0]
	if o.Recipe != want || o.RecipeFrom != string(model.ByUser) || !slices.Contains(o.Details, "input 1×8×8") ||
		!slices.Contains(o.Details, "positions CONF, CONV-1, CONV-2") {
		t.Errorf("%+v", o)
	}
}
