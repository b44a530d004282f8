package background

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Named is a selection with its name and hash.
type Named struct {
	Name, Hash string
	Selection
}

// Selections is the table of selections and what their scenes were chosen by.
var Selections = result.Table[Named]{
	Name: "selections", Title: "Selections of scenes", Noun: "selection", ID: func(n Named) string { return n.Hash },
	Columns: []result.Column[Named]{
		result.Texts("selection", "selection", "name of the selection", func(n Named) string { return n.Name }),
		hashed("hash", "hash", "SHA-256 of what composites depend on", func(n Named) string { return n.Hash }),
		result.Texts("method", "chosen by", "how scenes are chosen",
			func(n Named) string { return string(n.Choice.Method) }),
		result.Counts("n", "n", "scenes per target", Named.N),
		result.Texts("seed", "seed", "of the choice",
			func(n Named) string { return strconv.FormatUint(n.Choice.Seed, 10) }),
		result.Bools("jitter", "jitter", "scenes are drawn among the nearest",
			func(n Named) bool { return n.Choice.Jitter }),
		hashed("targets", "targets", "content hash of the suite of targets", func(n Named) string { return n.Targets }),
		hashed("backgrounds", "backgrounds", "content hash of the suite of backgrounds",
			func(n Named) string { return n.Backgrounds }),
		hashed("masks", "masks", "content hash of the masks", func(n Named) string { return n.Masks }),
		hashed("table", "keyword table", "hash of the keyword table", func(n Named) string { return n.Table }),
		hashed("ontology", "ontology", "hash of the ontology", func(n Named) string { return n.Ontology }),
		result.Counts("edits", "edits", "changes of the ontology by hand", func(n Named) int { return n.Edits }),
		result.Numbers("rule_share", "share of pixels", "that a segmentation word needs to exceed", result.Share,
			func(n Named) float64 { return n.Rule.Share }),
		result.Counts("rule_scenes", "scene words", "best scene words that count",
			func(n Named) int { return n.Rule.Scenes }),
		result.Texts("rule_excluded", "excluded", "words that are never keywords",
			func(n Named) string { return strings.Join(n.Rule.Excluded, ", ") }),
		result.Counts("min_keywords", "keywords", "at which expansion stops; 0 for no bound",
			func(n Named) int { return n.Expansion.MinKeywords }),
		result.Counts("max_levels", "levels", "at which expansion stops; 0 for all",
			func(n Named) int { return n.Expansion.MaxLevels }),
		feather(),
		result.Texts("align", "foreground", "where it lies", func(n Named) string { return string(n.Align) }),
		result.Texts("vetoed", "vetoed", "numbers of backgrounds that were ruled out by hand", func(n Named) string {
			return strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Vetoed), " ", ", "), "[]")
		}),
		result.Numbers("d", "D", "largest semantic distance of a scene", result.Number,
			func(n Named) float64 { return n.Far() }),
	},
}

func feather() result.Column[Named] {
	c := result.Numbers("feather", "feather", "over which the foreground's edge is blended", result.Number,
		func(n Named) float64 { return n.Feather })
	c.Unit = "pixels"
	return c
}

func hashed[R any](key, title, help string, text func(R) string) result.Column[R] {
	c := result.Texts(key, title, help, text)
	c.Format = result.ID
	return c
}

// TargetScenes is one target of a selection, with its scenes in short.
type TargetScenes struct {
	Target           int // number in the suite
	Name, Class      string
	Mean             float64 // mean semantic distance of its scenes
	Approved, Vetoed int     // of its scenes
	Keywords         []string
}

// TargetTable is the table of the targets of a selection, in the order of their suite.
var TargetTable = result.Table[TargetScenes]{
	Name: "targets", Title: "Targets", Noun: "target",
	ID: func(t TargetScenes) string { return strconv.Itoa(t.Target) },
	Columns: []result.Column[TargetScenes]{
		result.Texts("target", "target", "name of the image without folders",
			func(t TargetScenes) string { return t.Name }),
		result.Texts("class", "class", "of the target", func(t TargetScenes) string { return t.Class }),
		result.Numbers("distance", "d", "mean semantic distance of the target's scenes", result.Number,
			func(t TargetScenes) float64 { return t.Mean }),
		result.Texts("verdicts", "✓✗", "how many of its scenes were approved and vetoed", TargetScenes.verdicts),
		result.Texts("keywords", "keywords", "the target's own keywords",
			func(t TargetScenes) string { return strings.Join(t.Keywords, ", ") }),
		result.Counts("keyword_count", "number of keywords", "of the target's own",
			func(t TargetScenes) int { return len(t.Keywords) }).
			In(result.Offered),
		result.Counts("approved", "approved", "of its scenes",
			func(t TargetScenes) int { return t.Approved }).In(result.Offered),
		result.Counts("vetoed", "vetoed", "of its scenes",
			func(t TargetScenes) int { return t.Vetoed }).In(result.Offered),
	},
}

// verdicts are how many scenes were approved and vetoed: "✓2 ✗1".
func (t TargetScenes) verdicts() string {
	var parts []string
	if t.Approved > 0 {
		parts = append(parts, "✓"+strconv.Itoa(t.Approved))
	}
	if t.Vetoed > 0 {
		parts = append(parts, "✗"+strconv.Itoa(t.Vetoed))
	}
	return strings.Join(parts, " ")
}

// ChosenScene is one testing scene of a target.
type ChosenScene struct {
	Target     string
	Rank       int // in the order chosen, from 1
	Background string
	Scene
	Word    string // that it was chosen for, as the table of keywords has it; "" where it is none
	Verdict string // of a person: approved, vetoed, or ""
}

// ScenesTable is the table of the testing scenes of all targets.
var ScenesTable = result.Table[ChosenScene]{
	Name: "scenes", Title: "Testing scenes", Noun: "scene",
	ID: func(c ChosenScene) string { return c.Target + "/" + strconv.Itoa(c.Rank) },
	Columns: []result.Column[ChosenScene]{
		result.Texts("target", "target", "name of the target", func(c ChosenScene) string { return c.Target }),
		result.Counts("rank", "rank", "in the order chosen, from 1", func(c ChosenScene) int { return c.Rank }),
		result.Texts("background", "background", "name of the scene",
			func(c ChosenScene) string { return c.Background }),
		result.Texts("keyword", "keyword", "that the scene was chosen for; missing where it was chosen by distance",
			func(c ChosenScene) string { return c.Word }).Told(func(c ChosenScene) string {
			return strings.TrimPrefix(strings.TrimPrefix(c.Word, ElementPrefix), ScenePrefix)
		}),
		result.Numbers("level", "level", "of the keyword, 0 is the target's own", result.Count,
			func(c ChosenScene) float64 {
				if c.Keyword < 0 {
					return math.NaN()
				}
				return float64(c.Level)
			}),
		withDecimals(result.Numbers("distance", "distance", "semantic distance from the target", result.Number,
			func(c ChosenScene) float64 { return c.Distance })),
	},
	More: func(rows []ChosenScene) []result.Column[ChosenScene] {
		if !slices.ContainsFunc(rows, func(c ChosenScene) bool { return c.Verdict != "" }) {
			return nil
		}
		return []result.Column[ChosenScene]{
			result.Texts("verdict", "verdict", "of a person", func(c ChosenScene) string { return c.Verdict }),
		}
	},
}

func withDecimals[R any](c result.Column[R]) result.Column[R] { c.Decimals = 4; return c }

// ScenesOf is how different the scenes of some targets are, and how near to the targets' keywords.
type ScenesOf struct {
	Name string // of the targets or of the selection
	Diversity
	Plausibility *Plausibility // nil where keywords are not known
}

// DiversityTable compares selections, or a target with all.
var DiversityTable = result.Table[ScenesOf]{
	Name: "diversity", Title: "Diversity of scenes", Noun: "row", ID: func(s ScenesOf) string { return s.Name },
	Columns: []result.Column[ScenesOf]{
		result.Texts("of", "scenes of", "a target, all targets, or a selection",
			func(s ScenesOf) string { return s.Name }),
		distance("distance_mean", "mean distance", func(s Spread) float64 { return s.Mean }),
		distance("distance_min", "nearest", func(s Spread) float64 { return s.Least }),
		distance("distance_max", "farthest", func(s Spread) float64 { return s.Far }),
		result.Counts("different_backgrounds", "backgrounds used", "different ones",
			func(s ScenesOf) int { return s.Different }),
		result.Counts("most_used", "most used in", "targets that have the background that is used most",
			func(s ScenesOf) int { return s.MostUsed }),
		result.Numbers("intervals_filled", "intervals filled",
			"share of n equal intervals of [0, D] that hold a scene, mean over targets",
			result.Share, func(s ScenesOf) float64 { return s.Filled }),
		result.Numbers("evenness", "evenness",
			"1 where each interval holds a scene, 0 where one holds all", result.Number,
			func(s ScenesOf) float64 { return s.Even }),
	},
	More: func(rows []ScenesOf) []result.Column[ScenesOf] {
		if !slices.ContainsFunc(rows, func(s ScenesOf) bool { return s.Plausibility != nil }) {
			return nil
		}
		return []result.Column[ScenesOf]{
			plausible("own_keywords", "own keywords", "share of scenes that have one of the target's own keywords",
				func(Plausibility) int { return 0 }),
			plausible("expanded_keywords", "expanded ones",
				"share of scenes that have one of the target's expanded keywords",
				func(p Plausibility) int { return len(p.ByLevel) }),
		}
	},
}

func distance(key, title string, value func(Spread) float64) result.Column[ScenesOf] {
	return result.Numbers(key, title, "semantic distance of scenes", result.Number,
		func(s ScenesOf) float64 { return value(s.Distance) })
}

func plausible(key, title, help string, level func(Plausibility) int) result.Column[ScenesOf] {
	return result.Numbers(key, title, help, result.Share, func(s ScenesOf) float64 {
		if s.Plausibility == nil {
			return math.NaN()
		}
		return s.Plausibility.Share(level(*s.Plausibility))
	})
}
