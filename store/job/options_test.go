package job

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

func TestClassMapsAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "classes.csv")
	for text, want := range map[string]map[string]string{
		"cat,0\ndog,1\n": {"cat": "0", "dog": "1"},
		"suite,model\ncat,tabby\n\"dog, small\",hund": {"cat": "tabby", "dog, small": "hund"},
		"\ufeffSuite,model\r\ncat,0\r\n":              {"cat": "0"},
		"suite class,Model_Class\ncat,0\n":            {"cat": "0"},
		"\ufeffcat,0\ncat,0\n":                        {"cat": "0"},
	} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		if got, err := ReadClassMap(path); err != nil || !maps.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"a,b,c\n":        "two columns",
		"cat,a\ncat,b\n": "class cat of the suite is there twice", "suite,model\n": "is empty",
	} {
		must(t, os.WriteFile(path, []byte(text), 0o600))
		testdata.Refused(t, text, testdata.Err(ReadClassMap(path)), path, want)
	}
	if _, err := ReadClassMap(path + "x"); err == nil {
		t.Error("a table that is not there was read")
	}
}

func TestPositionsHoldThoseOfModalities(t *testing.T) {
	names, vectors, err := Positions([]string{"CONV-1"}, []string{"max@HEAD", "L2@CONV-1", "relu1/mean"})
	if err != nil || !slices.Equal(names, []string{"CONF", "CONV-1", "HEAD", "relu1"}) ||
		!slices.Equal(vectors, []string{"L2@CONV-1"}) {
		t.Errorf("%v, %v, %v", names, vectors, err)
	}
	if _, _, err := Positions(nil, []string{"whole"}); err == nil {
		t.Error("a modality that is none was taken")
	}
}
