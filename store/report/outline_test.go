package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/variance"
)

// outline is a document's structure in words: sections, and of each block its kind with heads,
// names or numbers.
func outline(d *Document) string {
	var b strings.Builder
	for _, s := range d.Sections {
		fmt.Fprintf(&b, "%d %s\n", s.Level, s.Title)
		for _, block := range s.Blocks {
			fmt.Fprintf(&b, "  %s\n", outlineOf(block))
		}
	}
	return b.String()
}

func outlineOf(b Block) string {
	switch b := b.(type) {
	case Text:
		return string(b.Style)
	case Facts:
		var names []string
		for _, f := range b {
			names = append(names, f.Name)
		}
		return "facts: " + strings.Join(names, ", ")
	case Table:
		var heads []string
		fields, rows := b.Sheet.Cells()
		for _, f := range fields {
			mark := ""
			if f.Format.Right() {
				mark = "#"
			}
			heads = append(heads, f.Title+mark)
		}
		return fmt.Sprintf("%d rows: %s", len(rows), strings.Join(heads, ", "))
	case Figures:
		return fmt.Sprintf("%d figures", len(b))
	}
	return "?"
}

func TestOutlineOfModels(t *testing.T) {
	d := newDesk(t)
	want := `1 Overview
  2 rows: model, accuracy#, robust accuracy#, chance, images#, max@CONF#, max@CONV-1#, mean@CONV-1#, max@CONV-2#, mean@CONV-2#, remark
1 Effective invariance
  1 figures
  1 rows: model, transformations, EI#, EI product#, consistent#, JS#, KL#, KL reverse#, L2#, accuracy#, chance, drop#, robust accuracy#, correct mean#, consistency product#, consistency mean#, images#
  1 rows: models, transformations, why
1 Calibration
  1 rows: model, accuracy#, confidence#, overconfidence#, ECE#, ECE by chance#, temperature#, ECE at temperature#, NLL#, Brier#, images#
  1 figures
1 Model s1
  facts: Accuracy, Robust accuracy, Lowest accuracy, Images, Images flagged as extreme
2 Variance matrices
  5 figures
  5 rows: matrix, colour range, largest#, mean of all#, f+#, f+ is, half-width, δ²#, half-width, δ#, images needed#, flagged#
  remark
  4 rows: matrix, image#, share#, class, predicted, confidence#, file
2 Accuracy
  2 figures
  5 rows: V: rotation (°)#, accuracy#, mean confidence#
2 Labels
  plain
2 Training
  1 figures
  facts: optimizer, mean, std, remark
2 Identity and settings
  facts: Id, SHA-256 of the file, File, Size, Opset, IR version, Producer, Parameters, Convolutions, Input
  10 rows: setting, value, from, in words
1 Model s3
  warning
2 Labels
  plain
2 Training
  1 figures
  facts: optimizer, mean, std, remark
2 Identity and settings
  facts: Id, SHA-256 of the file, File, Size, Opset, IR version, Producer, Parameters, Convolutions, Input
  10 rows: setting, value, from, in words
1 Parameters
  facts: Workspace, Desk, Suite, Content of the suite, Images, Format, Corrupt images left out, Classes of the suite, Family, Sampling variable, Images that count, Program
  heading
  facts: Model, ONNX Runtime, Processor, Batch, Classes mapped, Key of the signals, CONF, CONV-1, CONV-2
`
	if diff := cmp.Diff(want, outline(d.make(d.question(0, 2)))); diff != "" {
		t.Error(diff)
	}
}

func TestOutlineOfARound(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	d.labelAll(r)
	q := roundQuestion(r)
	q.Notes = true
	want := `2 Round
  facts: Id, Kind, Matrices, Images, Colour ranges, Classes, Models, Order seed, Ordered, Repeats, Guideline hash, Made, State, Annotators, Labels, Label events
2 Progress
  3 rows: annotator, labelled#, of#, share#, skipped#, unsure#, flagged#, repeated#, same again#
2 Labels
  5 rows: labels by, invariant#, borderline#, variant#, none#
2 Agreement
  11 rows: measure, value#, n#, in words
  12 rows: measure, value#, n#, in words
  heading
  3 figures
  12 rows: measure, value#, n#, in words
  remark
  6 rows: measure, value#, n#, in words
  4 rows: measure, value#, n#, in words
  remark
2 Disagreements
  plain
  2 figures
2 Time per item
  3 rows: annotator, labels#, lower quartile#, median#, upper quartile#, together#
  1 figures
2 All labels
  3 rows: model, a, b, c, majority, final, final by, unsure
2 Notes
  1 rows: model, annotator, kind, label, flag, note
2 Guideline
  quote heading
  quote
  quote
  quote
2 Parameters
  facts: Workspace, Desk, Suite, Content of the suite, Images, Format, Corrupt images left out, Classes of the suite, Family, Sampling variable, Images that count, Program
  heading
  facts: ONNX Runtime, Processor, Batch, Classes mapped, CONF
  2 rows: model, key of the signals, CONV-1, CONV-2
  3 rows: model, chance, signals, SHA-256 of the file
`
	if diff := cmp.Diff(want, outline(d.make(q))); diff != "" {
		t.Error(diff)
	}
}

// Marker colours are explained where something is marked.
func TestMarkersAreExplained(t *testing.T) {
	d := newDesk(t)
	narrow := d.addRound(func(r *label.Round) {
		r.Name, r.Modalities, r.Ranges = "narrow", []string{"max@CONF"},
			map[string]label.Range{"max@CONF": {Low: 0, High: 0.001}}
	})
	wide := d.addRound(func(r *label.Round) {
		r.Name, r.Modalities, r.Ranges = "wide", []string{"max@CONF"},
			map[string]label.Range{"max@CONF": {Low: 0, High: 1}}
	})
	for _, r := range []label.Round{narrow, wide} {
		d.put(r, "a", 0, label.Invariant, nil)
		d.put(r, "b", 0, label.Variant, nil)
		got := strings.Contains(sectionText(t, d.make(roundQuestion(r)), "Disagreements"),
			"above their colour range are magenta")
		if got != (r.Name == "narrow") {
			t.Errorf("round %s: markers explained: %v", r.Name, got)
		}
	}
}

var pdfBookmark = regexp.MustCompile(`(?s)(\d+) 0 obj\n<</Title .*?/Parent (\d+) 0 R`)

// Every entry of the outline hangs below another or below the root, never below itself.
func TestPDFOutline(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		q    Request
		tops int
	}{{d.question(0), 7}, {d.question(0, 1), 4}} {
		report := d.make(c.q)
		parents := map[string]int{}
		found := pdfBookmark.FindAllSubmatch(pdfOf(t, report), -1)
		for _, m := range found {
			if string(m[1]) == string(m[2]) {
				t.Error("an entry is its own parent")
			}
			parents[string(m[2])]++
		}
		if len(found) != len(report.Sections) {
			t.Errorf("%d entries for %d sections", len(found), len(report.Sections))
		}
		most := 0
		for _, n := range parents {
			most = max(most, n)
		}
		if most < c.tops {
			t.Errorf("%v: %d entries at the top, want %d", parents, most, c.tops)
		}
	}
}

// Both zero values of the question's images and a share are understood.
func TestShareOfTheImages(t *testing.T) {
	d := newDesk(t)
	q := d.question(0)
	q.Images = variance.Images{Class: variance.AnyClass, Share: 0.5, Seed: 3}
	report := d.make(q)
	expect(t, sectionText(t, report, "Summary"), "Images = 32 of 64")
	expect(t, sectionText(t, report, "Parameters"), "Images that count = all;share=0.5;seed=3")
	if a, b := htmlOf(t, report), htmlOf(t, d.make(d.question(0))); a == b {
		t.Error("half of the images give the same report as all")
	}
}
