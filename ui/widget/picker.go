package widget

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Option is an entry of a menu: what is chosen, and its name.
type Option struct{ Key, Name string }

// ByName are options whose keys are their names.
func ByName(names ...string) []Option {
	list := make([]Option, len(names))
	for k, name := range names {
		list[k] = Option{name, name}
	}
	return list
}

// Picker is a menu of options that tells the key of the chosen one.
type Picker struct {
	*widget.Select
	tree  *Choice // whose Select it is, nil without submenus
	list  []Option
	names []string // what the menu calls the options of list
	quiet bool     // it is being filled
}

// NewPicker makes an empty menu.
func NewPicker(chosen func(key string)) *Picker {
	p := &Picker{}
	p.Select = widget.NewSelect(nil, p.told(chosen))
	return p
}

// NewTreePicker makes an empty menu whose options may stand in submenus.
func NewTreePicker(chosen func(key string)) *Picker {
	p := &Picker{}
	p.tree = NewChoice(p.told(chosen))
	p.Select = &p.tree.Select
	return p
}

func (p *Picker) told(chosen func(key string)) func(string) {
	return func(name string) {
		if at := slices.Index(p.names, name); !p.quiet && at >= 0 {
			chosen(p.list[at].Key)
		}
	}
}

// Object is what a form shows.
func (p *Picker) Object() fyne.CanvasObject {
	if p.tree != nil {
		return p.tree
	}
	return p.Select
}

// Lay lays the options of a tree out, which nodes call by their names; the chosen one stays.
func (p *Picker) Lay(nodes []ChoiceNode) { p.tree.SetNodes(nodes) }

// Offer fills the menu and shows a key as chosen, without telling; a key that is not among the
// options leaves none chosen.
func (p *Picker) Offer(list []Option, key string) {
	p.quiet = true
	defer func() { p.quiet = false }()
	if !slices.Equal(list, p.list) {
		p.list = slices.Clone(list)
		p.names = make([]string, len(list))
		often := map[string]int{}
		for k, o := range list {
			p.names[k] = o.Name
			if often[o.Name]++; often[o.Name] > 1 { // a menu finds its entries by their texts
				p.names[k] = fmt.Sprintf("%s (%d)", o.Name, often[o.Name])
			}
		}
		p.SetOptions(p.names)
	}
	if at := slices.IndexFunc(list, func(o Option) bool { return o.Key == key }); at >= 0 {
		p.SetSelected(p.names[at])
	} else {
		p.ClearSelected()
	}
}
