package saved

import (
	"math"
	"testing"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/internal/testdata"
)

// usable holds that a file that was read can do its work.
func usable(t *testing.T, f File) {
	t.Helper()
	x := make([]float64, len(f.Assessor.Names))
	for i := range x {
		x[i] = float64(i) / 7
	}
	row := assess.Row{X: x, Scores: assess.Scores{
		CorrectProduct: 0.5, CorrectMean: 0.5, ConsistencyProduct: 0.5, ConsistencyMean: 0.5,
	}}
	v := testdata.Must(f.Assessor.Judge(row))(t)
	sum := 0.0
	for _, p := range v.Probability {
		sum += p
	}
	if v.Probability != nil && !(math.Abs(sum-1) < 1e-6) {
		t.Fatalf("probabilities %v", v.Probability)
	}
	for class := range f.Assessor.Classes {
		if _, err := f.Assessor.Explain(x, class); err != nil && f.Assessor.Threshold == nil &&
			f.Assessor.Linear == nil {
			t.Fatalf("a file that was read cannot explain: %v", err)
		}
	}
	if d := f.From(assess.Data{}).Seen.Distance(row); d.Why.None() && !(d.Value >= 0 && d.Limit >= 0) {
		t.Fatalf("a distance of %+v", d)
	}
	if err := f.Fits(f.Family, f.Layout); err != nil && f.Family != "" {
		t.Fatalf("it does not fit itself: %v", err)
	}
	if _, err := Decode("again", encoded(t, f)); err != nil {
		t.Fatalf("what was read cannot be written and read: %v", err)
	}
}

// small are settings whose files are short, so that a fuzzer gets far.
func small() []assess.Settings {
	list := settings()
	for i := range list {
		list[i].Trees, list[i].Rounds = 2, 2
	}
	return list
}

// FuzzDecode feeds any bytes as a file.
func FuzzDecode(f *testing.F) {
	for _, s := range small() {
		f.Add(encoded(f, trained(f, madeUp(8, 2, 1), s)))
	}
	f.Add([]byte(`{"kind": "variscope assessor", "format": 2}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if file, err := Decode("fuzz", data); err == nil {
			usable(t, file)
		}
	})
}

// FuzzContent feeds any content under a hash that is right, as somebody who means harm would.
func FuzzContent(f *testing.F) {
	for _, s := range small() {
		d := madeUp(8, 3, 1)
		content := testdata.Must(keeping(trained(f, d, s), d).content())(f)
		f.Add(string(content))
	}
	f.Add(`{"assessor": {"threshold": null, "tree": {}}}`)
	f.Fuzz(func(t *testing.T, content string) {
		if file, err := Decode("fuzz", []byte(sealed(content))); err == nil {
			usable(t, file)
		}
	})
}
