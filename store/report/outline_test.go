package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
)

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
