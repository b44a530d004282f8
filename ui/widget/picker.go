package widget

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2/widget"
)

// Option is an entry of a menu: what is chosen, and its name.
type Option struct{ Key, Name string }

// Picker is a menu of options that tells the key of the chosen one.
type Picker struct {
	*widget.Select
	list  []Option
	quiet bool // it is being filled
}

// NewPicker makes an empty menu.
func NewPicker(chosen func(key string)) *Picker {
	p := &Picker{}
	p.Select = widget.NewSelect(nil, func(string) {
		if at := p.SelectedIndex(); !p.quiet && at >= 0 && at < len(p.list) {
			chosen(p.list[at].Key)
		}
	})
	return p
}

// Offer fills the menu and shows a key as chosen, without telling; a key that is not among the options leaves none chosen.
func (p *Picker) Offer(list []Option, key string) {
	p.quiet = true
	defer func() { p.quiet = false }()
	if !slices.Equal(list, p.list) {
		p.list = slices.Clone(list)
		names := make([]string, len(list))
		often := map[string]int{}
		for k, o := range list {
			names[k] = o.Name
			if often[o.Name]++; often[o.Name] > 1 { // a menu finds its entries by their texts
				names[k] = fmt.Sprintf("%s (%d)", o.Name, often[o.Name])
			}
		}
		p.SetOptions(names)
	}
	if at := slices.IndexFunc(list, func(o Option) bool { return o.Key == key }); at >= 0 {
		p.SetSelectedIndex(at)
	} else {
		p.ClearSelected()
	}
}
