package predictions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestClassNamesAreTypedOrInAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "names.txt")
	must(t, os.WriteFile(path, []byte("cat\ndog\n"), 0o600))
	for text, want := range map[string][]string{"": nil, " cat , dog ": {"cat", "dog"}, path: {"cat", "dog"}} {
		if got, err := ParseClasses(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{"cat,,dog": "empty one", "cat": "neither a file nor a list"} {
		if _, err := ParseClasses(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
