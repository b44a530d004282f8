package widget

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
)

func TestPickerTellsKeys(t *testing.T) {
	test.NewTempApp(t)
	var told []string
	p := NewPicker(func(key string) { told = append(told, key) })
	list := []Option{{"", "all suites"}, {"a1", "shapes"}, {"b2", "digits"}}
	p.Offer(list, "a1")
	if p.Selected != "shapes" || len(told) > 0 {
		t.Fatalf("%q is shown, told %v", p.Selected, told)
	}
	p.SetSelected("digits")
	p.SetSelected("all suites")
	if !slices.Equal(told, []string{"b2", ""}) {
		t.Errorf("told %v", told)
	}
	p.Offer(list[:2], "gone")
	if p.Selected != "" || len(p.Options) != 2 || len(told) != 2 {
		t.Errorf("%q is shown of %v, told %v", p.Selected, p.Options, told)
	}
}
