package present

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/variance"
	"github.com/variscope/variscope/store"
)

// longest is the length in letters beyond which a sentence is cut.
const longest = 400

// Sentence is what a person is told about an error: one sentence that says what is wrong and,
// where known, what to do. It is the only place where errors become text on screen. It is empty
// for nil.
func Sentence(err error) string {
	if err == nil {
		return ""
	}
	if text := known(err); text != "" {
		return text
	}
	return tidy(outside.Sentence(err))
}

// known has its own words for errors whose text alone would not help.
func known(err error) string {
	var elsewhere *store.OpenElsewhereError
	var path *fs.PathError
	named := errors.As(err, &path)
	switch {
	case errors.As(err, &elsewhere):
		return tidy(outside.Sentence(elsewhere))
	case errors.Is(err, context.Canceled):
		return "Cancelled."
	case errors.Is(err, context.DeadlineExceeded):
		return "It took too long and was stopped; try again."
	case errors.Is(err, store.ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT),
		errors.Is(err, syscall.EFBIG):
		return "The disk is full; free some space and try again. Nothing that was saved is lost."
	case errors.Is(err, store.ErrGone):
		return tidy(outside.Sentence(err))
	case errors.Is(err, engine.ErrNoRuntime):
		return "The ONNX Runtime library is missing, " +
			"so nothing can be computed; browsing and labelling work without it."
	case errors.Is(err, engine.ErrClosed), errors.Is(err, store.ErrClosed):
		return "Variscope is closing; open the workspace again to go on."
	case errors.Is(err, signal.ErrNoMeanAbs):
		return "Its signals were computed by an earlier version, without mean_abs: remove them and run it again."
	case errors.Is(err, signal.ErrAbsent):
		return fmt.Sprintf("This model does not have the position; %s", tidy(outside.Sentence(err)))
	case errors.Is(err, variance.ErrNoImages):
		return tidy(fmt.Sprintf("%s; choose a wider filter", outside.Sentence(err)))
	case named && errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("%s is not there; check the path.", outside.Visible(path.Path))
	case named && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)):
		return fmt.Sprintf("%s cannot be read or written; check its permissions.", outside.Visible(path.Path))
	}
	return ""
}

// tidy makes one sentence of an error text: several lines become one, the first letter is a
// capital unless the text begins with a name, and it ends with a full stop.
func tidy(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	text = strings.Join(lines, "; ")
	if text == "" {
		return "Something failed without saying why."
	}
	if letters := []rune(text); len(letters) > longest {
		text = string(letters[:longest-1]) + "…"
	}
	first, _, _ := strings.Cut(text, " ")
	if !strings.ContainsFunc(first, func(r rune) bool {
		return !unicode.IsLower(r) && r != ':' && r != ',' && r != ';'
	}) {
		r, size := utf8.DecodeRuneInString(text)
		text = string(unicode.ToUpper(r)) + text[size:]
	}
	if !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "…") && !strings.HasSuffix(text, "!") &&
		!strings.HasSuffix(text, "?") {
		text += "."
	}
	return text
}

// Cancelled tells whether err only says that the user stopped the work; such an error needs no
// message.
func Cancelled(err error) bool { return errors.Is(err, context.Canceled) }
