package present

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/itemset"
)

// OntologyNode is the line about a keyword of an ontology: "sky: in 771 of 960 images (80.3 %);
// leads to 5 keywords, reached from 33 keywords".
func OntologyNode(o itemset.Ontology, item int) string {
	if item < 0 || item >= len(o.Counts) {
		return ""
	}
	share := math.NaN()
	if o.Transactions > 0 {
		share = float64(o.Counts[item]) / float64(o.Transactions)
	}
	return fmt.Sprintf("%s: in %s of %s (%s); leads to %s, reached from %s", o.Names[item], Count(int64(o.Counts[item])),
		Counted(int64(o.Transactions), "image"), Percent(share), Counted(int64(len(o.From(item))), "keyword"), Counted(int64(len(o.To(item))), "keyword"))
}

// OntologyEdge is the line about an edge: "from sky to cloud: confidence 0.385, in 297 of 960
// images, lift 1.25", and whether it was set by hand.
func OntologyEdge(o itemset.Ontology, e itemset.Edge) string {
	if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(o.Names) {
		return ""
	}
	from, to, weight := o.Names[e.From], o.Names[e.To], Number(e.Weight)
	switch {
	case !e.Edited:
		images := Counted(int64(o.Transactions), "image")
		return fmt.Sprintf("from %s to %s: confidence %s, in %s of %s, lift %s", from, to, weight, Count(int64(e.Count)), images, Number(o.Lift(e)))
	case e.Count > 0 && o.Counts[e.From] > 0:
		counted := Number(float64(e.Count) / float64(o.Counts[e.From]))
		return fmt.Sprintf("from %s to %s: %s, set by hand; the images say %s", from, to, weight, counted)
	}
	return fmt.Sprintf("from %s to %s: %s, set by hand", from, to, weight)
}
