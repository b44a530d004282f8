package report

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/inventory"
	"github.com/variscope/variscope/engine/result"
)

// identity are the file and the settings in force.
func (s *modelReport) identity(context.Context) ([]Block, error) {
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
	in, batch := s.Graph.Input, "any"
	if in.Batch > 0 {
		batch = fmt.Sprint(in.Batch)
	}
	f.add("Input", fmt.Sprintf("%s, %s, batch %s (%s)", in.Layout, inventory.InputText(in), batch, in.Name))
	if s.settings.Output == "" { // they cannot be read
		return []Block{f}, nil
	}
	return append([]Block{f}, Titled(inventory.Settings.Sheet(inventory.SettingsOf(s.Model, s.settings)))...), nil
}

// viewFacts are suite, family and program.
func (g *gathering) viewFacts() Facts {
	v := g.view
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
		low, high := result.Number.Write(v.axis.Values[0]), result.Number.Write(v.axis.Values[n-1])
		f.add("Sampling variable", fmt.Sprintf("%d values from %s to %s%s", n, low, high, v.axis.Unit))
	}
	f.code("Images that count", v.images.String())
	f.add("Program", strings.TrimSpace("Variscope "+g.q.Version))
	return f
}

// parameters are suite, family and program, and what the signals of models were computed with.
func (g *gathering) parameters(list []seen) []Block {
	list = slices.DeleteFunc(slices.Clone(list), func(s seen) bool { return s.set.Key == "" })
	return append([]Block{g.viewFacts()}, parted(signalsTable.Place(result.FileOnly, g.told()...).Sheet(list))...)
}

var signalsTable = result.Table[seen]{
	Name: "signals", Title: "What the signals were computed with", Noun: "model",
	ID: func(s seen) string { return s.set.Key },
	Columns: []result.Column[seen]{
		result.Texts("model_id", "model", "", func(s seen) string { return s.ID }),
		result.Texts("runtime", "ONNX Runtime", "", func(s seen) string { return s.set.Spec.Runtime }),
		result.Texts("processor", "processor", "", func(s seen) string { return s.set.Spec.Computer() }),
		result.Counts("batch", "batch", "", func(s seen) int { return s.set.Spec.Batch }),
		result.Texts("mapped_by", "classes mapped", "how classes of the suite became classes of the model",
			func(s seen) string { return s.set.MappedBy }),
		{
			Key: "signals", Title: "key of the signals", Format: result.ID,
			Text: func(s seen) string { return s.set.Key },
		},
	},
	More: func(rows []seen) (tensors []result.Column[seen]) {
		var names []string
		for _, s := range rows {
			for _, p := range s.set.Spec.Positions {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
		for _, name := range names {
			tensors = append(tensors, result.Texts(name, name, "", func(s seen) string {
				if at := s.set.Spec.Position(name); at >= 0 {
					return s.set.Spec.Positions[at].Tensor
				}
				return ""
			}))
		}
		return tensors
	},
}
