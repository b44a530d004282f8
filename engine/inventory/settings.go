package inventory

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
)

// Setting is one thing that says how a model is run: what is in force, in words, and the place that
// set it.
type Setting struct{ Name, Value, From, Words string }

// Settings is the table of them.
var Settings = result.Table[Setting]{
	Name: "settings", Title: "Settings", Noun: "setting", ID: func(s Setting) string { return s.Name },
	Columns: []result.Column[Setting]{
		result.Texts("setting", "setting", "what it is", func(s Setting) string { return s.Name }),
		result.Texts("value", "value", "in force", func(s Setting) string { return s.Value }),
		result.Texts("from", "from", "the place that set it", func(s Setting) string { return s.From }),
		result.Texts("words", "in words", "what it means", func(s Setting) string { return s.Words }),
	},
}

// SettingsOf are the settings in force of a model, with those of its settings.
func SettingsOf(m model.Model, s model.Settings) []Setting {
	list := []Setting{
		{"input", InputText(m.Graph.Input), string(model.ByGraph), ""},
		{"output", s.Output, string(model.ByGraph), ""},
		{"output_kind", string(s.OutputKind), string(s.KindBy), ""},
		{"recipe", s.Recipe.Text(), s.RecipeFrom(), s.Recipe.Words()},
	}
	if m.Correction.Output != "" {
		list[1].From = string(model.ByUser)
	}
	part := recipe.Part{Recipe: s.Recipe}
	for _, g := range recipe.Groups {
		part.Sets = g.Keys
		if by := s.By(g.Keys); by != model.ByDefault || part.Text() != "" {
			list = append(list, Setting{"recipe." + g.Name, part.Text(), string(by), ""})
		}
	}
	for _, note := range s.Notes {
		list = append(list, Setting{Name: "note", Value: note})
	}
	list = append(list, Setting{
		Name: "classes", Value: ClassText(s), From: string(s.NamesBy), Words: strings.Join(s.ClassNames, ", "),
	})
	if m.Correction.Batch > 0 {
		list = append(list, Setting{"batch", fmt.Sprint(m.Correction.Batch), string(model.ByUser), ""})
	}
	for _, position := range []string{model.Conv1, model.Conv2, model.Head} {
		tensor, ok := m.Graph.Tensor(position, m.Correction.Positions)
		from := string(model.ByGraph)
		if slices.Contains(slices.Collect(maps.Keys(m.Correction.Positions)), position) {
			from = string(model.ByUser)
		}
		if !ok {
			tensor = "absent"
		}
		list = append(list, Setting{position, tensor, from, ""})
	}
	return list
}

// Difference says which settings two models have otherwise, as the first has them and as the second
// does: "output b, batch not set", "output a, batch 8". Both are empty where nothing differs.
func Difference(a, b []Setting) (inA, inB string) {
	value := func(list []Setting, name string) string {
		if at := slices.IndexFunc(list, func(s Setting) bool { return s.Name == name }); at >= 0 {
			return list[at].Value
		}
		return "not set"
	}
	for _, name := range []string{"recipe", "output", "output_kind", "batch", model.Conv1, model.Conv2, model.Head} {
		if x, y := value(a, name), value(b, name); x != y {
			inA, inB = inA+", "+name+" "+x, inB+", "+name+" "+y
		}
	}
	return strings.TrimPrefix(inA, ", "), strings.TrimPrefix(inB, ", ")
}

// InputText is the form of an input: "3×32×32", with ? where the file leaves a size open.
func InputText(in model.Input) string {
	size := func(n int) string {
		if n <= 0 {
			return "?"
		}
		return fmt.Sprint(n)
	}
	return size(in.Channels) + "×" + size(in.Height) + "×" + size(in.Width)
}

// ClassText says how many classes a model has, and whether they have names.
func ClassText(s model.Settings) string {
	n := max(s.Classes, len(s.ClassNames))
	switch {
	case n == 0:
		return "unknown"
	case len(s.ClassNames) == 0:
		return fmt.Sprintf("%s without names", result.Counted(n, "class"))
	}
	return fmt.Sprintf("%s with names", result.Counted(n, "class"))
}
