package present

import (
	"fmt"
	"strings"

	"github.com/variscope/variscope/engine/rank"
	"github.com/variscope/variscope/engine/stats"
)

// rankReason knows why a ranker has no ranking or a ranking no quality, and why a model takes no part in it: engine/rank and
// store/predictions give the reasons.
func rankReason(text string) string {
	switch text {
	case "all models predict the same on every sample, so nothing tells them apart":
		return "all models predict the same for every image, so nothing tells them apart"
	case "it needs the models' probabilities, and only their labels are known":
		return "it needs the models' probabilities, and only their classes are known"
	case "every sample is unanimous":
		return "all models agree on every image"
	case "no sample has a true label":
		return "no image has a true class"
	case "no more than half of the samples have a true label":
		return "no more than half of the images have a true class"
	case stats.FirstFixed:
		return "all models have the same true accuracy"
	case stats.SecondFixed:
		return "all models have the same score"
	case rank.NoDScore:
		return "it was not measured for these models; it needs labels, and signals for masks and for padded translations: run the sets mask:3 and shift:3:5, or open D-Score"
	}
	return rankCounts(text)
}

// rankCounts knows the reasons that have numbers in them.
func rankCounts(text string) string {
	var a, b int
	if name, ok := strings.CutSuffix(text, " was not measured for these models"); ok && name != "" {
		return "it was not measured for these models"
	}
	if scanned(text, "it needs true labels, and %d of the %d samples that it may draw have none", &a, &b) {
		return fmt.Sprintf("it needs true classes, and %d of the %d images that it may draw have none", a, b)
	}
	if scanned(text, "a budget of %d labels is more than the %d samples (25 %%) that SDS draws from", &a, &b) {
		return fmt.Sprintf("a budget of %d labels is more than the %d images (25 %%) that SDS draws from", a, b)
	}
	if scanned(text, "a budget of %d labels is more than the %d samples", &a, &b) {
		return fmt.Sprintf("a budget of %d labels is more than the %d images", a, b)
	}
	return ""
}

// scanned reads the numbers of a text that an engine wrote in a form; false for any other text.
func scanned(text, form string, into ...any) bool {
	n, err := fmt.Sscanf(text, form, into...)
	if err != nil || n != len(into) {
		return false
	}
	values := make([]any, len(into))
	for k, v := range into {
		values[k] = *v.(*int)
	}
	return fmt.Sprintf(form, values...) == text
}

// RankNote is what a ranking rests on, as people read it; what is not known here, such as a family, is shown as it is.
func RankNote(text string) string {
	var a, b, c int
	switch {
	case scanned(text, "%d labels", &a):
		return Counted(int64(a), "label")
	case scanned(text, "%d of %d samples, not settled after %d rounds", &a, &b, &c):
		return fmt.Sprintf("%s of %s, not settled after %d rounds", Count(int64(a)), Counted(int64(b), "image"), c)
	case scanned(text, "%d of %d samples", &a, &b):
		return fmt.Sprintf("%s of %s", Count(int64(a)), Counted(int64(b), "image"))
	}
	if mask, shift, ok := strings.Cut(text, ", "); ok {
		if grid, ok := gridNote(mask, shift); ok {
			return grid
		}
	}
	return text
}
