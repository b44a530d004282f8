package assessors

import (
	"github.com/variscope/variscope/engine/label"
)

// reasonWord says why a model takes no part or has no label.
func reasonWord(reason string) string {
	switch label.Basis(reason) {
	case label.Tie:
		return "its labels tie; adjudicate it, or let ties count as borderline"
	case label.NoMajority:
		return "no label has more than half of its votes"
	case label.Unlabelled:
		return "nobody has labelled it"
	}
	return reason
}
