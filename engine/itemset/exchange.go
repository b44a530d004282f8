package itemset

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// maxFile is how large a file of an ontology may be: thousands of keywords joined by a million edges.
const maxFile = 256 << 20

// WriteJSON writes the graph as JSON, ReadOntology reads it back. WriteGraphML writes it for graph programs: node ids are names, edges
// carry support, confidence, lift and whether they were edited.
func (o Ontology) WriteJSON(w io.Writer) error {
	o.Names, o.Counts, o.Nodes, o.Edges = filled(o.Names), filled(o.Counts), filled(o.Nodes), filled(o.Edges)
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(o); err != nil {
		return fmt.Errorf("write ontology: %w", err)
	}
	return nil
}

// filled is an empty list where there is none, so that files say [] and not null.
func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// ReadOntology reads what WriteJSON wrote and checks it. Errors say what is wrong and where.
func ReadOntology(r io.Reader) (Ontology, error) {
	limited := &io.LimitedReader{R: r, N: maxFile + 1}
	decoder := json.NewDecoder(limited)
	decoder.DisallowUnknownFields()
	var o Ontology
	err := decoder.Decode(&o)
	switch {
	case limited.N == 0:
		return Ontology{}, fmt.Errorf("read ontology: it is larger than %d MiB", maxFile>>20)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return Ontology{}, errors.New("read ontology: the file is empty or was cut off; take the file as it was written")
	case err != nil:
		return Ontology{}, fmt.Errorf("read ontology: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Ontology{}, errors.New("read ontology: there is something behind its end")
	}
	o.Names, o.Counts, o.Nodes, o.Edges = filled(o.Names), filled(o.Counts), filled(o.Nodes), filled(o.Edges)
	if err := o.check(); err != nil {
		return Ontology{}, fmt.Errorf("read ontology: %w", err)
	}
	return o, nil
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

// checkNodes refuses nodes that are no items, out of order, or neither frequent nor named by an edit.
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
			return fmt.Errorf("%q is a node with a count of %d, and %d make an item frequent", o.Names[item], o.Counts[item], least)
		}
	}
	return nil
}

// checkEdges refuses edges out of order, between items that are no nodes, and whose numbers do not fit the counts or the edits.
func (o Ontology) checkEdges(edited map[[2]int]float64) error {
	for k, e := range o.Edges {
		_, from := slices.BinarySearch(o.Nodes, e.From)
		_, to := slices.BinarySearch(o.Nodes, e.To)
		if !from || !to || e.From == e.To {
			return fmt.Errorf("edge %d leads from item %d to item %d: both must be nodes, and not the same", k, e.From, e.To)
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
	if want := float64(e.Count) / float64(o.Counts[e.From]); math.Abs(e.Weight-want) > slack || want < o.MinConfidence-slack {
		return fmt.Errorf("its weight is %g, but its count makes %g, of which %g are asked for at least", e.Weight, want, o.MinConfidence)
	}
	return nil
}

func (o Ontology) title(e Edge) string {
	return fmt.Sprintf("from %q to %q", o.Names[e.From], o.Names[e.To])
}
