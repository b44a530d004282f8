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

// TestPickerTellsEqualNamesApart: entries of one name are told apart by a number, and each tells
// its own key.
func TestPickerTellsEqualNamesApart(t *testing.T) {
	test.NewTempApp(t)
	told := ""
	p := NewPicker(func(key string) { told = key })
	p.Offer([]Option{{"a1", "files"}, {"b2", "files"}, {"c3", "network"}, {"d4", "files"}}, "b2")
	if want := []string{"files", "files (2)", "network", "files (3)"}; !slices.Equal(p.Options, want) ||
		p.Selected != want[1] || told != "" {
		t.Errorf("%q is shown of %q, told %q", p.Selected, p.Options, told)
	}
	for k, want := range []string{"a1", "b2", "c3", "d4"} {
		if p.SetSelectedIndex(k); told != want {
			t.Errorf("entry %d tells %q, want %q", k, told, want)
		}
	}
}
