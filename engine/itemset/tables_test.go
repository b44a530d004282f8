package itemset

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/testdata"
)

// fewImages are five images: sand and sea go together, a boat is on the sea once, a lamp stands
// alone.
func fewImages(t *testing.T) (Ontology, *Names, [][]int) {
	t.Helper()
	names := &Names{
		Files:  []string{"seg_sea", "seg_sand", "seg_boat", "scene_lamp_shop"},
		People: []string{"sea", "sand", "boat", "lamp shop"},
	}
	images := [][]int{{0, 1}, {0, 1}, {0, 1, 2}, {0}, {3}}
	o := testdata.Must(New(names.Files, images, 0.4, 0.5))(t)
	o = testdata.Must(o.With(Edit{From: "seg_sand", To: "seg_sea", Weight: 0.25},
		Edit{From: "seg_boat", To: "seg_sea", Weight: 1}))(t)
	return o, names, images
}

func TestTablesHaveNamesForFilesAndPeople(t *testing.T) {
	o, names, images := fewImages(t)
	sets, rules, err := Associations(t.Context(), images, len(names.Files), 0.2, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	var files strings.Builder
	testdata.OK(t, errors.Join(
		SetTable.Check(), RuleTable.Check(), EdgeTable.Check(), EditTable.Check(), NodeTable.Check(),
		SetTable.Sheet(NameSets(sets, len(images), names)).CSV(&files, false),
		RuleTable.Sheet(NameRules(rules, names)).CSV(&files, false),
		EdgeTable.Sheet(o.NameEdges(*names)).CSV(&files, false),
		EditTable.Sheet(NameEdits(o.Edits, func(string) string { return "" })).CSV(&files, false),
		NodeTable.Sheet(o.NameNodes(*names)).CSV(&files, false),
	))
	for _, want := range []string{
		"size,items,count,support\n", "3,seg_sea+seg_sand+seg_boat,1,0.2\n",
		"antecedent,consequent,count,support,confidence,lift,length\n", "seg_sea,seg_sand,3,0.6,0.75,1.25,2\n",
		"seg_sea,seg_sand,0.75,3,1.25,false", "seg_boat,seg_sea,1,,1.25,true", "2,seg_boat,seg_sea,1,1,",
		"seg_sand,3,0.6,1,1\n",
	} {
		if !strings.Contains(files.String(), want) {
			t.Errorf("no %q in\n%s", want, files.String())
		}
	}
	sheet := RuleTable.Sheet(NameRules(rules, names))
	first := sheet.Arrange(result.Filter{}, sheet.First)[0]
	if got := sheet.Fields[0].Say(first) + " > " + sheet.Fields[1].Say(first); !strings.Contains(got, "boat") {
		t.Errorf("the largest lift has %s", got)
	}
}

func TestLinesSayWhatThingsMean(t *testing.T) {
	o, names, images := fewImages(t)
	edges, nodes := o.NameEdges(*names), o.NameNodes(*names)
	_, rules, err := Associations(t.Context(), images, len(names.Files), 0.2, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	rule := slices.IndexFunc(rules, func(r Rule) bool {
		return slices.Equal(r.Antecedent, []int{1}) && slices.Equal(r.Consequent, []int{0})
	})
	edits := NameEdits(append(o.Edits, Edit{From: "seg_sea", To: "seg_sand"}),
		func(item string) string { return strings.TrimPrefix(item, "seg_") })
	for _, c := range []struct{ got, want string }{
		{nodes[0].String(), "sea: in 4 of 5 images (80.0 %); leads to 1 keyword, reached from 2 keywords"},
		{edges[0].String(), "from sea to sand: confidence 0.750, in 3 of 5 images, lift 1.25"},
		{edges[1].String(), "from sand to sea: 0.250, set by hand; the images say 1.000"},
		{edges[2].String(), "from boat to sea: 1.000, set by hand"},
		{edits[0].String(), "edge from sea to sand: removed"},
		{edits[2].String(), "edge from sand to sea: 0.25"},
		{
			NameRules(rules, names)[rule].String(),
			"of 3 images with sand 3 (100.0 %) have sea, too: 1.25 times as many as on average",
		},
	} {
		testdata.Is(t, "text", c.got, c.want)
	}
}
