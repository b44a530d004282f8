package invariance

import (
	"github.com/variscope/variscope/engine/stats"
)

// reasonText is why there is no correlation, line, prediction or result, in words of this screen. What is not known here is
// left to the reasons that all screens share.
func reasonText(reason string) string {
	switch reason {
	case stats.FewPairs:
		return "fewer than 3 points"
	case stats.FirstFixed, stats.XFixed:
		return "the score is the same for all"
	case stats.SecondFixed:
		return "the accuracy is the same for all"
	}
	return reason
}
