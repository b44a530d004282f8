package widget

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"
)

func shiftedNodes() []ChoiceNode {
	return []ChoiceNode{
		{Title: "cifar", Option: "cifar"},
		{Title: "mnist", Nodes: []ChoiceNode{
			{Title: "as it is", Option: "mnist"},
			{Title: "fog", Nodes: []ChoiceNode{
				{Title: "severity 1", Option: "mnist, fog 1"}, {Title: "severity 3", Option: "mnist, fog 3"},
			}},
		}},
	}
}

// overlaid is the menu that lies over the window, nil without one.
func overlaid(w fyne.Window) *widget.Menu {
	for _, object := range test.LaidOutObjects(w.Canvas().Overlays().Top()) {
		if menu, ok := object.(*widget.PopUpMenu); ok {
			return menu.Menu
		}
	}
	return nil
}

// titles are those of a menu's lines, with a tick before the checked ones.
func titles(items []*fyne.MenuItem) (list []string) {
	for _, item := range items {
		title := item.Label
		if item.Checked {
			title = "✓" + title
		}
		list = append(list, title)
	}
	return list
}

func TestChoiceWithSubmenus(t *testing.T) {
	var heard []string
	c := NewChoice(func(option string) { heard = append(heard, option) })
	c.SetNodes(shiftedNodes())
	if !slices.Equal(c.Options, []string{"cifar", "mnist", "mnist, fog 1", "mnist, fog 3"}) {
		t.Errorf("options %q", c.Options)
	}
	c.SetSelected("mnist, fog 1")
	items := c.menu().Items
	if got := titles(items); !slices.Equal(got, []string{"cifar", "✓mnist"}) {
		t.Errorf("%q", got)
	}
	fog := items[1].ChildMenu.Items[1]
	if got := titles(fog.ChildMenu.Items); !slices.Equal(got, []string{"✓severity 1", "severity 3"}) || !fog.Checked ||
		items[1].ChildMenu.Items[0].Checked {
		t.Errorf("%q", got)
	}
	if items[1].Action != nil || fog.Action != nil {
		t.Error("a heading can be chosen")
	}
	fog.ChildMenu.Items[1].Action()
	items[0].Action()
	if !slices.Equal(heard, []string{"mnist, fog 1", "mnist, fog 3", "cifar"}) || c.Selected != "cifar" {
		t.Errorf("heard %q, selected %q", heard, c.Selected)
	}
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if c.Selected != "mnist" {
		t.Errorf("the key steps to %q", c.Selected)
	}
}

func TestChoiceOpens(t *testing.T) {
	c := NewChoice(nil)
	c.SetNodes(shiftedNodes())
	w := show(t, container.NewVBox(c), fyne.NewSize(300, 400))
	for name, open := range map[string]func(){
		"tap": func() { test.Tap(c) },
		"key": func() { c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) },
	} {
		open()
		menu := overlaid(w)
		if menu == nil || len(menu.Items) != 2 {
			t.Fatalf("%s: the menu is not there", name)
		}
		if menu.Position().Y < c.Size().Height-8 {
			t.Errorf("%s: the menu lies at %v, over the line", name, menu.Position())
		}
		menu.Dismiss()
		if overlaid(w) != nil {
			t.Errorf("%s: the menu stays", name)
		}
	}
	c.Disable()
	test.Tap(c)
	if overlaid(w) != nil {
		t.Error("a disabled choice opens")
	}
}

// TestChoiceWithoutSubmenus is a plain Select.
func TestChoiceWithoutSubmenus(t *testing.T) {
	c := NewChoice(nil)
	c.SetNodes(shiftedNodes()[:1])
	w := show(t, c, fyne.NewSize(300, 40))
	test.Tap(c)
	menu := overlaid(w)
	if menu == nil || len(menu.Items) != 1 {
		t.Fatal("no menu")
	}
	c.SetSelected("cifar")
	c.SetNodes(nil)
	if c.Selected != "cifar" || len(c.Options) != 0 {
		t.Errorf("selected %q of %q", c.Selected, c.Options)
	}
}
