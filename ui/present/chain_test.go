package present

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/variscope/variscope/store"
)

func TestChain(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "x.onnx", Err: fs.ErrNotExist}
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("the folder is empty"), ""}, // the sentence says it all
		{store.ErrFull, "the disk is full; free some space and try again"},
		{
			fmt.Errorf("import model m: %w", path),
			"import model m: open x.onnx: file does not exist\n" +
				"  open x.onnx: file does not exist (*fs.PathError)\n" +
				"    file does not exist (*errors.errorString)",
		},
	} {
		if got := Chain(c.err); got != c.want {
			t.Errorf("%v:\n%s\nwant\n%s", c.err, got, c.want)
		}
	}
	both := Chain(fmt.Errorf("%w and %w", store.ErrFull, errors.Join(path, errors.New("second"))))
	for _, want := range []string{"  the disk is full", "    open x.onnx", "    second ("} {
		if !strings.Contains(both, "\n"+want) {
			t.Errorf("%q is not in\n%s", want, both)
		}
	}
}
