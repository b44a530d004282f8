package command

import (
	"errors"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/outside"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
	desks "github.com/variscope/variscope/store/desk"
	"github.com/variscope/variscope/store/export"
)

// giveLabels says how labels are given.
const giveLabels = "labels are given in the window, or with: " +
	"variscope label WORKSPACE set --annotator A --model ID --value invariant"

// sentence is an error as the command line prints it, and at the end the flag or command that
// helps.
func sentence(err error) string {
	text := outside.Sentence(err)
	if help := advice(err); help != "" {
		text += "; " + help
	}
	return text
}

// advice names the flag or command that helps with an error of the engine or the store, which
// know no command line. It is empty where there is none.
func advice(err error) string {
	var foreign *export.ForeignError
	switch {
	case errors.As(err, &foreign):
		return "--force writes into it, and what is there stays"
	case errors.Is(err, suite.ErrCorrupt):
		return "--skip-corrupt leaves such images out"
	case errors.Is(err, suite.ErrBadRow):
		return "import --skip-bad-rows leaves such rows out"
	case errors.Is(err, assess.ErrUnlabelled), errors.Is(err, desks.ErrNoLabels):
		return giveLabels
	case errors.Is(err, store.ErrRoundClosed):
		return "variscope label WORKSPACE reopen does so"
	}
	return ""
}
