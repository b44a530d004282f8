package itemset

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func asJSON(tb testing.TB, o Ontology) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := o.WriteJSON(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// edited is small with an edge changed, one removed and one added.
func edited(tb testing.TB) Ontology {
	tb.Helper()
	o, err := small(tb).With(
		Edit{From: "a", To: "b", Weight: 0.9, Note: "seen <more> often"}, Edit{From: "b", To: "a"}, Edit{From: "d", To: "a", Weight: 1},
	)
	if err != nil {
		tb.Fatal(err)
	}
	return o
}

func TestJSONComesBack(t *testing.T) {
	s := ownScenes(t)
	whole, err := New(s.names, s.transactions, s.support, s.confidence)
	if err != nil {
		t.Fatal(err)
	}
	empty, err := New(nil, nil, 0.05, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Ontology{"empty": empty, "small": small(t), "edited": edited(t), "scenes": whole} {
		data := asJSON(t, o)
		got, err := ReadOntology(bytes.NewReader(data))
		o.Counts = filled(o.Counts)
		if o.Names == nil {
			o.Names = []string{}
		}
		if err != nil || !reflect.DeepEqual(got, o) {
			t.Errorf("%s: %+v, want %+v (%v)", name, got, o, err)
		}
		if bytes.Contains(data, []byte("null")) || !bytes.Equal(data, asJSON(t, got)) {
			t.Errorf("%s is written as %.200s", name, data)
		}
	}
}

func TestReadOntologyRefuses(t *testing.T) {
	good := string(asJSON(t, edited(t)))
	replaced := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in %s", old, good)
		}
		return strings.Replace(good, old, new, 1)
	}
	var fields map[string]any
	if err := json.Unmarshal([]byte(good), &fields); err != nil {
		t.Fatal(err)
	}
	with := func(name string, value any) string {
		other := map[string]any{name: value}
		for k, v := range fields {
			if _, set := other[k]; !set {
				other[k] = v
			}
		}
		data, err := json.Marshal(other)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	edge := func(from, to, count int, weight float64, edited bool) []Edge {
		return []Edge{{from, to, count, weight, edited}}
	}
	for _, c := range []struct{ name, want, data string }{
		{"nothing", "empty or was cut off", ""},
		{"half of it", "empty or was cut off", good[:len(good)/2]},
		{"no JSON", "invalid character", "keywords"},
		{"another file", "unknown field", `{"sha256": ""}`},
		{"more behind it", "behind its end", good + "{}"},
		{"a name twice", `both called "a"`, with("names", []string{"a", "a", "c", "d"})},
		{"support", "minimum support 0", with("min_support", 0)},
		{"confidence", "minimum confidence 7", with("min_confidence", 7)},
		{"hash", "hash", with("hash", "abc")},
		{"counts", "2 counts for 4 names", with("counts", []int{1, 1})},
		{"a count too large", "count of 40 among 10", with("counts", []int{40, 3, 2, 1})},
		{"transactions below 0", "-1 transactions", with("transactions", -1)},
		{"a node of no item", "node 3 is item 9", with("nodes", []int{0, 1, 2, 9})},
		{"a node twice", "nodes ascend", with("nodes", []int{0, 0, 1, 2})},
		{"an edit of no item", `edit 0: the edge from "x" to "b"`, replaced(`"from": "a"`, `"from": "x"`)},
		{"an edge to itself", "not the same", with("edges", edge(1, 1, 1, 0.5, false))},
		{"an edge of no node", "both must be nodes", with("edges", edge(1, 7, 1, 0.5, false))},
		{"edges out of order", "out of order", with("edges", append(edge(2, 1, 1, 0.5, false), edge(0, 1, 2, 0.9, true)...))},
		{"an edge that was removed", "what the edits say", with("edges", edge(1, 0, 2, 2.0/3, false))},
		{"an edge edited by nobody", "what the edits say", with("edges", edge(2, 1, 1, 0.5, true))},
		{"another weight than edited", "what the edits say", with("edges", edge(0, 1, 2, 0.8, true))},
		{"a weight above 1", "weight is 2", with("edges", edge(2, 1, 1, 2, false))},
		{"a weight that does not fit", "its count makes 0.5", with("edges", edge(2, 1, 1, 0.6, false))},
		{"not confident", "of which 0.34 are asked", with("edges", edge(1, 2, 1, 1.0/3, false))},
		{"a count that no end has", "count of 3, its ends have 2 and 3", with("edges", edge(2, 1, 3, 1, false))},
		{"a pair that is not frequent", "2 make a pair frequent", strings.Replace(with("edges", edge(2, 1, 1, 0.5, false)), `"min_support":0.1`, `"min_support":0.2`, 1)},
	} {
		_, err := ReadOntology(strings.NewReader(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "read ontology: ") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := ReadOntology(broken{}); err == nil || !strings.Contains(err.Error(), "out of paper") {
		t.Errorf("a reader that fails: %v", err)
	}
}

// broken can neither be read nor be written.
type broken struct{}

func (broken) Read([]byte) (int, error)  { return 0, errors.New("out of paper") }
func (broken) Write([]byte) (int, error) { return 0, errors.New("out of paper") }

func TestWritingFails(t *testing.T) {
	for _, err := range []error{small(t).WriteJSON(broken{}), small(t).WriteGraphML(broken{})} {
		if err == nil || !strings.HasPrefix(err.Error(), "write ontology") || !strings.Contains(err.Error(), "out of paper") {
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
	if err := o.WriteGraphML(&b); err != nil {
		t.Fatal(err)
	}
	var got graphML
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	declared := map[string]string{}
	for _, k := range got.Keys {
		declared[k.ID] = k.For
	}
	values := func(kind string, list []graphData) map[string]string {
		m := map[string]string{}
		for _, d := range list {
			if declared[d.Key] != kind {
				t.Errorf("%s has the key %q of %q", kind, d.Key, declared[d.Key])
			}
			m[strings.TrimPrefix(d.Key, kind+".")] = d.Value
		}
		return m
	}
	if got.Graph.Default != "directed" || len(got.Graph.Nodes) != 4 || len(got.Graph.Edges) != 3 {
		t.Fatalf("%+v", got.Graph)
	}
	if g := values("graph", got.Graph.Data); g["transactions"] != "10" || g["min_support"] != "0.1" || g["hash"] != o.Hash {
		t.Errorf("the graph has %v", g)
	}
	last := got.Graph.Nodes[3]
	if n := values("node", last.Data); last.ID != o.Names[3] || n["label"] != o.Names[3] || n["count"] != "1" || n["support"] != "0.1" {
		t.Errorf("node %q has %v", last.ID, n)
	}
	for k, want := range []map[string]string{
		{"weight": "0.9", "confidence": "0.9", "count": "2", "support": "0.2", "lift": "3", "edited": "true"},
		{"weight": "0.5", "confidence": "0.5", "count": "1", "support": "0.1", "lift": "1.6666666666666667", "edited": "false"},
		{"weight": "1", "confidence": "1", "lift": "2.5", "edited": "true"},
	} {
		e := got.Graph.Edges[k]
		if e.Source != o.Names[o.Edges[k].From] || e.Target != o.Names[o.Edges[k].To] || !reflect.DeepEqual(values("edge", e.Data), want) {
			t.Errorf("edge %d from %q to %q has %v, want %v", k, e.Source, e.Target, values("edge", e.Data), want)
		}
	}
	var empty bytes.Buffer
	if err := (Ontology{MinSupport: 0.05}).WriteGraphML(&empty); err != nil || xml.Unmarshal(empty.Bytes(), &got) != nil {
		t.Errorf("an empty graph: %v, %s", err, empty.String())
	}
}

// FuzzReadOntology reads any bytes: what it takes is a graph that can be used, and is written and read again as it is.
func FuzzReadOntology(f *testing.F) {
	for _, o := range []Ontology{small(f), edited(f), chain(f, 5)} {
		f.Add(asJSON(f, o))
	}
	f.Add([]byte(`{"names":["a"],"counts":[1],"transactions":1,"min_support":1e-300,"min_confidence":1,"nodes":[0],"edges":[],"hash":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := ReadOntology(bytes.NewReader(data))
		if err != nil {
			return
		}
		again, err := ReadOntology(bytes.NewReader(asJSON(t, o)))
		if err != nil || !reflect.DeepEqual(o, again) {
			t.Fatalf("%+v became %+v (%v)", o, again, err)
		}
		if err := o.WriteGraphML(&bytes.Buffer{}); err != nil {
			t.Fatal(err)
		}
	})
}
