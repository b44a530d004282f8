package export

import (
	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/result"
)

// Set is all that an export writes, gathered from a workspace at one time.
type Set struct {
	Workspace, Desk string
	Version         string // of the program
	Limited         bool   // not all models were asked for
	Rounds          []label.Round
	Events          map[string][]label.Event // by round id, in ULID order
	IDs             map[string]string        // model ids by hash
	Views           []View                   // the first lies at the top of the export
	Agreement       []*agreement.Round       // in the order of Rounds
}

// id is the name of a model in files: its id, or the start of its hash when the workspace does not
// have it.
func (s Set) id(hash string) string {
	if id := s.IDs[hash]; id != "" {
		return id
	}
	return short(hash)
}

// short is the beginning of a hash, in place of a name.
func short(hash string) string { return hash[:min(12, len(hash))] }

// longLabels is the table of all events, by round.
func (s Set) longLabels() *result.Sheet {
	var rows []label.Row
	for _, r := range s.Rounds {
		for _, ev := range s.Events[r.ID] {
			rows = append(rows, label.Row{Event: ev, RoundName: r.Name, ModelID: s.id(ev.Model)})
		}
	}
	return label.Labels.Sheet(rows)
}

// modelIDs are the names of a round's items in their order.
func (s Set) modelIDs(r label.Round) []string {
	ids := make([]string, len(r.Models))
	for k, hash := range r.Models {
		ids[k] = s.id(hash)
	}
	return ids
}

// find returns a round's view and one of its items.
func (s Set) find(r label.Round, hash string) (View, Item, bool) {
	for _, v := range s.Views {
		if v.Suite != r.Suite || v.Family != r.Family || v.Filter != r.Filter {
			continue
		}
		for _, it := range v.Items {
			if it.Hash == hash {
				return v, it, true
			}
		}
	}
	return View{}, Item{}, false
}
