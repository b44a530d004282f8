package training

import (
	"context"
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
// gathered is left out; lines say why, and what gather said.
func Elsewhere(
	ctx context.Context, ws *store.Workspace, ask Ask, by string, gather func(Ask) (assess.Data, []string, error),
) (list []assess.Domain, lines []string, err error) {
	var names []string // hashes of suites, or families
	for _, hash := range ask.Models {
		sets, err := ws.Sets(hash, "", "")
		if err != nil {
			return nil, nil, err
		}
		for _, set := range sets {
			name, here := set.Spec.Source, set.Spec.Family == ask.Family
			if by == "family" {
				name, here = set.Spec.Family, set.Spec.Source == ask.Suite
				_, err := transform.Parse(name)
				here = here && err == nil // a set of transformations has no matrices
			}
			if here && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	for _, name := range names {
		there := ask
		if there.Suite = name; by == "family" {
			there.Suite, there.Family = ask.Suite, name
		}
		data, said, err := gather(there)
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err != nil {
			lines = append(lines, fmt.Sprintf("%s is left out: %s", result.ID.SayText(name), err))
			continue
		}
		if by != "family" {
			on, err := ws.Suite(name)
			if err != nil {
				return nil, nil, err
			}
			name = on.Name
		}
		if slices.ContainsFunc(list, func(d assess.Domain) bool { return d.Name == name }) {
			name += " (" + result.ID.SayText(there.Suite) + ")"
		}
		if list = append(list, assess.Domain{Name: name, Data: data}); len(said) > 0 {
			lines = append(lines, name+": "+strings.Join(said, "; "))
		}
	}
	slices.SortStableFunc(list, func(a, b assess.Domain) int { return result.Natural(a.Name, b.Name) })
	return list, lines, nil
}
