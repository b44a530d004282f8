package corrupted

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShiftsToFiles: shifted images in both formats, beside a corruption.
func TestShiftsToFiles(t *testing.T) {
	s := idxSuite(t, 300, 20)
	for _, format := range []Format{Folder, IDX} {
		out, order := t.TempDir(), byClass(s)
		if format == IDX {
			order = inOrder(300)
		}
		wanted := changes("shift:n=3;t=5;region=7", "fog:2", "shift:n=2;t=3;region=2", "shift:n=3;t=5;region=7")
		done, err := Write(context.Background(), s, Options{Out: out, Format: format, Changes: wanted}, nil)
		if err != nil || len(done) != 3 {
			t.Fatalf("%+v, %v", done, err)
		}
		for k, name := range []string{"shift-3-5-region-7", "fog-2", "shift-2-3-region-2"} {
			if done[k].Folder != filepath.Join(out, name) {
				t.Errorf("folder %s, want %s", done[k].Folder, name)
			}
			compare(t, s, scanned(t, done[k].Folder), done[k].Change, nil, order)
		}
	}
}

// The card of a shift says what lies around the images; the same shift again is there already.
func TestCardOfAShift(t *testing.T) {
	s, out := idxSuite(t, 3, 28), t.TempDir()
	o := Options{Out: out, Changes: changes("shift:n=4;t=5;region=7")}
	for k := range 2 {
		done, err := Write(context.Background(), s, o, nil)
		if err != nil || len(done) != 1 || done[0].There != (k == 1) {
			t.Fatalf("%+v, %v", done, err)
		}
	}
	card, err := os.ReadFile(filepath.Join(out, "shift-4-5-region-7", "README.md"))
	must(t, err)
	for _, want := range []string{
		"shifted 4x4 t5 region 7", "- change: `shift:n=4;t=5;region=7`", "8 bits, rounded",
		"5 above, 10 below, 10 left, 5 right",
	} {
		if !strings.Contains(string(card), want) {
			t.Errorf("the card does not say %s:\n%s", want, card)
		}
	}
	if strings.Contains(string(card), "corruption") || strings.Contains(string(card), "truncation") {
		t.Errorf("the card of a shift speaks of corruptions:\n%s", card)
	}
}
