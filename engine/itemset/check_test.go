package itemset

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// readOntology reads what WriteJSON wrote, as a program of others may, and checks it.
func readOntology(data []byte) (o Ontology, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(&o); err == nil {
		o.Names, o.Counts, o.Nodes, o.Edges = filled(o.Names), filled(o.Counts), filled(o.Nodes), filled(o.Edges)
		err = o.check()
	}
	return o, err
}

// check refuses what no New and With make.
func (o Ontology) check() error {
	if err := o.checkSettings(); err != nil {
		return err
	}
	if sum, err := hex.DecodeString(o.Hash); err != nil || len(sum) != 32 {
		return fmt.Errorf("the hash %q is none of 64 hexadecimal digits", o.Hash)
	}
	if len(o.Counts) != len(o.Names) {
		return fmt.Errorf("there are %d counts for %d names", len(o.Counts), len(o.Names))
	}
	if o.Transactions < 0 {
		return fmt.Errorf("there are %d transactions", o.Transactions)
	}
	for item, n := range o.Counts {
		if n < 0 || n > o.Transactions {
			return fmt.Errorf("%q has a count of %d among %d transactions", o.Names[item], n, o.Transactions)
		}
	}
	edited, err := o.edited()
	if err != nil {
		return err
	}
	if err := o.checkNodes(); err != nil {
		return err
	}
	return o.checkEdges(edited)
}

// edited are the weights that the edits end with, by the ends of the edges.
func (o Ontology) edited() (map[[2]int]float64, error) {
	items := o.items()
	edited := make(map[[2]int]float64, len(o.Edits))
	for k, edit := range o.Edits {
		e, err := edit.edge(items)
		if err != nil {
			return nil, fmt.Errorf("edit %d: %w", k, err)
		}
		edited[[2]int{e.From, e.To}] = e.Weight
	}
	return edited, nil
}

// checkNodes refuses nodes that are no items, out of order, or neither frequent nor named by an
// edit.
func (o Ontology) checkNodes() error {
	byHand := map[string]bool{}
	for _, edit := range o.Edits {
		byHand[edit.From], byHand[edit.To] = true, true
	}
	least := leastCount(o.Transactions, o.MinSupport)
	for k, item := range o.Nodes {
		if item < 0 || item >= len(o.Names) {
			return fmt.Errorf("node %d is item %d, but the items are 0 to %d", k, item, len(o.Names)-1)
		}
		if k > 0 && item <= o.Nodes[k-1] {
			return fmt.Errorf("node %d is item %d behind item %d: nodes ascend", k, item, o.Nodes[k-1])
		}
		if o.Counts[item] < least && !byHand[o.Names[item]] {
			return fmt.Errorf("%q is a node with a count of %d, and %d make an item frequent", o.Names[item],
				o.Counts[item], least)
		}
	}
	return nil
}

// checkEdges refuses edges out of order, between items that are no nodes, and whose numbers do not
// fit the counts or the edits.
func (o Ontology) checkEdges(edited map[[2]int]float64) error {
	for k, e := range o.Edges {
		_, from := slices.BinarySearch(o.Nodes, e.From)
		_, to := slices.BinarySearch(o.Nodes, e.To)
		if !from || !to || e.From == e.To {
			return fmt.Errorf("edge %d leads from item %d to item %d: both must be nodes, and not the same",
				k, e.From, e.To)
		}
		if k > 0 && o.Edges[k-1].compare(e) >= 0 {
			return fmt.Errorf("edge %d (%s) is out of order: edges ascend by from, then by to", k, o.title(e))
		}
		weight, byHand := edited[[2]int{e.From, e.To}]
		if byHand != e.Edited || byHand && weight != e.Weight {
			return fmt.Errorf("edge %d (%s) does not have what the edits say of it", k, o.title(e))
		}
		if err := o.checkNumbers(e); err != nil {
			return fmt.Errorf("edge %d (%s): %w", k, o.title(e), err)
		}
	}
	return nil
}

func (o Ontology) checkNumbers(e Edge) error {
	if e.Count < 0 || e.Count > min(o.Counts[e.From], o.Counts[e.To]) {
		return fmt.Errorf("it has a count of %d, its ends have %d and %d", e.Count, o.Counts[e.From], o.Counts[e.To])
	}
	if !(e.Weight > 0 && e.Weight <= 1) {
		return fmt.Errorf("its weight is %g: it must be above 0 and at most 1", e.Weight)
	}
	if e.Edited {
		return nil
	}
	if least := leastCount(o.Transactions, o.MinSupport); e.Count < least {
		return fmt.Errorf("it has a count of %d, and %d make a pair frequent", e.Count, least)
	}
	const slack = 1e-9 // files of other programs may have fewer digits
	if want := float64(e.Count) / float64(o.Counts[e.From]); math.Abs(e.Weight-want) > slack ||
		want < o.MinConfidence-slack {
		return fmt.Errorf("its weight is %g, but its count makes %g, of which %g are asked for at least", e.Weight,
			want, o.MinConfidence)
	}
	return nil
}

func (o Ontology) title(e Edge) string {
	return fmt.Sprintf("from %q to %q", o.Names[e.From], o.Names[e.To])
}
