package choose

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/result"
)

// choiceNames are ways of choosing scenes, and where a foreground lies, for people.
var choiceNames = map[string]string{
	string(background.ByKeywords): "ontology keywords", string(background.ByIntervals): "intervals of distance",
	string(background.Keep): "where it was", string(background.Centre): "in the middle",
	string(background.Ground): "on the ground",
}

func choiceName(choice string) string { return cmp.Or(choiceNames[choice], choice) }

// caption are the two lines below a tile.
func (v *View) caption(t Tile) (first, second string) {
	if t.Image == 0 {
		return "the target", v.Class(v.target)
	}
	return fmt.Sprintf("%d. %s", t.Rank, v.reason(t.Scene)), "d " + result.Number.Say(t.Distance, 0)
}

// reason is the keyword that a scene was chosen for.
func (v *View) reason(s background.Scene) string {
	if s.Keyword < 0 {
		return "by distance"
	}
	return v.Word(s.Keyword)
}

// Headline is what stands over the wall: the target and its keywords.
func (v *View) Headline() string {
	if v.target < 0 {
		return ""
	}
	text := v.Name(v.target)
	if class := v.Class(v.target); class != "" && !strings.HasPrefix(text, class) {
		text += ", " + class
	}
	if own := v.own(v.target); len(own) > 0 {
		return text + ": " + v.list(own)
	}
	if len(v.Plan.Targets) > 0 {
		return text + ": " + "no keywords"
	}
	return text
}

// fact is a name and a text about the picture that is looked at.
type fact struct{ name, text string }

// facts say what the picture is, and why it was chosen.
func (v *View) facts() []fact {
	t, ok := v.Tile()
	switch {
	case !ok:
		return nil
	case t.Image == 0:
		list := []fact{{"target", v.Targets.ImageName(v.target)}, {"distance", "0"}}
		if len(v.Plan.Targets) > 0 {
			list = append(list, fact{"keywords", cmp.Or(v.list(v.own(v.target)), "none")})
		}
		if v.Known {
			list = append(list, fact{"expanded", v.expansion()})
		}
		return list
	}
	list := []fact{
		{"scene", path.Base(v.Backgrounds.ImageName(t.Background))},
		{"distance", fmt.Sprintf("%s, rank %d of %d", result.Number.Say(t.Distance, 0), t.Rank, len(v.tiles)-1)},
		{"chosen", v.why(t)},
	}
	if len(v.Plan.Scenes) == 0 {
		return list
	}
	present := v.Plan.Keywords.Present[v.Plan.Scenes[t.Background]]
	own := v.own(v.target)
	var shared, reached []int
	for _, item := range present {
		if slices.Contains(own, item) {
			shared = append(shared, item)
		} else if slices.ContainsFunc(v.Plan.Expansions[v.target],
			func(k background.Keyword) bool { return k.Item == item }) {
			reached = append(reached, item)
		}
	}
	list = append(list, fact{"keywords", cmp.Or(v.list(present), "none")},
		fact{"in common", cmp.Or(v.list(shared), "none")})
	if v.Known && len(reached) > 0 {
		list = append(list, fact{"expanded to", v.list(reached)})
	}
	return list
}

// why says what a scene was chosen by.
func (v *View) why(t Tile) string {
	if t.Keyword < 0 {
		return fmt.Sprintf("as number %d, by distance", t.Image)
	}
	return fmt.Sprintf("as number %d, for %s (%s)", t.Image, v.Word(t.Keyword), levelText(t.Level))
}

// levelText says where a keyword stands in an expansion.
func levelText(level int) string {
	if level == 0 {
		return "the target's own"
	}
	return background.LevelName(level)
}

// expansion is how many keywords the target's expansion has, level by level.
func (v *View) expansion() string {
	n := map[int]int{}
	last := 0
	for _, k := range v.Plan.Expansions[v.target] {
		n[k.Level]++
		last = max(last, k.Level)
	}
	var parts []string
	for level := range last + 1 {
		parts = append(parts, fmt.Sprintf("%d %s", n[level], levelText(level)))
	}
	return strings.Join(parts, ", ")
}

// hint is the line about a tile under the pointer.
func (v *View) hint(place int) string {
	if place < 0 || place >= len(v.tiles) {
		return ""
	}
	t := v.tiles[place]
	if t.Image == 0 {
		return fmt.Sprintf("%s: the target itself", v.Targets.ImageName(v.target))
	}
	text := fmt.Sprintf("%s: distance %s, chosen %s", path.Base(v.Backgrounds.ImageName(t.Background)),
		result.Number.Say(t.Distance, 0), v.why(t))
	if verdict := v.Verdicts.Of(v.target, t.Background); verdict != Open {
		text += "; " + verdictNames[verdict]
	}
	return text
}

// Summary is the line beside the buttons: what the selection is.
func (v *View) Summary() string {
	r := v.Record
	if r.Hash == "" {
		return ""
	}
	text := fmt.Sprintf("%s for each of %s: %s", result.Counted(r.N, "scene"),
		result.Counted(len(r.Selection.Chosen), "target"), choiceName(string(r.Method)))
	if n := len(r.Selection.Vetoed); n > 0 {
		text += ", " + fmt.Sprintf("without %s", result.Counted(n, "background"))
	}
	text += "; " + v.Runs()
	if v.Lack != "" {
		text += ". " + v.Lack
	}
	return text
}
