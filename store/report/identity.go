package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/recipe"
	"github.com/variscope/variscope/engine/result"
)

// identity are the file and the settings in force.
func identity(s seen) []Block {
	var f Facts
	f.add("Id", s.ID)
	f.code("SHA-256 of the file", s.Hash)
	f.add("File", s.File)
	f.add("Size", result.Whole(s.Size)+" bytes")
	f.add("Opset", fmt.Sprint(s.Graph.Opset))
	f.add("IR version", fmt.Sprint(s.Graph.IR))
	f.add("Producer", s.Graph.Producer)
	f.add("Parameters", result.Whole(s.Graph.Parameters))
	f.add("Convolutions", fmt.Sprint(len(s.Graph.Convs)))
	f.add("Input", inputText(s.Graph.Input))
	if s.settings.Output == "" {
		return []Block{f}
	}
	by := func(name, value string, authority model.Authority) {
		if value != "" {
			f = append(f, Fact{Name: name, Value: value, Remark: "by " + string(authority)})
		}
	}
	f.add("Output", s.settings.Output)
	by("Output kind", string(s.settings.OutputKind), s.settings.KindBy)
	by("Mean", numbers(s.settings.Preprocessing.Mean), s.settings.NormBy)
	by("Standard deviation", numbers(s.settings.Preprocessing.Std), s.settings.NormBy)
	f.add("Resize", string(s.settings.Preprocessing.Resize))
	by("Recipe", s.settings.Preprocessing.Recipe, s.settings.By(recipe.All))
	if s.settings.Classes > 0 {
		f.add("Classes", fmt.Sprint(s.settings.Classes))
	}
	by("Class names", strings.Join(s.settings.ClassNames, ", "), s.settings.NamesBy)
	for _, position := range slices.Sorted(maps.Keys(s.Correction.Positions)) {
		f = append(f, Fact{Name: "Assigned " + position, Value: s.Correction.Positions[position], Code: true})
	}
	return []Block{f}
}

func inputText(in model.Input) string {
	size := func(n int) string {
		if n <= 0 {
			return "any"
		}
		return fmt.Sprint(n)
	}
	channels := size(in.Channels) + " channels"
	if in.Channels == 1 {
		channels = "1 channel"
	}
	return fmt.Sprintf("%s, %s, %s × %s pixels, batch %s (%s)", in.Layout, channels, size(in.Height), size(in.Width), size(in.Batch), in.Name)
}

// parameters are all that the numbers depend on.
func (g *gathering) parameters(v view, list []seen) Section {
	blocks := []Block{g.viewFacts(v)}
	var sets []seen
	for _, s := range list {
		if s.problem == "" && s.set.Key != "" {
			sets = append(sets, s)
		}
	}
	if len(sets) > 0 {
		blocks = append(blocks, Table{Caption: signalsTable.Title, Sheet: signalsTable.Sheet(sets)})
	}
	level := 2
	if len(list) > 1 && g.q.Round == "" {
		level = 1
	}
	return Section{Title: "Parameters", Level: level, Blocks: blocks}
}

// signalsTable is what the signals of models were computed with.
var signalsTable = result.Table[seen]{
	Name: "signals", Title: "What the signals were computed with", Noun: "model", ID: func(s seen) string { return s.set.Key },
	Columns: []result.Column[seen]{
		result.Texts("model_id", "model", "", func(s seen) string { return s.ID }),
		result.Texts("runtime", "ONNX Runtime", "", func(s seen) string { return s.set.Spec.Runtime }),
		result.Texts("processor", "processor", "",
			func(s seen) string { return s.set.Spec.Computer() }),
		result.Counts("batch", "batch", "", func(s seen) int { return s.set.Spec.Batch }),
		result.Texts("positions", "positions", "", func(s seen) string {
			var positions []string
			for _, p := range s.set.Spec.Positions {
				positions = append(positions, p.Name+" = "+p.Tensor)
			}
			return strings.Join(positions, ", ")
		}),
		result.Texts("mapped_by", "classes mapped", "how classes of the suite became classes of the model",
			func(s seen) string { return s.set.MappedBy }),
		{Key: "signals", Title: "key of the signals", Format: result.ID, Text: func(s seen) string { return s.set.Key }},
	},
}

// viewFacts are suite, family and program.
func (g *gathering) viewFacts(v view) Facts {
	var f Facts
	f.add("Workspace", g.ws.Name())
	f.add("Desk", g.ws.Desk())
	f.add("Suite", v.suite.Name)
	f.code("Content of the suite", v.suite.Hash)
	if d := v.suite.Derived; d != nil {
		f.add("Made from the suite", v.base)
		f.code("Content of that suite", d.Of)
		f.code("Change of its images", d.Change)
	}
	if v.known {
		f.add("Images", result.Whole(v.suite.Images))
		f.add("Format", string(v.suite.Format))
		f.add("Corrupt images left out", result.Whole(len(v.suite.Skipped)))
		f.add("Classes of the suite", strings.Join(v.suite.Classes, ", "))
	} else {
		f.add("Suite is here", "no: it is not in this workspace")
	}
	f.code("Family", v.family)
	if n := len(v.axis.Values); n > 0 {
		f.add("Sampling variable", fmt.Sprintf("%d values from %s to %s%s", n, result.Number.Write(v.axis.Values[0]), result.Number.Write(v.axis.Values[n-1]), v.axis.Unit))
	}
	f.code("Images that count", v.images.String())
	f.add("Program", strings.TrimSpace("Variscope "+g.q.Version))
	return f
}
