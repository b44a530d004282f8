package app

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// Spreadsheets put a byte order mark in front of what they save; it is no part of the first class's name.
func TestReadClassMap(t *testing.T) {
	want := map[string]string{"cat": "0", "dog": ""}
	for name, text := range map[string]string{
		"plain": "cat,0\ndog,\n", "header": "Suite,Model\ncat,0\ndog,\n", "mark": "\ufeffcat,0\r\ndog,\r\n",
		"mark and header": "\ufeffsuite,model\ncat,0\ndog,\n",
	} {
		path := filepath.Join(t.TempDir(), "map.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := readClassMap(path); err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
