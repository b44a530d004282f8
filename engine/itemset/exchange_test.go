package itemset

import (
	"bytes"
	"encoding/xml"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/variscope/variscope/internal/testdata"
)

func asJSON(tb testing.TB, o Ontology) []byte {
	tb.Helper()
	var b bytes.Buffer
	testdata.OK(tb, o.WriteJSON(&b))
	return b.Bytes()
}

// edited is small with an edge changed, one removed and one added.
func edited(tb testing.TB) Ontology {
	tb.Helper()
	return testdata.Must(small(tb).With(
		Edit{From: "a", To: "b", Weight: 0.9, Note: "seen <more> often"}, Edit{From: "b", To: "a"},
		Edit{From: "d", To: "a", Weight: 1},
	))(tb)
}

func TestJSONComesBack(t *testing.T) {
	empty := testdata.Must(New(nil, nil, 0.05, 0.3))(t)
	for name, o := range map[string]Ontology{"empty": empty, "small": small(t), "edited": edited(t)} {
		data := asJSON(t, o)
		var got Ontology
		testdata.Strict(t, data, &got)
		testdata.NoDiff(t, name, cmp.Diff(o, got, cmpopts.EquateEmpty()))
		if bytes.Contains(data, []byte("null")) || !bytes.Equal(data, asJSON(t, got)) {
			t.Errorf("%s is written as %.200s", name, data)
		}
	}
}

// broken cannot be written.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("out of paper") }

func TestWritingFails(t *testing.T) {
	for _, err := range []error{small(t).WriteJSON(broken{}), small(t).WriteGraphML(broken{})} {
		if err == nil || !strings.HasPrefix(err.Error(), "write ontology") ||
			!strings.Contains(err.Error(), "out of paper") {
			t.Errorf("%v", err)
		}
	}
}

func TestGraphML(t *testing.T) {
	o := edited(t)
	o.Names[3] = `d <&"> ü`
	for k := range o.Edits {
		o.Edits[k].From = strings.Replace(o.Edits[k].From, "d", o.Names[3], 1)
	}
	var b bytes.Buffer
	testdata.OK(t, o.WriteGraphML(&b))
	var got graphML
	testdata.OK(t, xml.Unmarshal(b.Bytes(), &got))
	declared := map[string]string{}
	for _, k := range got.Keys {
		declared[k.ID] = k.For
	}
	values := func(kind string, list []graphData) map[string]string {
		m := map[string]string{}
		for _, d := range list {
			testdata.Is(t, "got", declared[d.Key], kind)
			m[strings.TrimPrefix(d.Key, kind+".")] = d.Value
		}
		return m
	}
	if got.Graph.Default != "directed" || len(got.Graph.Nodes) != 4 || len(got.Graph.Edges) != 3 {
		t.Fatalf("%+v", got.Graph)
	}
	if g := values("graph", got.Graph.Data); g["transactions"] != "10" || g["min_support"] != "0.1" ||
		g["hash"] != o.Hash {
		t.Errorf("the graph has %v", g)
	}
	last := got.Graph.Nodes[3]
	if n := values("node", last.Data); last.ID != o.Names[3] || n["label"] != o.Names[3] || n["count"] != "1" ||
		n["support"] != "0.1" {
		t.Errorf("node %q has %v", last.ID, n)
	}
	for k, want := range []map[string]string{
		{"weight": "0.9", "confidence": "0.9", "count": "2", "support": "0.2", "lift": "3", "edited": "true"},
		{
			"weight": "0.5", "confidence": "0.5", "count": "1", "support": "0.1", "lift": "1.6666666666666667",
			"edited": "false",
		},
		{"weight": "1", "confidence": "1", "lift": "2.5", "edited": "true"},
	} {
		e := got.Graph.Edges[k]
		if e.Source != o.Names[o.Edges[k].From] || e.Target != o.Names[o.Edges[k].To] ||
			!reflect.DeepEqual(values("edge", e.Data), want) {
			t.Errorf("edge %d from %q to %q has %v, want %v", k, e.Source, e.Target, values("edge", e.Data), want)
		}
	}
	var empty bytes.Buffer
	if err := (Ontology{MinSupport: 0.05}).WriteGraphML(&empty); err != nil ||
		xml.Unmarshal(empty.Bytes(), &got) != nil {
		t.Errorf("an empty graph: %v, %s", err, empty.String())
	}
}
