package dialogs

import (
	"fmt"
	"maps"
	"slices"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/option"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/scatter"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/ui/kit"
	own "github.com/variscope/variscope/ui/widget"
)

// known are the models with a known answer, by their hashes: those that are named and those of an
// earlier round.
func (d *roundDialog) known(o label.Options) []string {
	hashes := map[string]string{}
	for hash, id := range d.facts.ids {
		hashes[id] = hash
	}
	pairs := renamed(o.KnownModels, hashes)
	for _, judged := range d.facts.judged {
		if judged.ID == o.Known {
			pairs, _ = desk.AddKnown(pairs, judged.answers, o.Classes,
				func(hash string) bool { return d.facts.ids[hash] != "" })
		}
	}
	return pairs
}

// named are choices of these keys.
func named(keys []string, name func(key string) string) []kit.Option {
	list := make([]kit.Option, len(keys))
	for k, key := range keys {
		list[k] = kit.Option{Key: key, Name: name(key)}
	}
	return list
}

// people are annotators of other rounds; who retired is there only in a round that has them
// already.
func (d *roundDialog) people() (list []kit.Option) {
	for _, a := range d.facts.people {
		if !a.Retired || slices.Contains(d.task.base.Annotators, a.ID) {
			list = append(list, kit.Option{Key: a.ID, Name: a.Name})
		}
	}
	return list
}

// interpolants are the interpolated matrices that a round can show: the paper's, and those of the
// base round.
func interpolants(base label.Round) []kit.Option {
	var names []string
	for _, one := range scatter.Interpolants() {
		names = append(names, one.Name())
	}
	for _, name := range base.Interpolants {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return named(names, interpolantText)
}

// interpolantText is an interpolant with its circle and its sigma, "I1 (width 16, σ 5)".
func interpolantText(name string) string {
	p, err := scatter.ParseInterpolant(name)
	if err != nil {
		return name
	}
	return fmt.Sprintf("%s (width %g, σ %g)", name, p.Size, p.Sigma)
}

// choices are the entries of the menus. Of an option without a meaning there are none.
func (d *roundDialog) choices(source string) (list []kit.Option, first string) {
	o := d.ask.Form.Options()
	scenes := o.Kind == label.BackgroundRound
	switch {
	case source == "models":
		list = d.models(o)
	case source == "suites" && !scenes:
		list = withBase(SuiteOptions(d.facts.suites), d.task.base.Suite)
	case source == "selections" && scenes:
		for _, s := range d.facts.selections {
			list, first = append(list, kit.Option{Key: s.Hash, Name: s.Name}), s.Hash // the newest
		}
		list = withBase(list, d.task.base.Selection)
	case source == "filters" && !scenes:
		filters := []string{"all", "correct", "wrong"}
		if base := d.task.base.Filter; base != "" && !slices.Contains(filters, base) {
			filters = append(filters, base)
		}
		list = own.ByName(filters...)
	case source == "known":
		list = []kit.Option{{Name: "no earlier round"}}
		for _, judged := range d.facts.judged {
			list = append(list, kit.Option{
				Key:  judged.ID,
				Name: fmt.Sprintf("%s (%s)", judged.Name, result.Counted(len(judged.answers), "adjudicated model")),
			})
		}
	case source == "strata" && o.Sample != nil:
		columns := named(columnsOf(d.facts.models),
			func(name string) string { return fmt.Sprintf("evenly by %s", name) })
		list = append([]kit.Option{{Name: "from all alike"}}, columns...)
	}
	return list, first
}

// withBase adds what the base round has (a hash) to the choices where the workspace does not have
// it.
func withBase(list []kit.Option, hash string) []kit.Option {
	if hash == "" || slices.ContainsFunc(list, func(o kit.Option) bool { return o.Key == hash }) {
		return list
	}
	return append(list, kit.Option{Key: hash, Name: fmt.Sprintf("%s, not in this workspace", result.ID.SayText(hash))})
}

// models are the lists of models: the task's own, those that have signals for what is judged, and
// all. While the family cannot be read, they are the last ones.
func (d *roundDialog) models(o label.Options) []kit.Option {
	signals := modelGroup{"with signals in these scenes", d.facts.ran[o.Selection]}
	if o.Kind == label.VarianceRound {
		family, err := transform.Parse(o.Family)
		if err != nil && len(d.lists) > 0 {
			return d.lists
		}
		signals = modelGroup{"with signals", d.facts.ready[o.Suite+"\n"+family.String()]}
	}
	all := modelGroup{name: "all models"}
	for _, m := range d.facts.models {
		all.hashes = append(all.hashes, m.Hash)
	}
	d.lists = nil
	for _, one := range slices.Concat(d.task.offers, []modelGroup{signals}, d.task.more, []modelGroup{all}) {
		if len(one.hashes) > 0 {
			name := fmt.Sprintf("%s (%d)", one.name, len(one.hashes))
			d.lists = append(d.lists, kit.Option{Key: option.Join(one.hashes), Name: name})
		}
	}
	return d.lists
}

// columnsOf are the columns of the models' records that tell them apart without being different
// for each.
func columnsOf(models []model.Model) []string {
	values := map[string]map[string]bool{}
	for _, m := range models {
		for _, field := range m.Record {
			if values[field.Name] == nil {
				values[field.Name] = map[string]bool{}
			}
			values[field.Name][field.Value] = true
		}
	}
	maps.DeleteFunc(values, func(_ string, v map[string]bool) bool { return len(v) < 2 || 2*len(v) > len(models)+1 })
	return slices.Sorted(maps.Keys(values))
}

// usualClasses is how many classes a round of that kind usually has.
func usualClasses(kind label.RoundKind) int {
	if kind == label.BackgroundRound {
		return 3
	}
	return 2
}
