package background

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
)

// KeywordName is an item for people: without the prefix that says which network it comes from,
// with blanks in place of underscores.
func KeywordName(item string) string {
	for _, prefix := range []string{ElementPrefix, ScenePrefix} {
		if name, ok := strings.CutPrefix(item, prefix); ok {
			item = name
			break
		}
	}
	return strings.ReplaceAll(item, "_", " ")
}

// KeywordNames are the names of items for people. Items that would be called the same keep the
// names that they have in tables.
func KeywordNames(items []string) *itemset.Names {
	names, times := make([]string, len(items)), map[string]int{}
	for k, item := range items {
		names[k] = KeywordName(item)
		times[names[k]]++
	}
	for k, item := range items {
		if times[names[k]] > 1 {
			names[k] = item
		}
	}
	return &itemset.Names{Files: items, People: names}
}

// FindKeyword is the number of the item that a text names, as in tables or for people, in capitals
// or not; -1 for none.
func FindKeyword(items []string, text string) int {
	if at := slices.Index(items, strings.TrimSpace(text)); at >= 0 {
		return at
	}
	return slices.IndexFunc(items, func(item string) bool {
		return sameWord(item, text) || sameWord(KeywordName(item), text)
	})
}

// LevelName says what a level of keywords is.
func LevelName(level int) string {
	if level == 0 {
		return "in the image"
	}
	return fmt.Sprintf("level %d", level)
}

// NamedKeyword is a keyword of an expansion with its name for people, and why it is there.
type NamedKeyword struct {
	Keyword
	Name, Why string
}

// NameKeywords are the keywords of an image in their order; items are the names of all items.
func NameKeywords(items []string, list []Keyword) []NamedKeyword {
	named := make([]NamedKeyword, len(list))
	for k, keyword := range list {
		item := items[keyword.Item]
		why := LevelName(keyword.Level)
		switch {
		case keyword.Level > 0:
			why = fmt.Sprintf("%s, through %s, score %s", why, KeywordName(items[keyword.From]),
				result.Number.Say(keyword.Score, 0))
		case strings.HasPrefix(item, ScenePrefix):
			why = "the kind of scene"
		}
		named[k] = NamedKeyword{keyword, KeywordName(item), why}
	}
	return named
}

// CountedKeyword is a keyword with the images that have it, of so many in all.
type CountedKeyword struct {
	Item string
	ItemCount
	Of int
}

// Counted are all keywords of a table with the images that have them, in their order.
func (k Keywords) Counted(t Table) []CountedKeyword {
	counts := k.Count(t)
	list := make([]CountedKeyword, len(k.Items))
	for item, n := range counts.Items {
		list[item] = CountedKeyword{k.Items[item], n, len(t.Rows)}
	}
	return list
}

// KeywordTable is the table of keywords.
var KeywordTable = result.Table[CountedKeyword]{
	Name: "keywords", Title: "Keywords", Noun: "keyword", ID: func(k CountedKeyword) string { return k.Item },
	Columns: []result.Column[CountedKeyword]{
		result.Texts("keyword", "keyword", "a word of the images; scene: a kind of scene",
			func(k CountedKeyword) string { return k.Item }).Told(func(k CountedKeyword) string {
			if strings.HasPrefix(k.Item, ScenePrefix) {
				return KeywordName(k.Item) + " (scene)"
			}
			return KeywordName(k.Item)
		}),
		result.Counts("images", "images", "images in which the keyword is present",
			func(k CountedKeyword) int { return k.Images }),
		result.Numbers("share", "share", "share of all images in which the keyword is present", result.Share,
			func(k CountedKeyword) float64 { return float64(k.Images) / float64(max(1, k.Of)) }),
		result.Counts("targets", "targets", "targets in which the keyword is present",
			func(k CountedKeyword) int { return k.Targets }),
		result.Counts("backgrounds", "scenes", "backgrounds in which the keyword is present",
			func(k CountedKeyword) int { return k.Backgrounds }),
	},
}

// ImageKeywords is an image with its keywords.
type ImageKeywords struct {
	Row
	Items []string
}

// OfImages are the images of a table with their keywords, in its order.
func (k Keywords) OfImages(t Table) []ImageKeywords {
	list := make([]ImageKeywords, len(t.Rows))
	for i, row := range t.Rows {
		list[i].Row = row
		for _, item := range k.Present[i] {
			list[i].Items = append(list[i].Items, k.Items[item])
		}
	}
	return list
}

// ImageTable is the table of images with their keywords.
var ImageTable = result.Table[ImageKeywords]{
	Name: "images", Title: "Keywords per image", Noun: "image", ID: func(i ImageKeywords) string { return i.File },
	Columns: []result.Column[ImageKeywords]{
		result.Texts("file", "image", "path of the image", func(i ImageKeywords) string { return i.File }),
		result.Texts("kind", "kind", "target or background", func(i ImageKeywords) string { return i.Kind }),
		result.Texts("label", "label", "class of a target", func(i ImageKeywords) string { return i.Label }),
		result.Counts("count", "number", "of keywords",
			func(i ImageKeywords) int { return len(i.Items) }).In(result.FileOnly),
		result.Texts("keywords", "keywords", "that are present in the image", func(i ImageKeywords) string {
			return strings.Join(i.Items, "+")
		}).Told(func(i ImageKeywords) string {
			names := make([]string, len(i.Items))
			for k, item := range i.Items {
				names[k] = KeywordName(item)
			}
			return strings.Join(names, ", ")
		}),
	},
}

// Word is an entry of the vectors of a table.
type Word struct {
	Name, Part string // element or scene
	Item       string // the keyword that it is, empty where the rule excludes it
}

// Words are the entries of the vectors of a table under a rule, in column order.
func (t Table) Words(r Rule) []Word {
	l := t.listing(r)
	var list []Word
	add := func(part string, names []string, items []int) {
		for k, name := range names {
			w := Word{Name: name, Part: part}
			if items[k] != struck {
				w.Item = l.names[items[k]]
			}
			list = append(list, w)
		}
	}
	add("element", t.Elements, l.elements)
	add("scene", t.Scenes, l.scenes)
	return list
}

// WordTable is the table of the entries of the vectors.
var WordTable = result.Table[Word]{
	Name: "words", Title: "Words", Noun: "word", ID: func(w Word) string { return w.Part + " " + w.Name },
	Columns: []result.Column[Word]{
		result.Texts("word", "word", "as in the heading of the table", func(w Word) string { return w.Name }),
		result.Texts("part", "part", "element or scene", func(w Word) string { return w.Part }),
		result.Texts("keyword", "keyword", "that it is; none where it is excluded",
			func(w Word) string { return w.Item }),
	},
}

// Summary says what a table of keyword vectors holds under a rule.
type Summary struct {
	// Name, Hash, Made ("file", or the networks that made it) and Masks (their hash) are known of a
	// table in a workspace.
	Name, Hash, Made, Masks string
	Table                   Table
	Rule                    Rule
	Counts                  KeywordCounts
}

// SummaryTable is the table of what a table of keyword vectors holds: one row.
var SummaryTable = result.Table[Summary]{
	Name: "table", Title: "Table of keywords", Noun: "table", ID: func(s Summary) string { return s.Hash },
	Columns: slices.Concat(
		[]result.Column[Summary]{
			result.Texts("table", "table", "name of the table", func(s Summary) string { return s.Name }),
			result.Texts("table_hash", "hash", "content hash of the table", func(s Summary) string { return s.Hash }),
			result.Texts("made", "made of", "a file, or the networks", func(s Summary) string { return s.Made }),
			result.Texts("masks_hash", "masks", "hash of the masks that were imported",
				func(s Summary) string { return s.Masks }),
			result.Counts("images", "images", "in the table", func(s Summary) int { return len(s.Table.Rows) }),
			result.Counts("targets", "targets", "in the table",
				func(s Summary) int { return len(s.Table.Of(TargetKind)) }),
			result.Counts("backgrounds", "backgrounds", "in the table",
				func(s Summary) int { return len(s.Table.Of(BackgroundKind)) }),
			result.Counts("elements", "elements", "entries of the vectors that are shares of pixels",
				func(s Summary) int { return len(s.Table.Elements) }),
			result.Counts("scenes", "scenes", "entries of the vectors that are scores of scenes",
				func(s Summary) int { return len(s.Table.Scenes) }),
			result.Counts("keywords_min", "fewest keywords", "of an image",
				func(s Summary) int { return s.Counts.Min }),
			result.Numbers("keywords_mean", "mean", "number of keywords of an image", result.Number,
				func(s Summary) float64 { return s.Counts.Mean }),
			result.Counts("keywords_max", "most keywords", "of an image", func(s Summary) int { return s.Counts.Max }),
			result.Counts("without_keywords", "without keywords", "images that have none",
				func(s Summary) int { return len(s.Counts.Without) }),
		},
		result.Lift(RuleColumns, func(s Summary) Rule { return s.Rule })),
}

// RuleColumns say which keywords images have.
var RuleColumns = []result.Column[Rule]{
	result.Numbers("rule_share", "share of pixels", "of the pixels that a word needs to exceed", result.Share,
		func(r Rule) float64 { return r.Share }),
	result.Counts("rule_scenes", "scene words", "best scene words of an image that count",
		func(r Rule) int { return r.Scenes }),
	result.Texts("rule_excluded", "excluded", "words that are never keywords",
		func(r Rule) string { return strings.Join(r.Excluded, ", ") }),
}

// String says what the table holds: "18 targets and 30 backgrounds; 34 keywords, 3 to 9 per image,
// 6.04 on average", and which images have no keyword.
func (s Summary) String() string {
	used := 0
	for _, n := range s.Counts.Items {
		if n.Images > 0 {
			used++
		}
	}
	text := fmt.Sprintf("%s and %s; %s, %d to %d per image, on average %s",
		result.Counted(len(s.Table.Of(TargetKind)), "target"), result.Counted(len(s.Table.Of(BackgroundKind)),
			"background"),
		result.Counted(used, "keyword"), s.Counts.Min, s.Counts.Max, result.Number.Say(s.Counts.Mean, 2))
	if n := len(s.Counts.Without); n > 0 {
		var names []string
		for _, row := range s.Counts.Without {
			names = append(names, s.Table.Rows[row].File)
		}
		text = fmt.Sprintf("%s; %s without any keyword: %s", text, result.Counted(n, "image"), result.Some(names))
	}
	return text
}

// LevelTable is the table of how many keywords images have after each level of their expansion.
var LevelTable = result.Table[LevelCount]{
	Name: "levels", Title: "Keywords by level", Noun: "level",
	ID: func(l LevelCount) string { return strconv.Itoa(l.Level) },
	Columns: []result.Column[LevelCount]{
		result.Counts("level", "level", "of the expansion; 0 for the keywords of the images themselves",
			func(l LevelCount) int { return l.Level }),
		result.Counts("min", "fewest keywords", "of an image", func(l LevelCount) int { return l.Min }),
		{
			Key: "mean", Title: "mean", Help: "number of keywords of an image", Format: result.Number, Decimals: 1,
			Value: func(l LevelCount) float64 { return l.Mean },
		},
		result.Counts("max", "most", "keywords of an image", func(l LevelCount) int { return l.Max }),
	},
}

// LevelFigure draws how many keywords images have after each level of their expansion: the
// largest, mean and smallest number (spec/background.md section 4; the paper's Fig. 9).
func LevelFigure(title, note string, counts []LevelCount) result.Figure {
	f := result.Figure{
		Title: title, Note: note, Empty: "no ontology of this table yet",
		X: result.Axis{Name: "level of the expansion", Format: result.Count},
		Y: result.Axis{Name: "keywords per image", Format: result.Number},
	}
	largest, mean, smallest := result.Line{Name: "largest"}, result.Line{Name: "mean"}, result.Line{Name: "smallest"}
	for _, c := range counts {
		f.X.Ticks = append(f.X.Ticks, float64(c.Level))
		largest.Y, mean.Y, smallest.Y = append(largest.Y, float64(c.Max)), append(mean.Y, c.Mean), append(smallest.Y,
			float64(c.Min))
		f.Y.High = max(f.Y.High, 1.05*float64(c.Max))
	}
	if len(counts) > 0 {
		largest.X, mean.X, smallest.X = f.X.Ticks, f.X.Ticks, f.X.Ticks
		f.Lines = []result.Line{largest, mean, smallest}
	}
	return f
}
