package desk

import (
	"fmt"
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

// TestKnownModels: adjudicated models of an earlier round, those of a file, and those that are
// named.
func TestKnownModels(t *testing.T) {
	ws, r := home(t, nil)
	m := ids(t, ws, r)
	for _, a := range r.Annotators {
		put(t, ws, r, a, 0, label.Variant)
	}
	for item, v := range []label.Value{label.Invariant, label.Borderline} {
		final := label.Event{Round: r.ID, Model: r.Models[item+1], Annotator: "judge", Kind: label.Adjudicate, Value: v}
		must(t, testdata.Err(ws.Append(final)))
	}
	file := saved(t, "known.csv", fmt.Sprintf("round_id,model_id,model_hash,a,majority,final\n"+
		"%s,%s,%s,variant,variant,\n%s,x,%064d,variant,variant,\n", r.ID, m[0], r.Models[0], r.ID, 7))
	h, of := r.Models, sent(t, ws, r, "")
	for name, c := range map[string]struct {
		classes int
		from    KnownFrom
		pairs   []string
		want    []string
	}{
		"round":                {3, KnownFrom{Round: r.ID}, nil, []string{h[1] + "=invariant", h[2] + "=borderline"}},
		"two classes":          {2, KnownFrom{Round: r.ID}, nil, []string{h[1] + "=invariant"}},
		"file":                 {2, KnownFrom{File: file}, nil, []string{h[0] + "=variant"}},
		"file of a desk":       {2, KnownFrom{File: of}, nil, []string{h[0] + "=variant", h[1] + "=invariant"}},
		"named":                {2, KnownFrom{}, []string{m[2] + "=robust"}, []string{h[2] + "=robust"}},
		"named above the rest": {2, KnownFrom{Round: r.ID}, []string{m[1] + "=variant"}, []string{h[1] + "=variant"}},
		"none":                 {2, KnownFrom{}, nil, nil},
	} {
		if got := testdata.Must(KnownModels(ws, c.classes, c.from, c.pairs))(t); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	ask := func(from KnownFrom, pairs ...string) error { return testdata.Err(KnownModels(ws, 3, from, pairs)) }
	testdata.Refused(t, "a stranger", ask(KnownFrom{}, "zoo=variant"), `known answer "zoo=variant"`, "zoo")
	testdata.Refused(t, "no file of labels", ask(KnownFrom{File: saved(t, "no.csv", "no table")}),
		"no.csv is no file of labels", "take a .vlabels")
	blind, err := ws.DuplicateRound(t.Context(), r.ID, func(r *label.Round) { r.Name, r.Blind = "blind", true })
	must(t, err)
	const open = "round blind is blind and still open"
	testdata.Refused(t, "a blind round", ask(KnownFrom{Round: blind.ID}), open)
	put(t, ws, blind, "a", 0, label.Variant)
	testdata.Refused(t, "a file of a blind round", ask(KnownFrom{File: sent(t, ws, blind, "")}), open)
	must(t, ws.CloseRound(blind.ID, true))
	testdata.Refused(t, "a round without final labels", ask(KnownFrom{Round: blind.ID}), "has no known answer")
}
