package present

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
)

func TestKeywordChips(t *testing.T) {
	items := []string{"seg_sky", "seg_swimming_pool", "scene_living_room", "other"}
	got := KeywordChips(items, []background.Keyword{
		{Item: 0, Score: 1, From: -1}, {Item: 2, Score: 1, From: -1}, {Item: 1, Level: 1, Score: 0.5, From: 0}, {Item: 3, Level: 2, Score: 0.25, From: 1},
	})
	want := []KeywordChip{
		{Item: 0, Text: "sky", Hint: "in the image"},
		{Item: 2, Text: "living room", Hint: "the kind of scene"},
		{Item: 1, Text: "swimming pool", Level: 1, Hint: "level 1, through sky, score " + result.Significant(0.5, 3)},
		{Item: 3, Text: "other", Level: 2, Hint: "level 2, through swimming pool, score " + result.Significant(0.25, 3)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := KeywordChips(nil, nil); len(got) != 0 {
		t.Errorf("an image without keywords has %v", got)
	}
	if got := KeywordChips(items, []background.Keyword{{Item: 9, Level: 1, From: -1}}); len(got) != 1 || got[0].Text != "" {
		t.Errorf("an item that is not there is %v", got)
	}
	if LevelName(0) != "in the image" || LevelName(3) != "level 3" {
		t.Errorf("levels are %q and %q", LevelName(0), LevelName(3))
	}
}
