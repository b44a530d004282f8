package widget

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2/test"
)

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
	if p.Offer([]Option{{"a1", "files"}}, "gone"); p.Selected != "" || len(p.Options) != 1 || told != "d4" {
		t.Errorf("%q is shown of %v, told %q", p.Selected, p.Options, told)
	}
}
