package present

import (
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/result"
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
	return fmt.Sprintf("%s: in %s of %s (%s); leads to %s, reached from %s", o.Names[item], result.Whole(o.Counts[item]),
		result.Counted(o.Transactions, "image"), result.Share.Say(share, 0), result.Counted(len(o.From(item)), "keyword"), result.Counted(len(o.To(item)), "keyword"))
}

// OntologyEdge is the line about an edge: "from sky to cloud: confidence 0.385, in 297 of 960
// images, lift 1.25", and whether it was set by hand.
func OntologyEdge(o itemset.Ontology, e itemset.Edge) string {
	if min(e.From, e.To) < 0 || max(e.From, e.To) >= len(o.Names) {
		return ""
	}
	from, to, weight := o.Names[e.From], o.Names[e.To], result.Significant(e.Weight, 3)
	switch {
	case !e.Edited:
		images := result.Counted(o.Transactions, "image")
		return fmt.Sprintf("from %s to %s: confidence %s, in %s of %s, lift %s", from, to, weight, result.Whole(e.Count), images, result.Significant(o.Lift(e), 3))
	case e.Count > 0 && o.Counts[e.From] > 0:
		counted := result.Significant(float64(e.Count)/float64(o.Counts[e.From]), 3)
		return fmt.Sprintf("from %s to %s: %s, set by hand; the images say %s", from, to, weight, counted)
	}
	return fmt.Sprintf("from %s to %s: %s, set by hand", from, to, weight)
}
