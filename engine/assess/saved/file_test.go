package saved

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/assess"
	"github.com/variscope/variscope/internal/testdata"
)

// What is read is what was written, to the last bit, and judges the same.
func TestEncodeDecode(t *testing.T) {
	for _, classes := range []int{2, 3} {
		d := madeUp(30, classes, 1)
		for _, s := range settings() {
			f := trained(t, d, s)
			if classes == 3 {
				f = keeping(f, d)
			}
			survives(t, f, d)
		}
	}
}

func survives(t *testing.T, f File, d assess.Data) {
	t.Helper()
	s, data := f.Assessor.Settings, encoded(t, f)
	got := testdata.Must(Decode("first.vassessor", data))(t)
	testdata.NoDiff(t, fmt.Sprintf("%d classes, %s", len(d.Classes), s.Algorithm), cmp.Diff(f, got))
	if again := encoded(t, got); !bytes.Equal(data, again) {
		t.Errorf("%d classes, %s: other bytes the second time", len(d.Classes), s.Algorithm)
	}
	for _, row := range d.Rows {
		want, have := testdata.Must(f.Assessor.Judge(row))(t), testdata.Must(got.Assessor.Judge(row))(t)
		testdata.NoDiff(t, string(s.Algorithm)+", "+row.ID, cmp.Diff(want, have))
	}
}

// Any file that was cut is refused in one sentence, and one that was cut inside is told from a
// foreign one.
func TestDecodeCut(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads thousands of files
	}
	data := encoded(t, trained(t, madeUp(20, 2, 1), settings()[0]))
	for n := range len(data) - 2 { // without its last brace; the line end does not matter
		_, err := Decode("cut.vassessor", data[:n])
		want := "cut.vassessor is cut short; copy the whole file again"
		if n < len(`{ "kind": "variscope assessor"`)+1 {
			want = "cut.vassessor is not an assessor file"
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("cut after %d bytes of %d: %v", n, len(data), err)
		}
	}
	testdata.Must(Decode("whole.vassessor", bytes.TrimSpace(data)))(t)
}

// Every change of a byte inside the content is noticed.
func TestDecodeEdited(t *testing.T) {
	if testing.Short() {
		return // one goroutine reads thousands of files
	}
	data := encoded(t, trained(t, madeUp(20, 2, 1), settings()[0]))
	start := bytes.Index(data, []byte(`"content": `)) + len(`"content": `)
	random := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		edited := bytes.Clone(data)
		at := start + random.IntN(len(data)-start-2)
		if strings.ContainsRune(" \n", rune(edited[at])) {
			continue // white space between the parts means nothing
		}
		edited[at] ^= byte(1 << random.IntN(7))
		testdata.Refused(t, fmt.Sprintf("byte %d: %q became %q unnoticed", at, data[at], edited[at]),
			testdata.Err(Decode("edited.vassessor", edited)))
	}
	edited := bytes.Replace(data, []byte(`"accuracy": 0.9`), []byte(`"accuracy": 0.99`), 1)
	testdata.Refused(t, "an edited number", testdata.Err(Decode("edited.vassessor", edited)),
		"edited.vassessor was changed after it was saved (its hash is another); take the file as it was")
	var spaced bytes.Buffer
	testdata.OK(t, json.Compact(&spaced, data))
	testdata.Must(Decode("compact.vassessor", spaced.Bytes()))(t)
}

func TestDecodeRefuses(t *testing.T) {
	data := string(encoded(t, trained(t, madeUp(20, 2, 1), settings()[0])))
	for text, want := range map[string]string{
		"":                      "f is not an assessor file; variscope assess train --out NAME.vassessor writes one",
		"id,owner\na,b\n":       "f is not an assessor file",
		`{"kind": "something"}`: "f is not an assessor file",
		"[1, 2]":                "f is not an assessor file",
		strings.Replace(data, `"format": 1`, `"format": 9`,
			1): "f was made by a newer Variscope (format 9, this one reads up to 3); update this program",
		`{"kind": "variscope assessor", "format": 4, "new": {}}`: "f was made by a newer Variscope (format 4",
		strings.Replace(data, `"format": 1`, `"format": 0`,
			1): "f was changed after it was saved (it has the format 0)",
		data +
			"{}": "f was changed after it was saved (there is something behind its end)",
		`{"kind": "variscope assessor", x}`:               "f was changed after it was saved (invalid character",
		`{"kind": "variscope assessor", "format": "one"}`: "f was changed after it was saved (json:",
		`{"kind": "variscope assessor", "format": 1}`:     "f was changed after it was saved (its hash is another)",
		sealed(`{"unknown": 1}`):                          "f is damaged: json: unknown field \"unknown\"",
		sealed(`[]`): "f is damaged: line 1, column 1: json: cannot unmarshal " +
			"array",
		sealed(`null`): "f does not fit together: it holds no assessor; train the " +
			"assessor again",
	} {
		_, err := Decode("f", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: got %v\nwant %s", text, err, want)
		}
	}
	testdata.Refused(t, "a large file", testdata.Err(Decode("f", make([]byte, MaxBytes+1))), "f is larger than 64 MiB")
}

// sealed is content in an envelope with the right hash.
func sealed(content string) string {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(content)); err != nil {
		return content
	}
	return fmt.Sprintf(`{"kind":"variscope assessor","format":1,"sha256":%q,"content":%s}`, sum(compact.Bytes()),
		content)
}

// What does not fit together is refused when it is written and when it is read.
func TestValidateRefuses(t *testing.T) {
	d, low, high := madeUp(20, 2, 1), -2.0, 7.0
	for want, change := range map[string]func(*File){
		"it holds no assessor":     func(f *File) { f.Assessor = nil },
		"the assessor has no name": func(f *File) { f.Name = " " },
		"its family: ":             func(f *File) { f.Family = "wobbling:1:2" },
		"its family rotation:-15:15:1 is not written as rotation:-15:15:1;": func(f *File) {
			f.Family = "rotation:-15:15:1"
		},
		"choice of images": func(f *File) { f.Images = "some" },
		"its choice of images all;share=1 is not written as all": func(f *File) { f.Images = "all;share=1" },
		"its suite has -1 images":                                func(f *File) { f.Suite.Images = -1 },
		"the assessor has 32 columns": func(f *File) {
			f.Layout.Modalities = f.Layout.Modalities[:1]
		},
		"it names no models":                  func(f *File) { f.Training = nil },
		`"abc" is no hash`:                    func(f *File) { f.TrainingHash = "abc" },
		`model m0 has the label "borderline"`: func(f *File) { f.Training[0].Label = "borderline" },
		"model m1 has 0 features, and the assessor has 32": func(f *File) {
			*f = keeping(*f, d)
			f.Training[1].Features = nil
		},
		"model m1 has 1 features, and the assessor has 32": func(f *File) {
			f.Training[1].Features = []float64{1}
		},
		"its accuracy of 1.5":            func(f *File) { f.Results[0].Accuracy = 1.5 },
		"its kappa of -2":                func(f *File) { f.Results[0].Kappa = &low },
		"its AUC of 7":                   func(f *File) { f.Results[0].AUC = &high },
		"its results speak of -1 models": func(f *File) { f.Results[0].Models = -1 },
		"tree":                           func(f *File) { f.Assessor.Tree.Left[0] = 99 },
		"the settings name the algorithm linear": func(f *File) {
			f.Assessor.Settings.Algorithm = assess.Regression
		},
	} {
		f := trained(t, d, settings()[0])
		change(&f)
		err := f.Validate()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
			continue
		}
		testdata.Refused(t, fmt.Sprintf("%s: written all the same", want), testdata.Err(f.Encode()), want)
		content := testdata.Must(f.content())(t)
		if _, err := Decode("f", []byte(sealed(string(content)))); err == nil ||
			!strings.HasPrefix(err.Error(), "f does not fit together: ") {
			t.Errorf("%s: read all the same: %v", want, err)
		}
	}
	f := trained(t, d, settings()[0])
	f.Results[0].SD = math.NaN()
	testdata.Refused(t, "a deviation that is no number was written", testdata.Err(f.Encode()))
	f.Results, f.Family = nil, ""
	testdata.OK(t, f.Validate())
}

func TestFits(t *testing.T) {
	f := trained(t, madeUp(20, 2, 1), settings()[0])
	for _, test := range []struct {
		family string
		change func(*File)
		want   string
	}{
		{f.Family, func(*File) {}, ""},
		{"rotation:-15:15:1", func(*File) {}, ""},
		{"rotation:-30:30:2", func(*File) {}, "these matrices are of rotation:-30:30:2;interpolation=bilinear"},
		{"wobbling", func(*File) {}, "wobbling"},
		{
			f.Family, func(o *File) { o.Layout.Modalities = []string{"max@CONF"} },
			"assessor first needs the matrix mean@CONV-1: it was trained on max@CONF, mean@CONV-1; here are max@CONF",
		},
		{
			f.Family, func(o *File) { o.Layout.Modalities = []string{"mean@CONV-1", "max@CONF"} },
			"assessor first was trained on the matrices max@CONF, mean@CONV-1, in this order; " +
				"here are mean@CONV-1, max@CONF",
		},
		{f.Family, func(o *File) { o.Layout.Tau = 0.2 }, "with a tau of 0.15; these have 0.2"},
		{f.Family, func(o *File) { o.Layout.Profile = "refcode" }, "with formulas paper; these have refcode"},
		{f.Family, func(o *File) { o.Layout.Share = 0.8 }, "share of the images for ssty of 0.9; these have 0.8"},
		{f.Family, func(o *File) { o.Layout.Seed = 9 }, "these have 9"},
	} {
		other := f
		test.change(&other)
		err := f.Fits(test.family, other.Layout)
		if test.want == "" && err != nil || test.want != "" &&
			(err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %v, want %q", test.family, err, test.want)
		}
	}
	f.Family = ""
	testdata.Refused(t, "error",
		f.Fits("rotation:-15:15:1", f.Layout), "trained on a table; train it again with --family")
}

// A training set's name depends on all that is learned from, and on nothing else.
func TestTrainingHash(t *testing.T) {
	all := madeUp(20, 2, 1).Labelled()
	want := TrainingHash(madeUp(20, 2, 1), all)
	for what, change := range map[string]func(*assess.Data){
		"a feature":       func(d *assess.Data) { d.Rows[3].X[5] = math.Nextafter(d.Rows[3].X[5], 2) },
		"a label":         func(d *assess.Data) { d.Rows[0].Label = "variant" },
		"a model":         func(d *assess.Data) { d.Rows[0].Hash = "another" },
		"a column's name": func(d *assess.Data) { d.Names[0], d.Names[1] = "max@CONF.sv", "mmax@CONF.mean" },
		"the order":       func(d *assess.Data) { d.Rows[0], d.Rows[1] = d.Rows[1], d.Rows[0] },
	} {
		d := madeUp(20, 2, 1)
		change(&d)
		if TrainingHash(d, all) == want {
			t.Errorf("%s changes nothing", what)
		}
	}
	d := madeUp(20, 2, 1)
	d.Rows[0].ID, d.Rows[0].Basis, d.Rows[0].Holdout = "renamed", "majority", true
	testdata.Is(t, "what is not learned from changes the hash", TrainingHash(d, all), want)
	if TrainingHash(d, all[1:]) == want {
		t.Error("a row less changes nothing")
	}
	d.Rows[0].Hash, d.Rows[1].Hash = "", ""
	renamed := TrainingHash(d, all)
	d.Rows[0].ID = "again"
	if TrainingHash(d, all) == renamed {
		t.Error("without a hash, the id names a model")
	}
}

func BenchmarkDecode(b *testing.B) {
	d := madeUp(150, 2, 1)
	data := encoded(b, trained(b, d, assess.Settings{Algorithm: assess.RandomForest, Seed: 1}))
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		testdata.Must(Decode("forest.vassessor", data))(b)
	}
}

func TestLearned(t *testing.T) {
	f := File{Training: []Example{{ID: "a", Hash: "0a"}, {ID: "b"}}}
	for hash, want := range map[string]bool{"0a": true, "0b": false, "": false} {
		testdata.Is(t, fmt.Sprintf("model %q", hash), f.Learned(hash), want)
	}
}
