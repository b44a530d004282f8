package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Choice is a Select whose menu may have submenus: for many options that belong together. The line
// shows the chosen option's whole name, as a Select does; the left and right arrow keys step
// through Options.
type Choice struct {
	widget.Select
	nodes []ChoiceNode
}

// ChoiceNode is a line of the menu: an option, or a heading with further lines.
type ChoiceNode struct {
	Title  string
	Option string // "" for a heading
	Nodes  []ChoiceNode
}

// NewChoice makes a choice without options; OnChanged hears what is chosen.
func NewChoice(changed func(option string)) *Choice {
	c := &Choice{}
	c.OnChanged = changed
	c.ExtendBaseWidget(c)
	return c
}

// SetNodes changes what can be chosen. Options become the nodes' options in order; what is selected
// stays.
func (c *Choice) SetNodes(nodes []ChoiceNode) {
	c.nodes = nodes
	c.SetOptions(optionsOf(nodes, nil))
}

func optionsOf(nodes []ChoiceNode, options []string) []string {
	for _, n := range nodes {
		if n.Option != "" {
			options = append(options, n.Option)
		}
		options = optionsOf(n.Nodes, options)
	}
	return options
}

// Tapped opens the menu.
func (c *Choice) Tapped(at *fyne.PointEvent) {
	if !c.nested() {
		c.Select.Tapped(at)
		return
	}
	if !c.Disabled() {
		c.open()
	}
}

// TypedKey opens the menu or steps through the options.
func (c *Choice) TypedKey(key *fyne.KeyEvent) {
	switch key.Name {
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown:
		if c.nested() {
			c.open()
			return
		}
	}
	c.Select.TypedKey(key)
}

func (c *Choice) nested() bool {
	for _, n := range c.nodes {
		if len(n.Nodes) > 0 {
			return true
		}
	}
	return false
}

func (c *Choice) open() {
	driver := fyne.CurrentApp().Driver()
	canvas := driver.CanvasForObject(c)
	if canvas == nil {
		return // its window was closed meanwhile
	}
	canvas.Focus(c)
	below := driver.AbsolutePositionForObject(c).AddXY(0, c.Size().Height)
	widget.ShowPopUpMenuAtPosition(c.menu(), canvas, below)
}

// menu is what is opened; the current option is checked, and so are the headings above it.
func (c *Choice) menu() *fyne.Menu {
	items, _ := c.items(c.nodes)
	return fyne.NewMenu("", items...)
}

func (c *Choice) items(nodes []ChoiceNode) (items []*fyne.MenuItem, current bool) {
	for _, n := range nodes {
		item := fyne.NewMenuItem(n.Title, func() { c.SetSelected(n.Option) })
		item.Checked = n.Option != "" && n.Option == c.Selected
		if len(n.Nodes) > 0 {
			children, holds := c.items(n.Nodes)
			item.Action, item.ChildMenu, item.Checked = nil, fyne.NewMenu("", children...), holds
		}
		current = current || item.Checked
		items = append(items, item)
	}
	return items, current
}
