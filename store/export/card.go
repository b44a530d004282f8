package export

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/csvfile"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/subject"
)

// card is written line by line.
type card struct{ strings.Builder }

func (c *card) line(format string, args ...any) { fmt.Fprintf(&c.Builder, format+"\n", args...) }

// table writes a table below an empty line.
func (c *card) table(sheet *result.Sheet) {
	c.WriteString("\n")
	sheet.Markdown(&c.Builder) // a Builder does not fail
}

// cardText is README.md: what the export holds and how to load it, counts, kappas, hashes,
// parameters and versions (DESIGN.md section 8). It carries no time of its own, so that the same
// workspace gives the same card.
func (e *exporting) cardText(files []written) string {
	c, s := &card{}, e.set
	c.line(cardMark)
	c.line("# %s", result.EscapeMarkdown(s.Workspace))
	c.line("")
	c.line("Labels of image classifiers by how invariant they are, with the variance matrices that they rest on.")
	c.line("Written by Variscope %s on desk %s.", cmp.Or(s.Version, "(unversioned)"), s.Desk)
	if s.Limited {
		c.line("Limited to chosen models of the workspace: labels and agreement are those of these models only.")
	}
	c.loads(e.known)
	for _, v := range s.Views {
		c.view(v)
	}
	for k, r := range s.Rounds {
		c.round(r, s.Events[r.ID], s.Agreement[k])
	}
	if len(e.methods) > 0 {
		c.line("\n## Methods\n")
		for _, line := range e.methods {
			c.line("- %s", line)
		}
	}
	c.formats(s, e.opts)
	c.line("\n## Files\n")
	for _, f := range files {
		c.line("%s", fileLine(f))
	}
	return c.String()
}

// loads are lines of Python that load the files, each with what it holds.
func (c *card) loads(files []file) {
	if len(files) == 0 {
		return
	}
	calls := map[string]string{
		".csv": "pandas.read_csv(%q)", ".parquet": "pandas.read_parquet(%q)", ".npz": "numpy.load(%q)",
		".json": "json.load(open(%q))",
	}
	lines, width := make([]string, len(files)), 0
	for k, f := range files {
		lines[k] = fmt.Sprintf(calls[path.Ext(f.path)], f.path)
		width = max(width, len(lines[k]))
	}
	c.line("\n## Load in Python\n\n    import json, numpy, pandas")
	for k, f := range files {
		c.line("    %-*s  # %s", width, lines[k], result.EscapeMarkdown(f.holds))
	}
}

func (c *card) view(v View) {
	title := "Models"
	if v.Family != "" {
		title = fmt.Sprintf("Models under %s", v.Family)
	}
	c.line("\n## %s\n", title)
	if v.Folder != "" {
		c.line("- folder: `%s/`", v.Folder)
	}
	if v.Suite != "" {
		c.line("- suite: %s, content %s", result.EscapeMarkdown(v.SuiteName), v.Suite)
	}
	if d := v.Derived; d != nil {
		c.line("- its images: made from suite %s, content %s, by `%s`", result.EscapeMarkdown(v.BaseName), d.Of,
			d.Change)
	}
	if n := len(v.Axis.Values); n > 0 {
		c.line("- sampling variable: %d values from %g to %g%s", n, v.Axis.Values[0], v.Axis.Values[n-1], v.Axis.Unit)
		c.line("- images: %s", v.Filter)
	}
	states, inference, skipped := map[string]int{}, map[string]int{}, 0
	for _, it := range v.Items {
		states[it.State]++
		skipped = max(skipped, it.Skipped)
		if it.Inference != "" {
			inference[it.Inference]++
		}
	}
	c.line("- models: %d%s", len(v.Items), counts(states))
	for _, it := range v.Items {
		if it.Problem != nil {
			c.line("- cannot be read: %s", result.EscapeMarkdown(it.Problem.Error()))
		}
	}
	if skipped > 0 {
		c.line("- corrupt images left out: %d", skipped)
	}
	for _, text := range slices.Sorted(maps.Keys(inference)) {
		c.line("- signals of %d models: %s", inference[text], text)
	}
	for _, modality := range v.Modalities {
		if r, ok := v.Ranges[modality]; ok && v.Family != "" {
			c.line("- colour range of %s: %g..%g", modality, r.Low, r.High)
		}
	}
	c.features(v.Features)
	if v.Folder == "" { // else the same models stand at the top
		c.table(result.Table[Item]{
			Name: "models", Title: "Models", Noun: "model", ID: func(it Item) string { return it.Hash },
			Columns: result.Showing(result.Shown, result.Lift(subject.Columns[:2], func(it Item) subject.Subject {
				return subject.Subject{Model: it.name(), ModelHash: it.Hash}
			})...),
		}.Sheet(v.Items))
	}
}

// features tells how the features were measured, and who has none.
func (c *card) features(f ViewFeatures) {
	if len(f.Rows) == 0 {
		return
	}
	l := f.Layout
	c.line("- features of %d models: profile %s, tau %g, %g of the images (seed %d) in the reduced matrix", len(f.Rows),
		l.Profile, l.Tau, l.Share, l.Seed)
	reasons := map[string]int{}
	for _, reason := range f.LeftOut {
		reasons[reason]++
	}
	for _, reason := range slices.Sorted(maps.Keys(reasons)) {
		c.line("- features left out: %d models, %s", reasons[reason], result.EscapeMarkdown(reason))
	}
}

// counts writes ": 3 ready, 1 none", by name; nothing when there is nothing to count.
func counts(of map[string]int) string {
	parts := []string{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%d %s", of[name], name))
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

func (c *card) round(r label.Round, events []label.Event, measured *agreement.Round) {
	c.line("\n## Round %s\n", result.EscapeMarkdown(r.Name))
	c.line("- id: %s, %s, created %s", r.ID, r.State(), timeText(r.Created))
	c.line("- items: %d models, kind %s, classes %s", len(r.Models), r.Kind,
		result.EscapeMarkdown(strings.Join(r.Spoken(), ", ")))
	c.line("- annotators: %s", result.EscapeMarkdown(strings.Join(r.Annotators, ", ")))
	c.line("- blind: %t, order seed %d, repeat share %g", r.Blind, r.OrderSeed, r.RepeatShare)
	switch {
	case r.Ordered:
		c.line("- order: as listed, the same for everybody")
	case r.Order == label.OrderUseful:
		c.line("- order: most useful first, by an assessor of each annotator's own labels, planned after %d labels "+
			"and then every %d", label.PlanFrom, label.PlanEvery)
	}
	if r.Overlap > 0 {
		c.line("- overlap: each model is labelled by %d of %d annotators", r.Overlap, len(r.Annotators))
	}
	if len(r.Known) > 0 {
		c.line("- calibration: %d models with a known answer, labelled by all annotators", len(r.Known))
	}
	c.line("- guideline: SHA-256 %s", r.GuidelineHash())
	c.line("- label events: %d", len(events))
	if r.Guideline != "" {
		c.line("\n> %s", quoted.Replace(strings.TrimSpace(r.Guideline)))
	}
	c.table(label.GivenTable(r.Classes).Sheet(measured.Given(events)))
	c.table(agreement.OnPage.Sheet(measured.Lines()))
	if len(measured.Report.VsMajority) > 0 {
		c.line("\nAgainst the majority vote: %s.", measured.Report.Note)
	}
}

// quoted are the line ends of a quotation.
var quoted = strings.NewReplacer("\r\n", "\n> ", "\r", "\n> ", "\n", "\n> ")

// formats explains what the tables alone do not say.
func (c *card) formats(s Set, opts Options) {
	c.line("\n## Formats\n")
	c.line("- Tables are CSV in UTF-8; columns.csv says what each column means. Shares are from 0 to 1.")
	if opts.ForSpreadsheets {
		c.line("  They are for spreadsheets: " +
			"a text that begins with = + - @ or an apostrophe has one apostrophe in front. The last")
		c.line("  column, %s, tells Variscope to take it away.", csvfile.Mark)
	}
	c.line("- Matrices are in plain order: " +
		"row i and column j belong to V[i] and V[j]; pictures have V[0] at the bottom left.")
	if opts.Signals {
		c.line("- signals/MODEL.npz: " +
			"prediction, confidence and MODALITY are images x V, softmax images x V x classes; image_ids,")
		c.line("  class_names, truth (-1 for none; all classes are the model's) and V name the axes. " +
			"signals/MODEL.parquet is the same with")
		c.line("  a row per image and value of V.")
	}
	classes := 0
	for _, r := range s.Rounds {
		classes = max(classes, r.Classes)
	}
	if classes > 0 && opts.has(LabelStudio) {
		c.line("- label_studio.json goes with this labelling interface:\n")
		for _, line := range strings.Split(strings.TrimSpace(StudioConfig(classes)), "\n") {
			c.line("      %s", line)
		}
	}
}
