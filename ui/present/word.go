package present

import "github.com/variscope/variscope/ui/words"

// Word is a word of the engine as people read it: a label, a kind of round, a filter of images, a kind of output, the
// origin of a setting. Files keep the engine's own. Others are shown as they are.
func Word[W ~string](word W) string {
	switch word {
	case "invariant":
		return words.T("invariant")
	case "borderline":
		return words.T("borderline")
	case "variant":
		return words.T("variant")
	case "all":
		return words.T("all")
	case "correct":
		return words.T("correct")
	case "wrong":
		return words.T("wrong")
	}
	return string(word)
}
