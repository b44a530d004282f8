package store

import (
	"errors"
	"io"
	"testing"

	"github.com/variscope/variscope/store/database"
)

func TestClassifyKeepsTheReason(t *testing.T) {
	reason := errors.New("own")
	if got := database.Classify(reason); got != reason {
		t.Error(got)
	}
	if database.Classify(nil) != nil {
		t.Error("an error from nothing")
	}
	full := database.Classify(errNoSpace)
	if !errors.Is(full, ErrFull) || !errors.Is(full, errNoSpace) || database.Classify(full) != full {
		t.Error(full)
	}
	if errors.Is(database.Classify(io.EOF), ErrFull) {
		t.Error("the end of a file is a full disk")
	}
}
