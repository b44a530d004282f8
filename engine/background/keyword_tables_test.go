package background

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/internal/testdata"
)

func TestKeywordTablesAreDeclaredWell(t *testing.T) {
	err := cmp.Or(KeywordTable.Check(), ImageTable.Check(), WordTable.Check(), SummaryTable.Check(),
		LevelTable.Check(), MinedTable.Check(), WithoutKeywords.Check(),
		LevelFigure("", "", []LevelCount{{Level: 0, Min: 1, Max: 4, Mean: 2}}).Check(),
		option.Verify(&KeywordOptions{}), option.Verify(&OntologyOptions{}), option.Verify(&RuleChoice{}))
	if err != nil {
		t.Error(err)
	}
}

func TestKeywordsAreNamedForPeople(t *testing.T) {
	items := []string{"seg_sky", "seg_swimming_pool", "scene_living_room", "other"}
	got := NameKeywords(items, []Keyword{
		{Item: 0, Score: 1, From: -1},
		{Item: 2, Score: 1, From: -1},
		{Item: 1, Level: 1, Score: 0.5, From: 0},
		{Item: 3, Level: 2, Score: 0.25, From: 1},
	})
	var lines []string
	for _, k := range got {
		lines = append(lines, k.Name+": "+k.Why)
	}
	want := []string{
		"sky: in the image", "living room: the kind of scene", "swimming pool: level 1, through sky, score 0.500",
		"other: level 2, through swimming pool, score 0.250",
	}
	testdata.Equal(t, "lines", lines, want)
	if got := KeywordNames([]string{"seg_living_room", "scene_living room", "seg_sky"}).People; !slices.Equal(got,
		[]string{"seg_living_room", "scene_living room", "sky"}) {
		t.Errorf("names that would be alike: %q", got)
	}
	for text, want := range map[string]int{
		" SKY": 0, "seg_swimming_pool": 1, "swimming pool": 1, "living_room": 2,
		"dune": -1, "": -1,
	} {
		testdata.Is(t, text, FindKeyword(items, text), want)
	}
}

func TestEditsAreRead(t *testing.T) {
	items := []string{"seg_sea", "seg_sand", "seg_boat", "scene_lamp_shop"}
	for _, c := range []struct {
		from, to, weight, note string
		want                   itemset.Edit
		wrong                  string
	}{
		{"sea", "sand", "0.9", " seen ", itemset.Edit{From: "seg_sea", To: "seg_sand", Weight: 0.9, Note: "seen"}, ""},
		{" SEA", "lamp shop", "0,5", "", itemset.Edit{From: "seg_sea", To: "scene_lamp_shop", Weight: 0.5}, ""},
		{"seg_boat", "sea", "0", "", itemset.Edit{From: "seg_boat", To: "seg_sea"}, ""},
		{"", "sea", "1", "", itemset.Edit{}, "choose the keywords"},
		{"dune", "sea", "1", "", itemset.Edit{}, `"dune"`},
		{"sea", "dune", "1", "", itemset.Edit{}, `"dune"`},
		{"sea", "sea", "1", "", itemset.Edit{}, "another keyword"},
		{"sea", "sand", "-0.1", "", itemset.Edit{}, "from 0 to 1"},
		{"sea", "sand", "NaN", "", itemset.Edit{}, "a number"},
		{"sea", "sand", "", "", itemset.Edit{}, "a number"},
	} {
		got, err := ReadEdit(items, c.from, c.to, c.weight, c.note)
		if c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)) || c.wrong == "" &&
			(err != nil || got != c.want) {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
	o := OntologyOptions{Edit: []string{"sand > sea = 0.9", "sea>boat=0"}, Note: "by hand"}
	list, err := o.Edits(items)
	if want := (itemset.Edit{From: "seg_sand", To: "seg_sea", Weight: 0.9, Note: "by hand"}); err != nil ||
		len(list) != 2 || list[0] != want {
		t.Errorf("%+v, %v", list, err)
	}
	for _, text := range []string{"sand>sea", "sand=1", "sand>sea=2", "sand>sand=1"} {
		o.Edit = []string{text}
		if _, err := o.Edits(items); !errors.As(err, new(*option.Error)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	o.Edit = []string{"dune>sea=1"}
	if _, err := o.Edits(items); err == nil || !strings.Contains(err.Error(),
		`no keyword is called "dune"; there are boat, lamp shop, sand, sea`) {
		t.Error(err)
	}
}

// TestRuleChoice: a rule and what a form asks for are the same, and words that need not be said are
// left out.
func TestRuleChoice(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want RuleChoice
	}{
		{PaperRule(), RuleChoice{Rule: "paper", Share: 1, Scenes: 1}},
		{RefcodeRule().Without("lamp"), RuleChoice{Rule: "refcode", Share: 1, Scenes: 1, Exclude: []string{"lamp"}}},
		{Rule{Share: 0.07, Scenes: 3}, RuleChoice{Rule: "own", Share: 7, Scenes: 3}},
	} {
		got := RuleChoiceOf(c.rule, nil)
		if !reflect.DeepEqual(got, c.want) || !got.Asked().Equal(c.rule) {
			t.Errorf("%+v asks for %+v, which is %+v", c.rule, got, got.Asked())
		}
	}
	if got := RuleChoiceOf(PaperRule().Without("dog", "lamp"), []string{"dog"}); !slices.Equal(got.Exclude,
		[]string{"lamp"}) {
		t.Errorf("%+v", got)
	}
}
