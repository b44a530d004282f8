// Package models is the screen that lists the workspace's models: their matrices as thumbnails,
// their state, accuracies and training records; with filter, sort, selection, and the way to
// import, run and inspect.
package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/model"
)

// State is where a model stands under the workspace's current suite and family.
type State int

// The states, in the order in which the list sorts them.
const (
	Failed State = iota
	Running
	Paused
	Queued
	Stale
	NoSignals
	Ready
)

func stateWords() []string {
	return []string{"failed", "running", "paused", "queued", "stale", "no signals", "ready"}
}

// String is the state's word on screen.
func (s State) String() string {
	if s < 0 || int(s) >= len(stateWords()) {
		return "unknown"
	}
	return stateWords()[s]
}

// Row is one model of the list.
type Row struct {
	Model model.Model
	State State
	// Share is the part done in [0, 1] while the state is Running, Paused or Queued.
	Share float64
	// Reason says why the state is Failed or Stale.
	Reason string
	// Accuracy under the identity and Robust, the correct_product of spec/assessors.md; NaN without
	// signals or labels.
	Accuracy, Robust float64
	Chance           chance.Level
	// Set is the key of the signals that matrices and accuracies rest on, "" without signals.
	Set string
	// Verdict is what the chosen round says; nil where it says nothing or may not be shown.
	Verdict *Verdict
	// Absent names the positions that the model does not have.
	Absent []string

	haystack string
	// base is the state without the runs at work.
	base struct {
		state  State
		reason string
	}
}

// StateText is the state with what belongs to it, short enough for the column.
func (r Row) StateText() string {
	switch r.State {
	case Running, Paused:
		return fmt.Sprintf("%s %.0f %%", r.State, 100*r.Share)
	}
	return r.State.String()
}

// Detail is the line shown for the selected row: what the columns have no room for.
func (r Row) Detail() string {
	parts := []string{r.Model.ID + ": " + r.StateText()}
	if r.Reason != "" {
		parts = append(parts, r.Reason)
	}
	if r.Chance.Flagged() {
		parts = append(parts, r.Chance.Sentence())
	}
	if len(r.Absent) > 0 {
		parts = append(parts, fmt.Sprintf("absent: %s", strings.Join(r.Absent, ", ")))
	}
	if v := r.Verdict; v != nil && v.Label != "" {
		text := fmt.Sprintf("label: %s", v.Label)
		if v.Final {
			text = fmt.Sprintf("%s (final)", text)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " — ")
}

// Column is one column of the list.
type Column struct {
	Key, Title string
	Width      float32 // Fyne's device-independent pixels
	Numeric    bool
}

// The keys of columns that are not columns of the training record.
const (
	keyCheck      = "#check"
	keyThumbs     = "#thumbs"
	keyID         = "id"
	keyState      = "#state"
	keyAccuracy   = "#accuracy"
	keyRobust     = "#robust"
	keyChance     = "#chance"
	keyLabel      = "#label"
	keyAgreement  = "#agreement"
	keyRatings    = "#ratings"
	keyInput      = "#input"
	keyClasses    = "#classes"
	keyParameters = "parameters"
	keyFile       = "#file"
	keyOpset      = "#opset"

	keyAgreementName = "agreement"
)

// Name is the column's name in a filter.
func (c Column) Name() string { return strings.TrimPrefix(c.Key, "#") }

// leading are the columns that always come first, trailing those that always come last.
func leading() []Column {
	return []Column{
		{Key: keyCheck, Title: "", Width: 30},
		{Key: keyThumbs, Title: "matrices", Width: thumbsWidth + 8},
		{Key: keyID, Title: "model", Width: 92},
		{Key: keyState, Title: "state", Width: 98},
		{Key: keyAccuracy, Title: "accuracy", Width: 88, Numeric: true},
		{Key: keyRobust, Title: "robust acc.", Width: 102, Numeric: true},
		{Key: keyChance, Title: "chance", Width: 130},
		{Key: keyLabel, Title: "label", Width: 92},
		{Key: keyAgreement, Title: "agreement", Width: 106, Numeric: true},
		{Key: keyRatings, Title: "ratings", Width: 72, Numeric: true},
		{Key: "architecture", Title: "architecture", Width: 104},
		{Key: keyParameters, Title: "parameters", Width: 104, Numeric: true},
	}
}

func trailing() []Column {
	return []Column{
		{Key: keyInput, Title: "input", Width: 92},
		{Key: keyClasses, Title: "classes", Width: 70, Numeric: true},
		{Key: keyOpset, Title: "opset", Width: 60, Numeric: true},
		{Key: keyFile, Title: "file", Width: 130},
	}
}

// columnsOf are the columns for these rows: the leading ones, that of the chance levels where some
// model has one, every column of any training record in the order of first appearance, and the
// trailing ones.
func columnsOf(rows []Row) []Column {
	columns := slices.DeleteFunc(leading(), func(c Column) bool {
		return c.Key == keyChance && !slices.ContainsFunc(rows, func(r Row) bool { return r.Chance.Flagged() })
	})
	seen := map[string]bool{}
	for _, c := range leading() {
		seen[c.Key] = true
	}
	for _, r := range rows {
		for _, f := range r.Model.Record {
			if seen[f.Name] || f.Name == "" {
				continue
			}
			seen[f.Name] = true
			columns = append(columns, recordColumn(f.Name, rows))
		}
	}
	return append(columns, trailing()...)
}

func recordColumn(name string, rows []Row) Column {
	numeric, longest := true, len(name)+2
	for _, r := range rows {
		text := r.Model.Value(name)
		if _, err := strconv.ParseFloat(text, 64); err != nil && text != "" {
			numeric = false
		}
		longest = max(longest, min(len(text), 22))
	}
	return Column{Key: name, Title: strings.ReplaceAll(name, "_", " "), Width: float32(longest)*7 + 18, Numeric: numeric}
}

// Text is what stands in a cell.
func (r Row) Text(key string) string {
	switch key {
	case keyCheck, keyThumbs:
		return ""
	case keyID:
		return r.Model.ID
	case keyState:
		return r.StateText()
	case keyAccuracy:
		return share(r.Accuracy)
	case keyRobust:
		return share(r.Robust)
	case keyChance:
		return r.Chance.Code.Word()
	case keyLabel, keyAgreement, keyRatings:
		return r.Verdict.text(key)
	case keyInput:
		return inputText(r.Model.Graph.Input)
	case keyClasses:
		return classesText(r.Model.Graph)
	case keyParameters:
		return r.parameters()
	case keyOpset:
		return strconv.Itoa(r.Model.Graph.Opset)
	case keyFile:
		return r.Model.File
	}
	return r.Model.Value(key)
}

func (r Row) parameters() string {
	if text := r.Model.Value(keyParameters); text != "" {
		return text
	}
	if r.Model.Graph.Parameters == 0 {
		return ""
	}
	return strconv.FormatInt(r.Model.Graph.Parameters, 10)
}

func share(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// inputText is channels x height x width; a size that the file leaves open is written as ?.
func inputText(in model.Input) string {
	size := func(n int) string {
		if n <= 0 {
			return "?"
		}
		return strconv.Itoa(n)
	}
	return size(in.Channels) + "×" + size(in.Height) + "×" + size(in.Width)
}

func classesText(g model.Graph) string {
	if len(g.Outputs) == 0 || g.Outputs[0].Classes == 0 {
		return ""
	}
	return strconv.Itoa(g.Outputs[0].Classes)
}

// text is what stands in a column of the round; v may be nil.
func (v *Verdict) text(key string) string {
	switch {
	case v == nil:
		return ""
	case key == keyLabel:
		return v.Label
	case key == keyRatings:
		return strconv.Itoa(v.Ratings)
	case math.IsNaN(v.Agree):
		return ""
	}
	return strconv.FormatFloat(100*v.Agree, 'f', 0, 64) + " %"
}

// filterText is what comparisons of the filter look at: the cell, the state without its share.
func (r Row) filterText(key string) string {
	switch {
	case key == keyState:
		return r.State.String()
	case key == keyAgreement && r.Verdict != nil && r.Verdict.Agree < 1:
		return strconv.FormatFloat(100*r.Verdict.Agree, 'f', 3, 64) // 99.7 % rounded up would look like full agreement
	}
	return r.Text(key)
}

// search is the text that words of the filter are looked for in: every column as name=value, in
// lower case.
func (r Row) search() string {
	var b strings.Builder
	b.Grow(512)
	for _, f := range [][2]string{
		{"id", r.Model.ID},
		{"state", r.State.String()},
		{"file", r.Model.File},
		{"input", inputText(r.Model.Graph.Input)},
		{"label", r.Verdict.text(keyLabel)},
		{"chance", r.Chance.Code.Word()},
	} {
		if f[1] != "" {
			b.WriteString(f[0] + "=" + f[1] + "\n")
		}
	}
	for _, f := range r.Model.Record {
		b.WriteString(f.Name + "=" + f.Value + "\n")
	}
	return strings.ToLower(b.String())
}
