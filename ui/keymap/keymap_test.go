package keymap

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

func TestDefaultMapHasNoConflicts(t *testing.T) {
	m, seen, ids := Default(), map[Key]ID{}, map[ID]bool{}
	for _, a := range Actions() {
		if ids[a.ID] || a.Title == "" || a.Group == "" {
			t.Errorf("action %+v", a)
		}
		ids[a.ID] = true
		if len(m.Keys(a.ID)) == 0 {
			t.Errorf("%s has no key", a.ID)
		}
		for _, k := range m.Keys(a.ID) {
			if other, taken := seen[k]; taken {
				t.Errorf("%s is the key of %s and %s", k, other, a.ID)
			}
			seen[k] = a.ID
			if got, ok := m.Action(k); !ok || got.ID != a.ID {
				t.Errorf("%s does %s", k, got.ID)
			}
		}
	}
	if m.JSON() != "" {
		t.Errorf("the usual map is kept as %s", m.JSON())
	}
}

func TestKeysAreReadAsWritten(t *testing.T) {
	for _, c := range []struct {
		key         Key
		text, label string
	}{
		{Key{Rune: 'v'}, "v", "V"},
		{Key{Rune: 'é'}, "é", "É"},
		{Key{Rune: 'ш'}, "ш", "Ш"},
		{Key{Rune: '?'}, "?", "?"},
		{Key{Rune: '+'}, "+", "+"},
		{Key{Name: fyne.KeyLeft}, "Left", "←"},
		{Key{Name: fyne.KeyPageDown}, "PageDown", "Page ↓"},
		{Key{Name: fyne.KeyF11}, "F11", "F11"},
		{Key{Name: fyne.KeyLeft, Modifier: fyne.KeyModifierShift}, "Shift+Left", "Shift+←"},
		{Key{Name: fyne.KeyV, Modifier: fyne.KeyModifierAlt}, "Alt+V", "Alt+V"},
		{Key{Name: fyne.KeyV, Modifier: fyne.KeyModifierAlt | fyne.KeyModifierShift}, "Alt+Shift+V", "Alt+Shift+V"},
	} {
		got, err := ParseKey(c.key.String())
		if err != nil || got != c.key || c.key.String() != c.text || c.key.Label() != c.label {
			t.Errorf("%+v: %q, label %q, read as %+v, %v", c.key, c.key, c.key.Label(), got, err)
		}
	}
	if left, v := (Key{Name: fyne.KeyLeft}), (Key{Rune: 'v'}); left.Word() != "Left" || v.Word() != "V" {
		t.Errorf("in words: %s, %s", left.Word(), v.Word())
	}
	if k, err := ParseKey("V"); err != nil || k.Rune != 'v' {
		t.Errorf("an upper-case letter is %+v, %v", k, err)
	}
	for _, bad := range []string{"", " ", "left", "Shift+v", "Alt+", "whatever"} {
		if k, err := ParseKey(bad); err == nil {
			t.Errorf("%q is taken for the key %+v", bad, k)
		}
	}
}

func TestTypedAndPressed(t *testing.T) {
	if k, ok := Typed('V'); !ok || k.Rune != 'v' {
		t.Errorf("V is %+v", k)
	}
	for _, r := range " \t\x00" {
		if _, ok := Typed(r); ok {
			t.Errorf("%q is a key", r)
		}
	}
	for _, c := range []struct {
		name fyne.KeyName
		held fyne.KeyModifier
		want string // "" for none
	}{
		{fyne.KeySpace, 0, "Space"},
		{fyne.KeyV, 0, ""},
		{fyne.KeyV, fyne.KeyModifierShift, ""},
		{fyne.KeyV, fyne.KeyModifierAlt, "Alt+V"},
		{fyne.KeyLeft, fyne.KeyModifierShift, "Shift+Left"},
		{fyne.KeyUnknown, fyne.KeyModifierAlt, ""},
		{"LeftShift", 0, ""},
	} {
		k, ok := Pressed(c.name, c.held)
		if ok != (c.want != "") || ok && k.String() != c.want {
			t.Errorf("%s with %d is %q, %v; want %q", c.name, c.held, k, ok, c.want)
		}
	}
}

func TestConflictsAreRefused(t *testing.T) {
	m := Default()
	for _, c := range []struct {
		name string
		id   ID
		key  Key
		want string
	}{
		{"taken", Invariant, Key{Rune: 'v'}, `V is the key of "Variant"`},
		{
			"of the menu", Invariant,
			Key{Name: fyne.KeyZ, Modifier: fyne.KeyModifierControl},
			"belongs to the window's menu",
		},
		{"nothing", Invariant, Key{}, "is no key"},
		{"unknown action", "fly", Key{Rune: 'x'}, `no action "fly"`},
	} {
		next, err := m.With(c.id, c.key)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if next.JSON() != "" {
			t.Errorf("%s: the refused key is in the map", c.name)
		}
	}
	freed := testdata.Must(m.With(Variant))(t)
	moved := testdata.Must(freed.With(Invariant, Key{Rune: 'v'}, Key{Rune: 'v'}))(t)
	if a, _ := moved.Action(Key{Rune: 'v'}); a.ID != Invariant || len(moved.Keys(Invariant)) != 1 {
		t.Errorf("v does %s", a.ID)
	}
	if a, _ := m.Action(Key{Rune: 'v'}); a.ID != Variant {
		t.Error("With changed the map it was called on")
	}
	if moved.Text("Variant", Variant) != "Variant" || moved.Text("Invariant", Invariant) != "Invariant (V)" {
		t.Errorf("%q, %q", moved.Text("Variant", Variant), moved.Text("Invariant", Invariant))
	}
}

func TestDigit(t *testing.T) {
	m := Default()
	for _, c := range []struct {
		r       rune
		classes int
		class   int
		ok      bool
	}{
		{'1', 2, 0, true},
		{'2', 2, 1, true},
		{'3', 2, 0, false},
		{'3', 3, 2, true},
		{'0', 3, 0, false},
		{'i', 3, 0, false},
	} {
		if class, ok := m.Digit(Key{Rune: c.r}, c.classes); class != c.class || ok != c.ok {
			t.Errorf("%q of %d classes is %d, %v", c.r, c.classes, class, ok)
		}
	}
	m = testdata.Must(m.With(Skip, Key{Rune: '2'}))(t)
	if _, ok := m.Digit(Key{Rune: '2'}, 3); ok {
		t.Error("a digit that is a key of its own still chooses a class")
	}
}

// Whatever is remapped, the text kept in the preferences brings the same map back, and no key does
// two things.
func TestMapIsReadAsKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := Default()
		keys := []Key{
			{Rune: 'i'},
			{Rune: 'v'},
			{Rune: 'ö'},
			{Rune: '2'},
			{Name: fyne.KeyF5},
			{Name: fyne.KeyUp, Modifier: fyne.KeyModifierShift},
			{Name: fyne.KeyV, Modifier: fyne.KeyModifierAlt},
		}
		for range rapid.IntRange(0, 12).Draw(t, "changes") {
			a := rapid.SampledFrom(Actions()).Draw(t, "action")
			list := rapid.SliceOfN(rapid.SampledFrom(keys), 0, 2).Draw(t, "keys")
			if next, err := m.With(a.ID, list...); err == nil {
				m = next
			}
		}
		seen := map[Key]bool{}
		for _, a := range Actions() {
			for _, k := range m.Keys(a.ID) {
				if seen[k] {
					t.Fatalf("%s does two things", k)
				}
				seen[k] = true
			}
		}
		back := testdata.Must(Parse(m.JSON()))(t)
		for _, a := range Actions() {
			if !slices.Equal(m.Keys(a.ID), back.Keys(a.ID)) {
				t.Fatalf("%s: %v, read as %v from %s", a.ID, m.Keys(a.ID), back.Keys(a.ID), m.JSON())
			}
		}
	})
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":  "{",
		"no key":   `{"label.skip":["nonsense"]}`,
		"conflict": `{"label.skip":["v"]}`,
		"twice":    `{"label.skip":["x"],"label.undo":["x"]}`,
	} {
		m, err := Parse(text)
		if err == nil || m.JSON() != "" {
			t.Errorf("%s: %v, %s", name, err, m.JSON())
		}
	}
	if m, err := Parse(`{"an action of later":["v"],"label.skip":["x"]}`); err != nil || m.First(Skip) != "X" ||
		m.First(Variant) != "V" {
		t.Errorf("%v, %v", m, err)
	}
	if m, err := Parse(`{"label.invariant":["v"],"label.variant":["i"]}`); err != nil || m.First(Invariant) != "V" ||
		m.First(Variant) != "I" {
		t.Errorf("two keys cannot change places: %v, %v", m, err)
	}
}

// memoryPreferences is preferences in memory.
type memoryPreferences map[string]string

func (s memoryPreferences) StringWithFallback(key, fallback string) string {
	if text, ok := s[key]; ok {
		return text
	}
	return fallback
}

func (s memoryPreferences) SetString(key, value string) { s[key] = value }

func TestBook(t *testing.T) {
	kept := memoryPreferences{}
	b := testdata.Must(Open(kept))(t)
	heard := 0
	cancel := b.OnChange(func() { heard++ })
	m := testdata.Must(b.Map().With(Skip, Key{Rune: 'x'}, Key{Name: fyne.KeyV, Modifier: fyne.KeyModifierAlt}))(t)
	b.Set(m)
	again, err := Open(kept)
	if err != nil || again.Map().First(Skip) != "X" || heard != 1 || !strings.Contains(kept["keys"], "label.skip") {
		t.Errorf("%v, heard %d, kept %v", err, heard, kept)
	}
	if got := again.Map().Shortcuts(); len(got) != 1 || got[0].String() != "Alt+V" {
		t.Errorf("shortcuts %v", got)
	}
	cancel()
	b.Set(Default())
	if heard != 1 || kept["keys"] != "" {
		t.Errorf("after cancel heard %d, kept %v", heard, kept)
	}
	kept["keys"] = "nonsense"
	if b, err := Open(kept); err == nil || b.Map().JSON() != "" {
		t.Errorf("nonsense in the preferences: %v", err)
	}
	if b, err := Open(nil); err != nil || b.Map().First(Skip) != "S" {
		t.Errorf("without preferences: %v", err)
	}
}

// A key that somebody has chosen before a newer action came stays what it was; the action does
// without.
func TestNewerActionsYieldTheirKeys(t *testing.T) {
	m := testdata.Must(Parse(`{"label.skip":["l","x"]}`))(t)
	if a, _ := m.Action(Key{Rune: 'l'}); a.ID != Skip || len(m.Keys(Items)) != 0 || len(m.Keys(NextFlagged)) != 1 {
		t.Errorf("L does %q, the list of models has %v", a.ID, m.Keys(Items))
	}
	if again, err := Parse(m.JSON()); err != nil || again.JSON() != m.JSON() {
		t.Errorf("%s is read as %s: %v", m.JSON(), again.JSON(), err)
	}
}
