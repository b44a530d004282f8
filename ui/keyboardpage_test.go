package ui

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/variscope/variscope/docs"
	"github.com/variscope/variscope/ui/keymap"
)

// TestTheGuideHasAllKeys: the page on keys has those of the menus and those of the Label screen.
func TestTheGuideHasAllKeys(t *testing.T) {
	o := open(t, 1, func(d *Deps) {
		d.OpenWorkspace = func(string) error { return nil }
		d.CreateWorkspace = d.OpenWorkspace
	})
	names := map[fyne.KeyName]string{fyne.KeyComma: ","}
	for _, menu := range o.menu.Items {
		for _, item := range menu.Items {
			s, _ := shortcutOf(item)
			if s == nil {
				continue
			}
			key, held := string(s.KeyName), "Ctrl+"
			if name, ok := names[s.KeyName]; ok {
				key = name
			}
			if s.Modifier&fyne.KeyModifierShift != 0 {
				held += "Shift+"
			}
			if row := "| " + held + key + " | " + entryText(item) + " |"; !strings.Contains(docs.Guide, row) {
				t.Errorf("the guide has no line %q", row)
			}
		}
	}
	usual := keymap.Default()
	for _, a := range keymap.Actions() {
		var keys []string
		for _, k := range usual.Keys(a.ID) {
			name := k.String()
			if len(name) == 1 { // a letter as it stands on the key
				name = strings.ToUpper(name)
			}
			keys = append(keys, name)
		}
		if row := "| " + strings.Join(keys, ", ") + " | " + a.Title + " |"; !strings.Contains(docs.Guide, row) {
			t.Errorf("the guide has no line %q", row)
		}
	}
}
