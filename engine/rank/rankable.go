package rank

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/result"
)

// Rankable is a sentence that says why the data cannot be ranked, nil where they can. left are
// models that are not among them.
func (d Data) Rankable(left []LeftOut) error {
	if err := d.Check(); err != nil {
		if len(left) > 0 {
			err = fmt.Errorf("%w; left out: %s", err, someReasons(left))
		}
		return err
	}
	if d.Identical() {
		return fmt.Errorf("all %d models predict the same class for each of the %d images, so nothing tells them apart",
			len(d.Models), d.Samples)
	}
	return nil
}

// Partly says for each suite which models take no part on it: "fog 5: m1, m2 (no predictions)".
// Whole suites in the list are passed over.
func Partly(left []LeftOut) []string {
	var order []string
	models := map[string][]LeftOut{}
	for _, l := range left {
		suite := cmp.Or(l.SuiteHash, l.Suite)
		if l.ID == "" {
			continue
		}
		if models[suite] == nil {
			order = append(order, suite)
		}
		models[suite] = append(models[suite], l)
	}
	for k, suite := range order {
		order[k] = models[suite][0].Suite + ": " + someReasons(models[suite])
	}
	return order
}

// Uneven says that suites rest on different models, "" where all rest on the same. Suites on which
// nothing was ranked do not count.
func Uneven(on []*OnSuite) string {
	var all [][]string
	for _, s := range on {
		var keys []string
		for _, m := range s.Models {
			keys = append(keys, m.key())
		}
		if slices.Sort(keys); keys != nil {
			all = append(all, keys)
		}
	}
	if len(slices.CompactFunc(slices.Clone(all), slices.Equal)) < 2 {
		return ""
	}
	slices.SortFunc(all, func(a, b []string) int { return len(a) - len(b) })
	many := strconv.Itoa(len(all[0]))
	if most := len(all[len(all)-1]); most > len(all[0]) {
		many = fmt.Sprintf("%s to %d", many, most)
	}
	return fmt.Sprintf("The suites rest on different models, %s on each, "+
		"and count alike in means and comparisons.", many)
}

// someReasons lists models that are left out, at most five for a reason.
func someReasons(left []LeftOut) string {
	var order []string
	models := map[string][]string{}
	for _, l := range left {
		if models[l.Reason.Text] == nil {
			order = append(order, l.Reason.Text)
		}
		models[l.Reason.Text] = append(models[l.Reason.Text], l.ID)
	}
	for k, reason := range order {
		order[k] = fmt.Sprintf("%s (%s)", result.Some(models[reason]), reason)
	}
	return strings.Join(order, ", ")
}

// Unranked says why there is no ranking where none of the rankers has one, else it is nil.
func (b Leaderboard) Unranked() error {
	var reasons []string
	for _, one := range b.Rankings {
		if one.Reason.None() {
			return nil
		}
		reasons = append(reasons, fmt.Sprintf("%s: %s", one.Method, one.Reason))
	}
	return errors.New("there is no ranking: " + strings.Join(reasons, "; "))
}
