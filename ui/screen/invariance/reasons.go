package invariance

import (
	"fmt"

	"github.com/variscope/variscope/engine/stats"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/words"
)

// reasonText is why there is no correlation, line, prediction or result, in words of this screen. What is not known here is
// left to the reasons that all screens share.
func reasonText(reason string) string {
	switch reason {
	case stats.FewPairs:
		return words.T("fewer than 3 points")
	case stats.FirstFixed, stats.XFixed:
		return words.T("the score is the same for all")
	case stats.SecondFixed:
		return words.T("the accuracy is the same for all")
	case stats.NotFinite:
		return words.T("a value is infinite")
	case stats.TooFar:
		return words.T("the numbers are too large for a line")
	case "one channel: grayscale changes nothing":
		return words.T("one channel: grayscale changes nothing")
	}
	if text := counted(reason); text != "" {
		return text
	}
	return present.Reason(reason)
}

// counted knows the reasons that hold numbers, "" for another.
func counted(reason string) string {
	var a, b int
	var set string
	switch {
	case scan(reason, "fewer than %d points", &a):
		return words.F("fewer than %d points", a)
	case scan(reason, "fewer than %d labelled suites", &a):
		return words.F("fewer than %d labelled suites", a)
	case scan(reason, "the model has %d classes; whole softmax vectors are kept for at most %d", &a, &b):
		return words.F("the model has %d classes; whole softmax vectors are kept for at most %d", a, b)
	case scan(reason, "%s deletes regions inside the model and leaves the images as they are; "+
		"invariance needs a transformation of images, such as rot90", &set):
		return words.F("%s deletes regions inside the model and leaves the images as they are; "+
			"invariance needs a transformation of images, such as rot90", set)
	case scan(reason, "%s holds the images as they are; invariance needs a transformation, such as rot90", &set):
		return words.F("%s holds the images as they are; invariance needs a transformation, such as rot90", set)
	case scan(reason, "%s turns images by right angles; it needs square ones, and these have %d x %d pixels", &set, &a, &b):
		return words.F("%s turns images by right angles; it needs square ones, and these have %d x %d pixels", set, a, b)
	}
	return ""
}

// scan reads the values of a reason that has exactly this form.
func scan(reason, form string, into ...any) bool {
	if n, err := fmt.Sscanf(reason, form, into...); err != nil || n != len(into) {
		return false
	}
	values := make([]any, len(into))
	for k, v := range into {
		switch v := v.(type) {
		case *int:
			values[k] = *v
		case *string:
			values[k] = *v
		}
	}
	return fmt.Sprintf(form, values...) == reason
}
