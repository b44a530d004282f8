package suite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// looks is a context that ends when it has been looked at so often.
type looks struct {
	context.Context
	left int
}

func (l *looks) Err() error {
	if l.left--; l.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestVerifyEndsInsideAFile: a whole data set may lie in one.
func TestVerifyEndsInsideAFile(t *testing.T) {
	path := tree(t, map[string][]byte{"x-images-idx3": idxBytes(make([]byte, 1000*32*32), 1000, 32, 32)})
	m := scan(t, filepath.Join(path, "x-images-idx3"), Options{})
	testdata.ErrorIs(t, "Verify", testdata.Err(Verify(&looks{t.Context(), 3}, m, m.Root, nil)), context.Canceled)
	if _, err := Verify(t.Context(), m, m.Root, nil); err != nil {
		t.Error(err)
	}
}
