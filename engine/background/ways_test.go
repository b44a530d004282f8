package background

import (
	"reflect"
	"strings"
	"testing"
)

// TestWaysTellAllSettingsButTheSeedApart changes every setting of a selection in turn, found by
// reflection so that a new one cannot be forgotten: only another seed, and other scenes in
// consequence, make a repeated run.
func TestWaysTellAllSettingsButTheSeedApart(t *testing.T) {
	base := Selection{
		Targets: "a1", Masks: "b1", Backgrounds: "c1", Table: "d1", Ontology: "e1", Rule: PaperRule(),
		Expansion: DefaultExpansion(), Choice: Choice{Method: ByKeywords, N: 32, Seed: 1, Jitter: true}, Align: Keep,
	}
	var change func(path string, v reflect.Value, same func() []string)
	change = func(path string, v reflect.Value, ways func() []string) {
		if v.Kind() == reflect.Struct {
			for k := range v.NumField() {
				change(path+"."+v.Type().Field(k).Name, v.Field(k), ways)
			}
			return
		}
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		defer v.Set(before)
		switch v.Kind() {
		case reflect.String:
			v.SetString("other")
		case reflect.Int:
			v.SetInt(v.Int() + 1)
		case reflect.Uint64:
			v.SetUint(v.Uint() + 1)
		case reflect.Float64:
			v.SetFloat(v.Float() + 1e-9)
		case reflect.Bool:
			v.SetBool(!v.Bool())
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		default:
			t.Fatalf("%s is of a kind that this test does not change: %s", path, v.Kind())
		}
		got := ways()
		repeated := path == ".Choice.Seed" || path == ".Chosen"
		if (got[0] == got[1]) != repeated {
			t.Errorf("with another %s: %q", path, got)
		}
	}
	other := base
	change("", reflect.ValueOf(&other).Elem(), func() []string { return Ways([]Selection{base, other}) })

	deeper := base
	deeper.Expansion.MaxLevels = 3
	got := Ways([]Selection{base, deeper, base, {Choice: Choice{Method: Random, N: 8}}})
	want := []string{
		"keywords, n = 32, with jitter, up to 5 levels", "keywords, n = 32, with jitter, up to 3 levels",
		"keywords, n = 32, with jitter, up to 5 levels", "random, n = 8",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	one, two := base, base
	one.Vetoed, two.Vetoed = []int{3, 5}, []int{3, 6}
	if got := Ways([]Selection{one, two}); got[0] == got[1] {
		t.Errorf("other scenes were excluded: %q", got)
	}
}
