package evidence

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
)

// Fact is one name and value of a table about a model.
type Fact struct{ Name, Value string }

// empty stands in place of a value that a record does not have.
const empty = "-"

// RecordFacts are the fields of the model's training record in file order, without empty cells.
// In a round, nil for none, they are those that it allows, with "-" for empty cells so that all
// models have the same lines, and how many it leaves out.
func RecordFacts(round *label.Round, m model.Model) []Fact {
	return recordLines(round, m, func(string) bool { return false })
}

// recordLines are RecordFacts without some fields.
func recordLines(round *label.Round, m model.Model, without func(name string) bool) []Fact {
	var lines []Fact
	hidden := 0
	for _, f := range m.Record {
		switch blank := strings.TrimSpace(f.Value) == ""; {
		case blank && (round == nil || !round.Allows(f.Name, "")):
		case round != nil && !round.Allows(f.Name, f.Value):
			hidden++
		case !without(f.Name):
			lines = append(lines, Fact{spaced(f.Name), shownValue(f.Value)})
		}
	}
	if hidden > 0 {
		lines = append(lines, Fact{"left out by the round", result.Counted(hidden, "field")})
	}
	return lines
}

// spaced is the name of a field or a curve for people.
func spaced(name string) string { return strings.ReplaceAll(name, "_", " ") }

// shownValue is the value of a field for people.
func shownValue(text string) string {
	if strings.TrimSpace(text) == "" {
		return empty
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) < 8 || !strings.Contains(text, ".") {
		return text
	}
	return result.Digits(v, 5)
}

// FileFacts are what the model's file says of itself.
func FileFacts(m model.Model) []Fact {
	g := m.Graph
	lines := []Fact{
		{"file", m.File},
		{"hash", result.ID.SayText(m.Hash)},
		{"size", store.SizeText(m.Size)},
		{"parameters", strconv.FormatInt(g.Parameters, 10)},
		{"input", fmt.Sprintf("%s, %s, %s", g.Input.Name, g.Input.Layout, inputSize(g.Input))},
		{"opset", strconv.Itoa(g.Opset)},
		{"convolutions", strconv.Itoa(len(g.Convs))},
	}
	for _, badge := range m.Badges() {
		lines = append(lines, Fact{"badge", badge})
	}
	if len(g.Points) > 0 {
		lines = append(lines, Fact{"with a map of 1 x 1", strconv.Itoa(len(g.Points))})
	}
	if len(g.Joined) > 0 {
		lines = append(lines, Fact{"parallel, joined right behind", strconv.Itoa(len(g.Joined))})
	}
	if len(g.Data) > 0 {
		lines = append(lines, Fact{"weights from", strings.Join(g.Data, ", ")})
	}
	if len(g.Outputs) > 1 {
		lines = append(lines, Fact{"outputs", g.OutputWords()})
	}
	if len(g.Blocks) > 0 {
		lines = append(lines, Fact{"transformer blocks", strings.Join(g.Blocks, ", ")})
	}
	if g.Producer != "" {
		lines = append(lines, Fact{"producer", g.Producer})
	}
	for _, position := range []string{model.Conv1, model.Conv2, model.Head} {
		name, ok := g.Tensor(position, m.Correction.Positions)
		if !ok {
			name = fmt.Sprintf("absent: %s", store.AbsentReason(m, position))
		}
		lines = append(lines, Fact{position, name})
	}
	for _, key := range slices.Sorted(maps.Keys(g.Metadata)) {
		lines = append(lines, Fact{fmt.Sprintf("metadata %s", key), g.Metadata[key]})
	}
	return lines
}

func inputSize(in model.Input) string {
	size := func(n int) string {
		if n == 0 {
			return "any"
		}
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s x %s x %s, batch %s", size(in.Channels), size(in.Height), size(in.Width), size(in.Batch))
}
