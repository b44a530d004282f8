package assessors

import (
	"fmt"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// reasonWord says why a model takes no part or has no label.
func reasonWord(reason string) string {
	switch label.Basis(reason) {
	case label.Tie:
		return words.T("its labels tie; adjudicate it, or let ties count as borderline")
	case label.NoMajority:
		return words.T("no label has more than half of its votes")
	case label.Unlabelled:
		return words.T("nobody has labelled it")
	}
	return present.Reason(reason)
}

// foldWord is the name of a fold on the screen; a group has its own.
func foldWord(name string) string {
	if name == "hold-out" {
		return words.T("the hold-out models")
	}
	var k int
	if n, err := fmt.Sscanf(name, "half %d", &k); err == nil && n == 1 {
		return words.F("half %d", k)
	}
	if n, err := fmt.Sscanf(name, "fold %d", &k); err == nil && n == 1 {
		return words.F("fold %d", k)
	}
	return name
}

// schemeNote says what a scheme did otherwise than asked.
func schemeNote(note string) string {
	if note == "no hold-out models: plain stratified 3-fold" {
		return words.T("no hold-out models: plain stratified 3-fold")
	}
	return note
}
