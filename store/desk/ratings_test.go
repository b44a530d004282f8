package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/export"
	"github.com/variscope/variscope/store/ratings"
)

func saved(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// ids are the ids of a round's models.
func ids(t *testing.T, ws *store.Workspace, r label.Round) []string {
	t.Helper()
	var list []string
	for _, hash := range r.Models {
		m := testdata.Must(ws.Model(hash))(t)
		list = append(list, m.ID)
	}
	return list
}

// TestTablesOfOthers: a table of others becomes labels of the round, once.
func TestTablesOfOthers(t *testing.T) {
	ws, r := home(t, nil)
	m := ids(t, ws, r)
	merge := func(path string, how Reading) Plan {
		t.Helper()
		plan := testdata.Must(Preview(t.Context(), ws, []string{path}, how, nil))(t)
		must(t, plan.Problem())
		must(t, testdata.Err(Merge(ws, plan)))
		return plan
	}
	current := func() string {
		t.Helper()
		var text strings.Builder
		now := label.Current(events(t, ws, r))
		for _, hash := range r.Models {
			for _, annotator := range r.Annotators {
				text.WriteString((string(now[label.Key{Model: hash, Annotator: annotator}].Value) + "-")[:1])
			}
		}
		return text.String()
	}
	wide := saved(t, "wide.csv", fmt.Sprintf("sep=;\nmodel;A;B\n%s.onnx;0;2\n%s;1;NA\n", m[0], m[1]))
	for _, new := range []int{3, 0} {
		plan := merge(wide, Reading{Round: r.ID})
		if f := plan.Files[0]; f.Events != 3 || f.New != new || f.Known != 3-new || f.Round != r.Name ||
			!strings.Contains(f.Taken, "1 as borderline") {
			t.Errorf("%+v", f)
		}
		testdata.Is(t, "labels", current(), "iv-b-----")
	}
	// A later table replaces a label; a model's id without its ending, words by --map.
	long := saved(t, "long.csv", fmt.Sprintf("label,rater,item\nbad,a,%s\nok,c,%s\n", m[0], m[2]))
	p := merge(long, Reading{Options: ratings.Options{Map: []string{"bad=variant", "ok=invariant"}}})
	if p.Files[0].New != 2 || current() != "vv-b----i" {
		t.Errorf("%+v, %s", p.Files[0], current())
	}
	own := saved(t, "own.csv", "model,A\n"+m[0]+",variant\n")
	if f := merge(own, Reading{}).Files[0]; f.Known != 1 || f.Taken == "" || strings.Contains(f.Taken, "labels: ") {
		t.Errorf("a table of the round's own words: %+v", f)
	}
	for text, want := range map[string]string{
		"model,A\n" + m[0] + ",ok\n":                        `"ok" is no label of 3 classes`,
		"model,zoe\n" + m[0] + ",v\n":                       "zoe is not an annotator of round first; it has a, b, c",
		"model,A\nother,v\n":                                "other is not a model of round first",
		"model,A\n" + m[0] + ",1\n":                         "the number 1 may be borderline or variant",
		"model,A,a\n" + m[0] + ",v,i\n":                     "gives model " + m[0] + " two labels",
		"no table":                                          "neither a file of labels nor a table",
		"round_id,model_id,model_hash,majority,final\n,,,,": "column round_id",
	} {
		plan := testdata.Must(Preview(t.Context(), ws, []string{saved(t, "l.csv", text)}, Reading{}, nil))(t)
		testdata.Refused(t, text, plan.Problem(), want, "nothing was changed")
	}
	// Our own wide table and Label Studio's file come back.
	out := filepath.Join(t.TempDir(), "set")
	must(t, testdata.Err(export.Export(t.Context(), ws, export.Options{Out: out}, nil)))
	for _, name := range []string{"labels_wide.csv", "label_studio.json", "labels_long.csv"} {
		if f := merge(filepath.Join(out, name), Reading{}).Files[0]; f.New != 0 || f.Known == 0 || f.Round != r.Name {
			t.Errorf("%s: %+v", name, f)
		}
	}
	ruled := saved(t, "ruled.csv",
		fmt.Sprintf("round_id,model_id,model_hash,a,majority,final,by_rule\n%s,%s,%s,variant,variant,,true\n", r.ID,
			m[0], r.Models[0]))
	testdata.Is(t, "labels of a rule", merge(ruled, Reading{}).Files[0].Taken, label.ByRuleNote)
	must(t, ws.CloseRound(r.ID, true))
	plan := testdata.Must(Preview(t.Context(), ws, []string{wide}, Reading{}, nil))(t)
	testdata.Refused(t, "a closed round", plan.Problem(), "round first is closed")
}

// TestTablesWithOwnWords: a table may say the round's own words, and what was asked for stands
// above them.
func TestTablesWithOwnWords(t *testing.T) {
	ws, r := home(t, func(r *label.Round) {
		r.Words, r.Overlap = map[label.Value]string{label.Invariant: "robust", label.Borderline: "so so"}, 2
	})
	m := ids(t, ws, r)
	who := slices.IndexFunc(r.Annotators, func(a string) bool {
		return r.Assigned(a, r.Models[0]) && r.Assigned(a, r.Models[1])
	})
	rater := r.Annotators[max(who, 0)]
	table := saved(t, "words.csv", fmt.Sprintf("item,%s\n%s,Robust\n%s,so so\n", rater, m[0], m[1]))
	for _, c := range []struct {
		asked []string
		want  label.Value
	}{{nil, label.Invariant}, {[]string{"robust=variant"}, label.Variant}} {
		plan, err := Preview(t.Context(), ws, []string{table}, Reading{Options: ratings.Options{Map: c.asked}}, nil)
		if err != nil || plan.Problem() != nil || len(plan.events) != 2 || plan.events[0].Value != c.want ||
			plan.events[1].Value != label.Borderline {
			t.Errorf("%v: %+v, %v, %v", c.asked, plan.events, plan.Problem(), err)
		}
	}
	for _, a := range r.Annotators {
		if r.Assigned(a, r.Models[2]) {
			continue
		}
		stray := saved(t, "stray.csv", fmt.Sprintf("item,%s\n%s,variant\n", a, m[2]))
		plan := testdata.Must(Preview(t.Context(), ws, []string{stray}, Reading{}, nil))(t)
		testdata.Refused(t, "a table", plan.Problem(), "is not assigned to "+a)
		testdata.Refused(t, "a label", testdata.Err(ws.Append(label.Event{
			Round: r.ID, Model: r.Models[2], Annotator: a, Kind: label.Label, Value: label.Variant,
		})), "is not assigned to "+a)
	}
}
