package agreement

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
)

func TestCases(t *testing.T) {
	in := table(3, false, "ivbi", "vvbb", "ivbv")
	in.People = map[string]string{"r1": "annotator 1"}
	in.Events = append(in.Events,
		label.Event{ID: "N1", Round: "R", Model: "hash00", Annotator: "r2", Kind: label.Note, Pass: 1, Note: "a cross"},
		label.Event{
			ID: "N2", Round: "R", Model: "hash00", Annotator: "judge", Kind: label.Note, Pass: 1,
			Flag: label.Discussion, Note: "talk about it",
		},
		label.Event{
			ID: "N3", Round: "R", Model: "hash03", Annotator: "judge", Kind: label.Adjudicate, Pass: 1,
			Value: label.Borderline, Note: "in between",
		})
	v := Build(in)
	if len(v.Cases) != 2 || v.NoQueue != "" {
		t.Fatalf("cases %+v, %q", v.Cases, v.NoQueue)
	}
	tie, split := v.Cases[0], v.Cases[1]
	if v.heading(tie) != "m03: no majority, 1 invariant, 1 borderline, 1 variant" ||
		tie.Decision() != label.Borderline {
		t.Errorf("first case %+v", tie)
	}
	if v.heading(split) != "m00: disagreement, 2 invariant, 1 variant" || split.Decision() != "" {
		t.Errorf("second case %+v", split)
	}
	if got := progressText(v.Cases); got != "1 of 2 cases decided" {
		t.Error(got)
	}
	text := v.spoken(tie) + v.spoken(split)
	for _, name := range []string{"r1", "r2", "r3", "annotator 1", "judge"} {
		if strings.Contains(strings.ReplaceAll(text, "rater", ""), name) {
			t.Errorf("the queue names %s: %q", name, text)
		}
	}
	if !regexp.MustCompile(`rater [123]: a cross`).MatchString(text) ||
		!strings.Contains(text, "Discussion:\ntalk about it") {
		t.Errorf("notes are missing in %q", text)
	}
}

func TestCasesWithConflict(t *testing.T) {
	in := table(2, false, "iv", "iv")
	for k, desk := range []string{"D1", "D2"} {
		in.Events = append(in.Events, label.Event{
			ID: fmt.Sprint("G", k), Desk: desk, Round: "R", Model: "hash01", Annotator: "r1", Kind: label.Label,
			Pass: 1, Value: label.Values(2)[1-k],
		})
	}
	v := Build(in)
	if len(v.Cases) != 1 || v.Cases[0].Why() != label.WhyConflict ||
		!strings.Contains(v.spoken(v.Cases[0]), "variant at one desk, then invariant at another; the last one counts") {
		t.Errorf("cases %+v", v.Cases)
	}
}

func TestNoQueue(t *testing.T) {
	closed := table(2, true, "iv", "vv")
	closed.Round.Closed = true
	for want, in := range map[string]Input{
		"agree on every model": table(2, false, "iv", "iv"),
		"no model has labels":  table(2, false, "i.", ".v"),
		"Close it to":          table(2, true, "iv", "vv"),
		"":                     closed,
	} {
		if v := Build(in); !strings.Contains(v.NoQueue, want) || want == "" && len(v.Cases) != 1 {
			t.Errorf("%q and %d cases, want %q", v.NoQueue, len(v.Cases), want)
		}
	}
}
