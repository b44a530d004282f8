package present

import (
	"strings"

	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/ui/words"
)

// Reason is why a model takes no part, or has no label, as people read it: store/training, store/predictions, store/diagnosis
// and engine/rank give the reasons. What is not known here is shown as it is.
func Reason(text string) string {
	if known := lackWord(text); known != "" {
		return known
	}
	if known := unlabelledWord(text); known != "" {
		return known
	}
	if known := rankReason(text); known != "" {
		return known
	}
	if known := diagnosisReason(text); known != "" {
		return known
	}
	if name, rest, ok := strings.Cut(text, ": "); ok {
		if known := absentReason(rest); known != "" {
			return name + ": " + known
		}
	}
	return Word(text)
}

// lackWord knows why a model has no features.
func lackWord(text string) string {
	switch text {
	case store.ErrNoSignals.Error():
		return words.T("no signals for this suite and family yet: run it first")
	case "its signals are for other preprocessing, another output or an older suite: run it again":
		return words.T("its signals are for other preprocessing, another output or an older suite: run it again")
	case "its signals are not complete: run it to the end":
		return words.T("its signals are not complete: run it to the end")
	case "only a round package's matrices are here, without signals for sub-samples and predictions: run it here":
		return words.T("only a round package's matrices are here, without signals for sub-samples and predictions: run it here")
	}
	return ""
}

// unlabelledWord knows why a model has no training label.
func unlabelledWord(text string) string {
	switch text {
	case "its labels tie; adjudicate it, or let ties count as borderline":
		return words.T("its labels tie; adjudicate it, or let ties count as borderline")
	case "no label has more than half of its votes":
		return words.T("no label has more than half of its votes")
	case "nobody has labelled it":
		return words.T("nobody has labelled it")
	case "it is borderline, which two classes leave out":
		return words.T("it is borderline, which two classes leave out")
	}
	if name, ok := strings.CutPrefix(text, "it has no label in "); ok {
		return words.F("it has no label in %s", name)
	}
	if name, ok := strings.CutPrefix(text, "labelled in "); ok {
		if name, ok = strings.CutSuffix(name, ", but without features here"); ok {
			return words.F("labelled in %s, but without features here", name)
		}
	}
	return ""
}
