package present

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
)

// KeywordName is an item for people: without the prefix that says which network it comes from,
// with blanks in place of underscores.
func KeywordName(item string) string {
	for _, prefix := range []string{background.ElementPrefix, background.ScenePrefix} {
		if name, ok := strings.CutPrefix(item, prefix); ok {
			item = name
			break
		}
	}
	return strings.ReplaceAll(item, "_", " ")
}

// IsSceneKeyword tells an item that only the scene network knows.
func IsSceneKeyword(item string) bool { return strings.HasPrefix(item, background.ScenePrefix) }

// KeywordChip is one keyword of an image as it is shown: Level colours it, Hint says why it is
// there.
type KeywordChip struct {
	Item  int
	Text  string
	Level int
	Hint  string
}

// KeywordChips are the keywords of an image in their order; items are the names of all items.
func KeywordChips(items []string, v []background.Keyword) []KeywordChip {
	chips := make([]KeywordChip, len(v))
	for k, keyword := range v {
		chips[k] = KeywordChip{
			Item: keyword.Item, Text: keywordText(items, keyword.Item), Level: keyword.Level, Hint: keywordHint(items, keyword),
		}
	}
	return chips
}

func keywordText(items []string, item int) string {
	if item < 0 || item >= len(items) {
		return ""
	}
	return KeywordName(items[item])
}

func keywordHint(items []string, k background.Keyword) string {
	if k.Level == 0 {
		if item := k.Item; item >= 0 && item < len(items) && IsSceneKeyword(items[item]) {
			return "the kind of scene"
		}
		return "in the image"
	}
	return fmt.Sprintf("level %d, through %s, score %s", k.Level, keywordText(items, k.From), result.Significant(k.Score, 3))
}

// LevelName says what a level of keywords is.
func LevelName(level int) string {
	if level == 0 {
		return "in the image"
	}
	return fmt.Sprintf("level %d", level)
}
