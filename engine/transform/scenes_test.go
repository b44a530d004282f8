package transform

import (
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

const selectionHash = "abcdef120123456789abcdef0123456789abcdef0123456789abcdef01234567"

// TestTheSetOfScenes: its text, its words, its place among the other sets.
func TestTheSetOfScenes(t *testing.T) {
	f := testdata.Must(ParseAny(" scenes : " + strings.ToUpper(selectionHash) + " : 032 "))(t)
	testdata.Is(t, "made", testdata.Must(Scenes(selectionHash, 32))(t), f)
	if f.String() != "scenes:"+selectionHash+":32" || f.Short() != "scenes abcdef12 x32" {
		t.Errorf("%q, %q", f, f.Short())
	}
	if f.N() != 33 || f.Identity() != 0 || f.Values() != nil || !f.IsSet() || !f.ChangesImages() ||
		IdentityOf(f.String(), 33) != 0 {
		t.Errorf("%d images, identity %d, values %v", f.N(), f.Identity(), f.Values())
	}
	if f.Describe(0) != "identity" || f.Describe(5) != "scene 5" {
		t.Errorf("%q, %q", f.Describe(0), f.Describe(5))
	}
	if hash, n, ok := f.Scened(); hash != selectionHash || n != 32 || !ok {
		t.Errorf("%s, %d, %v", hash, n, ok)
	}
	if _, _, ok := setNamed(t, Rot90).Scened(); ok {
		t.Error("rot90 is made of scenes")
	}
	testdata.ErrorIs(t, "Parse took it", testdata.Err(Parse(f.String())), ErrSet)
	if _, ok := Default(ScenesSet); ok || slices.Contains(Sets(), ScenesSet) {
		t.Error("a menu offers composites that no selection has")
	}
}

func TestScenesThatCannotBe(t *testing.T) {
	for text, want := range map[string]string{
		"scenes":                                "scenes:HASH:32",
		"scenes:" + selectionHash:               "scenes:HASH:32",
		"scenes:abc:3":                          "64 hexadecimal digits",
		"scenes:" + selectionHash[1:] + "g:3":   "64 hexadecimal digits",
		"scenes:" + selectionHash + ":0":        "from 1 to 1000",
		"scenes:" + selectionHash + ":1001":     "from 1 to 1000",
		"scenes:" + selectionHash + ":-1":       "whole number",
		"scenes:" + selectionHash + ":3;seed=1": "no options",
	} {
		f, err := ParseAny(text)
		if err == nil || f != (Family{}) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", text, f, err, want)
		}
	}
}
