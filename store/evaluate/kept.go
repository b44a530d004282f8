package evaluate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/engine/chance"
	"github.com/variscope/variscope/engine/invariance"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/lookup"
)

// keptVersion counts the forms of what is kept: it changes with the measures and with the form.
const keptVersion = 2

// keptName names what is measured of a set.
func keptName(info store.SetInfo) string {
	return fmt.Sprintf("invariance/%d/%s", keptVersion, setName(info))
}

// setName names what a set says: its key stands for model, images, labels and family, the class
// mapping for what is right. Equal names have equal results.
func setName(info store.SetInfo) string {
	mapping := sha256.Sum256(fmt.Append(nil, info.ClassMap))
	return info.Key + "/" + hex.EncodeToString(mapping[:8])
}

// form is a result as JSON can hold it: null stands for NaN.
type form struct {
	Images   int               `json:"images"`
	Labelled int               `json:"labelled"`
	Accuracy *float64          `json:"accuracy"`
	Rows     []rowForm         `json:"rows"`
	Mean     invariance.Values `json:"mean"`
	Drop     *float64          `json:"drop"`
	Scores   [4]*float64       `json:"scores"` // in the order of assess.Scores
	Chance   chance.Counts     `json:"chance"`
	Missing  string            `json:"missing,omitempty"`
}

type rowForm struct {
	Transformation int               `json:"transformation"`
	Name           string            `json:"name"`
	V              *float64          `json:"v"`
	Mean           invariance.Values `json:"mean"`
	Accuracy       *float64          `json:"accuracy"`
	Drop           *float64          `json:"drop"`
}

// kept reads what was measured before. What cannot be read counts as not measured: it is computed
// again.
func kept(ws lookup.Signals, name string) (invariance.Result, bool) {
	var f form
	found, err := ws.KeptValue(name, &f)
	if err != nil || !found {
		return invariance.Result{}, false
	}
	r := invariance.Result{
		Images: f.Images, Labelled: f.Labelled, Accuracy: number(f.Accuracy), Mean: f.Mean, Drop: number(f.Drop),
		Missing: missing(f.Missing), Chance: f.Chance,
		Scores: assess.Scores{
			CorrectProduct: number(f.Scores[0]), CorrectMean: number(f.Scores[1]),
			ConsistencyProduct: number(f.Scores[2]), ConsistencyMean: number(f.Scores[3]),
		},
	}
	for _, row := range f.Rows {
		r.Rows = append(r.Rows, invariance.Row{
			Transformation: row.Transformation, Name: row.Name, V: number(row.V), Mean: row.Mean,
			Accuracy: number(row.Accuracy), AccuracyDrop: number(row.Drop),
		})
	}
	return r, true
}

// keep stores what was measured.
func keep(ws lookup.Signals, name string, r invariance.Result) error {
	f := form{
		Images: r.Images, Labelled: r.Labelled, Accuracy: defined(r.Accuracy), Mean: r.Mean, Drop: defined(r.Drop),
		Missing: r.Missing.Text, Chance: r.Chance,
		Scores: [4]*float64{
			defined(r.Scores.CorrectProduct), defined(r.Scores.CorrectMean),
			defined(r.Scores.ConsistencyProduct), defined(r.Scores.ConsistencyMean),
		},
	}
	for _, row := range r.Rows {
		f.Rows = append(f.Rows, rowForm{
			Transformation: row.Transformation, Name: row.Name, V: defined(row.V), Mean: row.Mean,
			Accuracy: defined(row.Accuracy), Drop: defined(row.AccuracyDrop),
		})
	}
	return ws.KeepValue(name, f)
}

func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}

// missing is why the measures of whole softmax vectors are not there.
func missing(text string) result.Reason {
	if text == "" {
		return result.Reason{}
	}
	return result.Reason{Code: invariance.NoSoftmax, Text: text}
}

func number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	return *v
}
