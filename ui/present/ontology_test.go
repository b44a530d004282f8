package present

import (
	"testing"

	"github.com/variscope/variscope/engine/itemset"
)

func TestOntologyLines(t *testing.T) {
	o, err := itemset.New([]string{"sky", "sea", "fog"}, [][]int{{0, 1}, {0}, {0, 1}, {0}, {2}}, 0.4, 0.5)
	if err == nil {
		o, err = o.With(itemset.Edit{From: "sea", To: "sky", Weight: 0.25}, itemset.Edit{From: "fog", To: "sky", Weight: 1})
	}
	if err != nil || len(o.Edges) != 3 {
		t.Fatalf("%+v, %v", o, err)
	}
	empty, err := itemset.New([]string{"sky"}, nil, 0.4, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want string }{
		{OntologyNode(o, 0), "sky: in 4 of 5 images (80.0 %); leads to 1 keyword, reached from 2 keywords"},
		{OntologyNode(empty, 0), "sky: in 0 of 0 images (-); leads to 0 keywords, reached from 0 keywords"},
		{OntologyNode(o, 3), ""},
		{OntologyNode(o, -1), ""},
		{OntologyEdge(o, o.Edges[0]), "from sky to sea: confidence 0.500, in 2 of 5 images, lift 1.25"},
		{OntologyEdge(o, o.Edges[1]), "from sea to sky: 0.250, set by hand; the images say 1.00"},
		{OntologyEdge(o, o.Edges[2]), "from fog to sky: 1.00, set by hand"},
		{OntologyEdge(o, itemset.Edge{From: 0, To: 5}), ""},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
