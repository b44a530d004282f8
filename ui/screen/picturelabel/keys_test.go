package picturelabel

import (
	"fmt"
	"slices"
	"testing"
)

func names(count int) []string {
	list := make([]string, count)
	for k := range list {
		list[k] = fmt.Sprintf("class %d", k)
	}
	return list
}

func TestClassKeys(t *testing.T) {
	for _, c := range []struct {
		name    string
		classes []string
		want    string
	}{
		{"three", []string{"bird", "boat", "bridge"}, "123"},
		{"ten", names(10), "1234567890"},
		{"twelve", names(12), "1234567890ab"},
		{"as many as there are keys", names(36), keyRow},
		{"more than keys", names(37), ""},
		{"digits are their own keys", []string{"0", "1", "2", "9"}, "0129"},
		{"letters are their own keys", []string{"B", "a"}, "ba"},
		{"letters that differ in case only are not", []string{"a", "A"}, "12"},
		{"one name is longer", []string{"0", "1", "10"}, "123"},
		{"other characters", []string{"ä", "+"}, "12"},
	} {
		if got := string(classKeys(c.classes)); got != c.want {
			t.Errorf("%s: keys %q, want %q", c.name, got, c.want)
		}
	}
}

func TestFound(t *testing.T) {
	classes := []string{"grey_wolf", "wolf spider", "beer bottle", "werewolf", "Bear", "12"}
	for text, want := range map[string][]int{
		"":     {0, 1, 2, 3, 4, 5},
		"wolf": {1, 0, 3},
		"be":   {2, 4},
		" BEA": {4},
		"3":    {3},
		"1":    {1, 5},
		"12":   {5},
		"cat":  nil,
	} {
		if got := found(classes, text); !slices.Equal(got, want) {
			t.Errorf("%q finds %v, want %v", text, got, want)
		}
	}
}
