// Package chance tells whether a classifier is better than guessing: whether its accuracy lies
// above chance, and whether it tells classes apart at all. Of a model that does neither, matrices
// without variance say nothing about invariance.
package chance

import (
	"encoding/json"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/engine/variance"
)

// Counts are what a model's chance level rests on: its predictions for the labelled images of a
// suite as they are.
type Counts struct {
	Labelled int `json:"labelled"` // images with a label
	Correct  int `json:"correct"`  // of these, predicted rightly
	Classes  int `json:"classes"`  // of the model
	Largest  int `json:"largest"`  // labelled images of the most frequent class
	// Top images are predicted as the class that is predicted most often, TopLabels have it as
	// their label.
	Top       int `json:"top"`
	TopLabels int `json:"top_labels"`
}

// Tally counts images piece by piece. The zero value has counted nothing.
type Tally struct {
	labelled, correct int
	labels, predicted []int // by class of the model
}

// Add counts images by number. prediction are the model's classes for the images as they are;
// labels and classes are those of variance.Accuracy, labels nil for a suite without any.
func (t *Tally) Add(prediction []int32, labels, classes, images []int) {
	if labels == nil {
		return
	}
	for _, k := range images {
		if labels[k] < 0 {
			continue
		}
		t.labelled++
		want, got := variance.ClassOf(labels[k], classes), int(prediction[k])
		if want == got {
			t.correct++
		}
		t.labels, t.predicted = count(t.labels, want), count(t.predicted, got)
	}
}

// count adds one to a class; -1 is none that the model knows.
func count(list []int, class int) []int {
	if class < 0 {
		return list
	}
	if short := class + 1 - len(list); short > 0 {
		list = append(list, make([]int, short)...)
	}
	list[class]++
	return list
}

// Counts are those of a model with so many classes.
func (t *Tally) Counts(classes int) Counts {
	c := Counts{Labelled: t.labelled, Correct: t.correct, Classes: classes}
	if len(t.labels) > 0 {
		c.Largest = slices.Max(t.labels)
	}
	if len(t.predicted) > 0 {
		c.Top = slices.Max(t.predicted)
		if top := slices.Index(t.predicted, c.Top); top < len(t.labels) {
			c.TopLabels = t.labels[top]
		}
	}
	return c
}

// Count is Tally for images that are all there.
func Count(prediction []int32, labels, classes, images []int, number int) Counts {
	var t Tally
	t.Add(prediction, labels, classes, images)
	return t.Counts(number)
}

// Code is what the counts say of a model.
type Code string

// The codes; Fine is also that of a model without labelled images.
const (
	Fine     Code = ""
	NotAbove Code = "not_above_chance" // the accuracy is not significantly above chance
	OneClass Code = "one_class"        // nearly all predictions are one class
)

// The limits: the level of the tests, the share of predictions that are nearly all, and the share
// of labels that explains them.
const (
	significance = 0.05
	nearlyAll    = 0.9
	explained    = 0.6
)

// Level is what is known of a model's accuracy beside chance.
type Level struct {
	Counts
	Code Code
	// Guessing is the accuracy of who guesses best without looking: the larger of 1/Classes and the
	// share of the largest class.
	Guessing float64
	// P is the probability of at least as many right predictions by chance, the larger of the two
	// one-sided binomial tests; 0 without labelled images, where nothing is tested.
	P float64
}

// Level judges: a model is NotAbove when either of two one-sided binomial tests, against
// 1/Classes and against the share of the largest class, has p > 0.05. Else it is OneClass when
// more than 90 % of its predictions are one class that less than 60 % of the labels are.
func (c Counts) Level() Level {
	l := Level{Counts: c}
	if c.Labelled < 1 || c.Classes < 1 {
		return l
	}
	n := float64(c.Labelled)
	l.Guessing = max(1/float64(c.Classes), float64(c.Largest)/n)
	// the tail grows with the share, so this is the larger one of both tests
	l.P = upperTail(c.Correct, c.Labelled, l.Guessing)
	switch {
	case l.P > significance:
		l.Code = NotAbove
	case float64(c.Top) > nearlyAll*n && float64(c.TopLabels) < explained*n:
		l.Code = OneClass
	}
	return l
}

// MarshalJSON writes the code, the sentence and the numbers behind them; p is null without
// labelled images.
func (l Level) MarshalJSON() ([]byte, error) {
	form := struct {
		Code     Code     `json:"code"`
		Note     string   `json:"note,omitempty"`
		P        *float64 `json:"p"`
		Guessing float64  `json:"guessing"`
		Counts
	}{Code: l.Code, Note: l.Sentence(), Guessing: l.Guessing, Counts: l.Counts}
	if l.Labelled > 0 {
		form.P = &l.P
	}
	return json.Marshal(form)
}

// Flagged tells whether a reader has to know that the model is no better than chance or predicts
// one class.
func (l Level) Flagged() bool { return l.Code != Fine }

// upperTail is the probability of at least k successes in n trials, each with this probability:
// the regularised incomplete beta function. It is 1 for k < 1, and 0 for k > n.
func upperTail(k, n int, probability float64) float64 {
	switch {
	case k < 1 || probability >= 1 && k <= n:
		return 1
	case k > n || probability <= 0:
		return 0
	}
	return mathext.RegIncBeta(float64(k), float64(n-k+1), probability)
}

// The forms of Sentence. Their values are those of Level.Figures.
const (
	NotAboveForm = "accuracy %s of %d images is not above chance (%s): dark matrices do not mean invariance"
	OneClassForm = "%s of %d predictions are one class, as are %s of the labels: dark matrices do not mean invariance"
)

// Figures are the values of the form that goes with the code: a share, the number of images, and
// the share to compare with.
func (l Level) Figures() (share string, images int, beside string) {
	n := float64(max(1, l.Labelled))
	if l.Code == OneClass {
		return result.Percent(float64(l.Top) / n), l.Labelled, result.Percent(float64(l.TopLabels) / n)
	}
	return result.Percent(float64(l.Correct) / n), l.Labelled, result.Percent(l.Guessing)
}

// Sentence says what the code means, with figures; "" for a model that is Fine.
func (l Level) Sentence() string {
	share, images, beside := l.Figures()
	switch l.Code {
	case NotAbove:
		return fmt.Sprintf(NotAboveForm, share, images, beside)
	case OneClass:
		return fmt.Sprintf(OneClassForm, share, images, beside)
	}
	return ""
}

// OfVerdicts is Sentence of an assessor, whose images are labelled models and whose predictions are
// its verdicts on models that it has not learned from.
func (l Level) OfVerdicts() string {
	share, models, beside := l.Figures()
	switch l.Code {
	case NotAbove:
		return fmt.Sprintf("not above chance (%s), so the verdicts say nothing", beside)
	case OneClass:
		return fmt.Sprintf("%s of %s are one label, as are %s of the labels, which hardly tells models apart",
			share, result.Counted(models, "verdict"), beside)
	}
	return ""
}

// Word is the code in the column of a table: "not above chance", "one class", "" for a model that
// is Fine.
func (c Code) Word() string {
	switch c {
	case NotAbove:
		return "not above chance"
	case OneClass:
		return "one class"
	}
	return ""
}
