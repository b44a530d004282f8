package present

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

func TestSentence(t *testing.T) {
	wrapped := func(err error) error { return fmt.Errorf("import a.onnx: %w", err) }
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"nil", nil, ""},
		{"plain", errors.New("model m3 has no inputs"), "Model m3 has no inputs."},
		{"name first", errors.New("m3.onnx is truncated"), "m3.onnx is truncated."},
		{"number first", errors.New("7 classes do not fit"), "7 classes do not fit."},
		{"ends already", errors.New("is that so?"), "Is that so?"},
		{"several", errors.Join(errors.New("first thing"), errors.New("second  thing")), "First thing; second thing."},
		{"empty", errors.New(" "), "Something failed without saying why."},
		{"cancelled", wrapped(context.Canceled), "Cancelled."},
		{"deadline", wrapped(context.DeadlineExceeded), "It took too long and was stopped; try again."},
		{
			"full", wrapped(store.ErrFull),
			"The disk is full; free some space and try again. Nothing that was saved is lost.",
		},
		{
			"no space", wrapped(syscall.ENOSPC),
			"The disk is full; free some space and try again. Nothing that was saved is lost.",
		},
		{
			"no runtime", wrapped(engine.ErrNoRuntime),
			"The ONNX Runtime library is missing, so nothing can be computed; browsing and labelling work without it.",
		},
		{"closed", engine.ErrClosed, "Variscope is closing; open the workspace again to go on."},
		{"store closed", store.ErrClosed, "Variscope is closing; open the workspace again to go on."},
		{
			"images gone", fmt.Errorf("suite faces: %w: a.png cannot be read in /x; "+
				"locate the suite's folder", suite.ErrMissing),
			"Suite faces: images not found: a.png cannot be read in /x; locate the suite's folder.",
		},
		{
			"absent", fmt.Errorf("CONV-2: %w", signal.ErrAbsent),
			"This model does not have the position; CONV-2: position is absent.",
		},
		{
			"no images", fmt.Errorf("model m1: %w", variance.ErrNoImages),
			"Model m1: no images left; choose a wider filter.",
		},
		{
			"missing file", wrapped(&fs.PathError{Op: "open", Path: "/a/b.onnx", Err: syscall.ENOENT}),
			"/a/b.onnx is not there; check the path.",
		},
		{
			"forbidden file", wrapped(&fs.PathError{Op: "open", Path: "/a/b.onnx", Err: syscall.EACCES}),
			"/a/b.onnx cannot be read or written; check its permissions.",
		},
		{
			"read-only file", wrapped(&fs.PathError{Op: "open", Path: "/a/b.onnx", Err: syscall.EROFS}),
			"/a/b.onnx cannot be read or written; check its permissions.",
		},
		{
			"newer", fmt.Errorf("demo.variscope: %w", store.ErrNewer),
			"demo.variscope: made by a newer Variscope; update Variscope to open it.",
		},
		{"frozen", wrapped(store.ErrFrozen), "Import a.onnx: the round has labels already: duplicate it to change it."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sentence(c.err); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestSentenceForAnOwnedWorkspace(t *testing.T) {
	err := fmt.Errorf("open /tmp/demo.variscope: %w",
		&store.OpenElsewhereError{Name: "demo", Process: 12, Host: "desk", Since: time.Unix(0, 0)})
	got := Sentence(err)
	if !strings.HasPrefix(got, "Workspace demo is open in Variscope (process 12 on host desk)") {
		t.Errorf("got %q", got)
	}
	if !strings.HasSuffix(got, "close it there or work on a copy.") {
		t.Errorf("got %q", got)
	}
}

func TestCancelled(t *testing.T) {
	if !Cancelled(fmt.Errorf("run: %w", context.Canceled)) || Cancelled(context.DeadlineExceeded) || Cancelled(nil) {
		t.Error("only a cancelled context counts")
	}
}

// FuzzSentence: whatever an error says, people get one line that ends like a sentence.
func FuzzSentence(f *testing.F) {
	for _, seed := range []string{
		"", "a", "no such file\nor directory", "x.onnx: bad", strings.Repeat("long ", 200),
		"ä\xff",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Sentence(errors.New(text))
		if strings.ContainsAny(got, "\n\r") || got == "" {
			t.Errorf("%q became %q", text, got)
		}
		last, _ := utf8.DecodeLastRuneInString(got)
		if !strings.ContainsRune(".…!?", last) {
			t.Errorf("%q ends with %q", got, last)
		}
		if n := utf8.RuneCountInString(got); n > longest+1 {
			t.Errorf("%d letters", n)
		}
		if first, _ := utf8.DecodeRuneInString(got); unicode.IsSpace(first) {
			t.Errorf("%q begins with a space", got)
		}
	})
}
