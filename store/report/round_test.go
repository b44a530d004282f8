package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
)

func roundQuestion(r label.Round) Request {
	return Request{Round: r.ID, Version: "1.2.3", Written: written}
}

func TestReportOfARound(t *testing.T) {
	d := newDesk(t)
	testdata.OK(t, d.PutAnnotator(store.Annotator{ID: "b", Name: "annotator 2"}))
	r := d.addRound(nil)
	d.labelAll(r)
	report := d.make(roundQuestion(r))
	if report.Title != "Round first" {
		t.Errorf("title %q", report.Title)
	}
	expect(t, sectionText(t, report, "Round"), "State = open", "Models = 3", "Labels = invariant, borderline, variant",
		"Annotators = a, annotator 2 (b), c", "Repeats = 25.0 %", "Id = "+r.ID, "Guideline hash = "+r.GuidelineHash(),
		"Label events = 10")
	expect(t, sectionText(t, report, "Progress"),
		"a | 3 | 3 | 100.0 % | 0 | 0 | 1 | 2 | 50.0 %", // one repeat got the same label again
		"annotator 2 | 2 | 3 | 66.7 % | 1 | 1 | 0 | 0 | -", "c | 2 | 3 | 66.7 % | 0 | 0 | 0 | 0 | -")
	expect(t, sectionText(t, report, "Labels"), "labels by | invariant | borderline | variant | none",
		"a | 2 | 0 | 1 | 0", "c | 1 | 0 | 1 | 1",
		"majority vote | 1 | 0 | 1 | 1", "final | 1 | 0 | 1 | 1")
	expect(t, sectionText(t, report, "Disagreements"), "2 items with different labels", "1 without a majority",
		"max@CONF 0 to 0.3",
		"s1: a invariant, annotator 2 borderline, c variant", "s2: a variant, annotator 2 variant, c invariant")
	expect(t, sectionText(t, report, "All labels"), "model | a | annotator 2 | c | majority | final | final by",
		"s1 | invariant | borderline | variant | - | - | left out: tie | annotator 2",
		"s2 | variant | variant | invariant | variant | variant | majority | -",
		"s3 | invariant | - | - | invariant | invariant | majority | -")
	expect(t, sectionText(t, report, "Guideline"),
		"How\nCall it invariant when all is calm, else variant.\n1.Look at CONF.\n•"+hostile)
	expect(t, sectionText(t, report, "Parameters"), "s1 | - | yes | "+d.models[0].Hash,
		"s3 | - | no | "+d.models[2].Hash,
		"Processor = amd64 avx2", "CONF = y", " | c2 | c1\n", "Content of the suite = "+d.suite.Hash)
}

// The table holds every measure that the engine computes, with the engine's values.
func TestMeasuresOfAgreement(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	d.labelAll(r)
	events := testdata.Must(d.Events(r.ID))(t)
	got := sectionText(t, d.make(roundQuestion(r)), "Agreement")
	sections := map[agreement.Section]bool{}
	for _, l := range agreement.OfRound(r, events, r.Models, r.Annotators, agreement.Options{Intervals: true}).Lines() {
		sections[l.Section] = true
		if !l.Value.Defined() {
			expect(t, got, fmt.Sprintf("%s | - | %d | %s", l.Title, l.N, l.Value.Reason.Text))
			continue
		}
		expect(t, got, l.Title+" | "+l.Format().Say(l.Value.Value, 0))
	}
	if len(sections) != 5 {
		t.Errorf("sections %v", sections)
	}
	expect(t, got, "no interval: fewer than 8 items", "biased upward", "jackknife over the items",
		"3 items, 3 with a label, 2 with two or more",
		"2 items labelled by both", "Landis and Koch")
}

func TestTwoClassesHaveNoWeights(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Classes = 2 })
	d.put(r, "a", 0, label.Variant, nil)
	d.put(r, "b", 0, label.Variant, nil)
	got := sectionText(t, d.make(roundQuestion(r)), "Agreement")
	for _, absent := range []string{"quadratic", "ordinal", "AC2"} {
		if strings.Contains(got, absent) {
			t.Errorf("%s measures of two classes:\n%s", absent, got)
		}
	}
	expect(t, got, "expected agreement is 1", "no common items")
}

// A blind round that is open shows how far everybody is, why there is no more, and not one label.
func TestBlindRoundHidesEverything(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Blind, r.Guideline = true, "Look." })
	d.labelAll(r)
	q := roundQuestion(r)
	q.Notes = true
	report := d.make(q)
	var titles []string
	for _, s := range report.Sections {
		titles = append(titles, s.Title)
	}
	if !slices.Equal(titles, []string{"Round", "Progress", "Guideline", "Parameters"}) {
		t.Errorf("sections %q", titles)
	}
	expect(t, sectionText(t, report, "Progress"), blindWords, "annotator | labelled | of | share",
		"a | 3 | 3 | 100.0 %")
	page := htmlOf(t, report)
	if strings.Contains(page, "unsure") || strings.Contains(page, "alert") || strings.Contains(page, "odd") {
		t.Error("notes or flags of a blind round are on the page")
	}
	r.Closed = true
	testdata.OK(t, d.UpdateRound(r))
	report = d.make(q)
	expect(t, sectionText(t, report, "Round"), "State = closed, blind")
	expect(t, sectionText(t, report, "Notes"), "s1 | a | label | invariant | odd | "+hostile)
}

func TestAdjudicatedItem(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(nil)
	d.labelAll(r)
	d.put(r, "a", 0, label.Borderline, func(ev *label.Event) { ev.Kind = label.Adjudicate })
	report := d.make(roundQuestion(r))
	expect(t, sectionText(t, report, "Disagreements"),
		"s1: a invariant, b borderline, c variant; no majority; adjudicated borderline")
	expect(t, sectionText(t, report, "All labels"),
		"s1 | invariant | borderline | variant | - | borderline | adjudicated | b")
}

// A round reads its models' signals under its own image filter; a model without them still has its
// labels.
func TestDisagreementWithoutMatrices(t *testing.T) {
	d := newDesk(t)
	r := d.addRound(func(r *label.Round) { r.Filter = "correct" })
	d.put(r, "a", 2, label.Invariant, nil)
	d.put(r, "b", 2, label.Variant, nil)
	report := d.make(roundQuestion(r))
	expect(t, sectionText(t, report, "Disagreements"),
		"s3: a invariant, b variant; no majority (no matrices: no signals")
	expect(t, sectionText(t, report, "Round"), "Images = correct")
}
