package rank

import (
	"errors"
	"fmt"
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
func (b Board) Unranked() error {
	var reasons []string
	for _, one := range b.Rankings {
		if one.Reason.None() {
			return nil
		}
		reasons = append(reasons, fmt.Sprintf("%s: %s", one.Method, one.Reason))
	}
	return errors.New("there is no ranking: " + strings.Join(reasons, "; "))
}
