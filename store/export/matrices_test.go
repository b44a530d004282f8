package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
)

func testView() View {
	item := func(id string) Item {
		return Item{Model: model.Model{ID: id, Hash: sums.Hash(id)}, Known: true, Matrices: map[string]variance.Matrix{
			"max@CONF": {N: 3, Data: []float64{0, 1, 2, 1, 0, 3, 2, 3, 0}},
		}}
	}
	v := View{
		Suite: sums.Hash("pets"), SuiteName: "pets", Family: "rotation:-15:15:15", Filter: "all",
		Modalities: []string{"max@CONF", "L2@a/b:c"},
		Axis:       Axis{Name: "rotation", Unit: "°", Family: "rotation:-15:15:15", Values: []float64{-15, 0, 15}},
		Ranges:     ColourMap{"max@CONF": label.Range{High: 0.3}}, Items: []Item{item("s1"), item("a/b")},
	}
	v.Items[1].Absent = map[string]string{"L2@a/b:c": "no tensor"}
	return v
}

func TestFileNames(t *testing.T) {
	var items []Item
	for _, id := range []string{"s1", "S1", "a/b", "..", "c:d", "e f"} {
		items = append(items, Item{Model: model.Model{ID: id, Hash: sums.Hash(id)}})
	}
	names := fileNames(items)
	for id, want := range map[string]string{
		"s1": "s1", "S1": "S1-" + sums.Hash("S1")[:8], "a/b": "a%2Fb", "..": "%2E%2E", "c:d": "c%3Ad", "e f": "e%20f",
	} {
		testdata.Is(t, fmt.Sprintf("%q becomes", id), names[sums.Hash(id)], want)
	}
}

func TestLabelStudioJSON(t *testing.T) {
	v := testView()
	r := label.Round{
		ID: roundID, Name: "first", Kind: label.VarianceRound, Suite: v.Suite, Family: v.Family, Filter: "all",
		Classes: 3, Modalities: v.Modalities, Annotators: []string{"r1", "r2"},
		Models: []string{sums.Hash("s1"), sums.Hash("gone")},
	}
	first := sample(1, "r1", "s1", label.Variant).Event
	first.Note, first.Sure = "a \"cross\"", false
	set := Set{
		Rounds: []label.Round{r},
		Events: map[string][]label.Event{roundID: {first, sample(2, "r2", "s1", label.Invariant).Event}},
		IDs:    map[string]string{sums.Hash("s1"): "s1"}, Views: []View{v},
	}
	var out bytes.Buffer
	testdata.OK(t, LabelStudioJSON(&out, set))
	var tasks []studioTask
	if err := json.Unmarshal(out.Bytes(), &tasks); err != nil || len(tasks) != 2 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	if tasks[0].Data.ModelID != "s1" || tasks[1].Data.ModelID != sums.Hash("gone")[:12] ||
		len(tasks[0].Annotations) != 2 || len(tasks[1].Annotations) != 0 {
		t.Errorf("%+v", tasks)
	}
	var got []string
	config := StudioConfig(3)
	for _, a := range tasks[0].Annotations {
		for _, result := range a.Result {
			got = append(got, result.FromName+"="+
				strings.Join(result.Value[map[string]string{"choices": "choices", "textarea": "text"}[result.Type]],
					""))
			if !strings.Contains(config, `name="`+result.FromName+`" toName="`+result.ToName+`"`) {
				t.Errorf("the interface has no %s on %s:\n%s", result.FromName, result.ToName, config)
			}
		}
	}
	want := []string{
		"label=variant", "sure=unsure", "annotator=r1", `note=a "cross"`, "label=invariant",
		"annotator=r2",
	}
	testdata.Equal(t, "results", got, want)
	data, ok := strings.CutPrefix(tasks[0].Data.Image, "data:image/png;base64,")
	raw, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil {
		t.Fatalf("image %.40q, %v", tasks[0].Data.Image, err)
	}
	if img, err := png.Decode(bytes.NewReader(raw)); err != nil || img.Bounds().Dx() != 2*studioTile+studioGap ||
		img.Bounds().Dy() != studioTile {
		t.Errorf("the picture does not show two matrices: %v", err)
	}
}

// XML knows no escapes of Go, and quotation marks are its own.
func TestAttribute(t *testing.T) {
	if got, want := attribute("a\u0301 \"<b>\" \u200b&"), "\"a\u0301 &#34;&lt;b&gt;&#34; \u200b&amp;\""; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A letter of most of the world's scripts is escaped as nine bytes, and a folder's name may have
// 255.
func TestLongNamesOfFolders(t *testing.T) {
	items := []Item{
		{Model: model.Model{ID: strings.Repeat("模", 80), Hash: sums.Hash("a")}},
		{Model: model.Model{ID: strings.Repeat("模", 80) + "x", Hash: sums.Hash("b")}},
		{Model: model.Model{ID: strings.Repeat("y", 120), Hash: sums.Hash("c")}},
		{Model: model.Model{ID: strings.Repeat("y", 119) + "é", Hash: sums.Hash("d")}},
	}
	names := fileNames(items)
	seen := map[string]bool{}
	for _, it := range items {
		name := names[it.Hash]
		if _, err := url.PathUnescape(name); err != nil || len(name) > 200 || seen[name] {
			t.Errorf("%s: %v", name, err)
		}
		seen[name] = true
	}
	if got := names[sums.Hash("c")]; got != strings.Repeat("y", 120) {
		t.Errorf("a name that fits became %s", got)
	}
}
