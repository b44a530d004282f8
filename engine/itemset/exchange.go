package itemset

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes the graph as JSON. WriteGraphML writes it for graph programs: node ids are
// names, edges carry support, confidence, lift and whether they were edited.
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
