package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store"
)

// Elsewhere are models on every suite with runs of one of them under the family of ask or, by
// "family", under every family with runs on its suite: the domains of a transfer, in natural order.
// gather measures the models of such an Ask and says of them what is to be known. What cannot be
// gathered is left out; lines say why, and what gather said, in the same order.
func Elsewhere(
	ctx context.Context, ws *store.Workspace, ask Ask, by string, gather func(Ask) (assess.Data, []string, error),
) (list []assess.Domain, lines []string, err error) {
	type place struct{ name, suite, family string }
	var places []place
	for _, hash := range ask.Models {
		sets, err := ws.Sets(hash, "", "")
		if err != nil {
			return nil, nil, err
		}
		for _, set := range sets {
			p := place{suite: set.Spec.Source, family: set.Spec.Family}
			here := p.family == ask.Family
			if by == "family" {
				_, err := transform.Parse(p.family)
				here = p.suite == ask.Suite && err == nil // a set of transformations has no matrices
			}
			if here && !slices.Contains(places, p) {
				places = append(places, p)
			}
		}
	}
	for k := range places {
		p := &places[k]
		on, err := ws.Suite(p.suite)
		switch p.name = on.Name; {
		case by == "family":
			p.name = p.family
		case errors.Is(err, store.ErrNotFound):
			p.name = result.ID.SayText(p.suite)
		case err != nil:
			return nil, nil, err
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(result.Natural(a.name, b.name), cmp.Compare(a.suite, b.suite))
	})
	for k, p := range places {
		name := p.name
		if k > 0 && places[k-1].name == name {
			name += " (" + result.ID.SayText(p.suite) + ")"
		}
		there := ask
		there.Suite, there.Family = p.suite, p.family
		data, said, err := gather(there)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err != nil {
			lines = append(lines, fmt.Sprintf("%s is left out: %s", name, err))
			continue
		}
		if list = append(list, assess.Domain{Name: name, Data: data}); len(said) > 0 {
			lines = append(lines, name+": "+strings.Join(said, "; "))
		}
	}
	return list, lines, nil
}
