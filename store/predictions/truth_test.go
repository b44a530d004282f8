package predictions

import (
	"slices"
	"testing"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/internal/testdata"
)

func TestReadTruth(t *testing.T) {
	names := Names{Samples: []string{"a", "b", "=c", "twin", "twin", "0"}, Classes: []string{"cat", "dog"}}
	for text, want := range map[string][]int32{
		"sample,label\n1,1\n3,0\n":                     {-1, 1, -1, 0, -1, -1},
		"label,remark,sample\ndog,x,a\n,y,b\ncat,,4\n": {1, -1, -1, -1, 0, -1},
		"\ufeffimage,truth\n=c,1\n":                    {-1, -1, 1, -1, -1, -1},
		"sample,label\n0,1\n":                          {-1, -1, -1, -1, -1, 1},
		"sample,label\n":                               {-1, -1, -1, -1, -1, -1},
	} {
		got, err := ReadTruth(put(t, "l.csv", text), 6, 2, names)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                                   "it is empty",
		"sample,class\n1,1\n":                "line 1: it needs the columns sample and label",
		"sample,label\n6,1\n":                `line 2, column sample: there is no sample "6"; samples are 0 to 5`,
		"sample,label\n-1,1\n":               "there is no sample",
		"sample,label\n1,1\n1,0\n":           "line 3, column sample: sample 1 is in line 2 already",
		"sample,label\nb,1\n1,0\n":           "sample 1 is in line 2 already",
		"sample,label\ntwin,1\n":             "several samples are called twin",
		"sample,label\n1,2\n":                `line 2, column label: there is no class "2"; classes are 0 to 1`,
		"sample,label\n1,ox\n":               `there is no class "ox"`,
		"sample,label\n1,-1\n":               `there is no class "-1"`,
		"sample,label\n1\n":                  "line 2: there are 1 cells in place of 2",
		"sample,label\n1,\xff\n":             "there is no class",
		"sample,sample,label\n1,1,1\n":       "column sample is there twice",
		"sample,label\n99999999999999,1\n\n": "there is no sample",
	} {
		testdata.Refused(t, text, testdata.Err(ReadTruth(put(t, "l.csv", text), 6, 2, names)), want, "l.csv")
	}
	if _, err := ReadTruth("nowhere.csv", 6, 2, names); err == nil {
		t.Error("a file that is not there is read")
	}
}

func FuzzReadTruth(f *testing.F) {
	f.Add("sample,label\n1,dog\n'=c,0\n")
	f.Add("image,truth\na,\n")
	f.Fuzz(func(t *testing.T, text string) {
		truth, err := ReadTruth(put(t, "l.csv", text), 4, 2,
			Names{Samples: []string{"a", "b", "=c", "d"}, Classes: []string{"cat", "dog"}})
		if err == nil &&
			(len(truth) != 4 || slices.ContainsFunc(truth, func(c int32) bool { return c < -1 || c > 1 })) {
			t.Fatal(truth)
		}
	})
}

func TestNamesOf(t *testing.T) {
	b := newFixture(t)
	table := b.table("t", "", 7, "x", "y")
	got, err := NamesOf(b.Workspace, table.ID)
	if err != nil || got.Source != "t" || !slices.Equal(got.Classes, []string{"dog", "eel", "cat"}) ||
		got.Samples != nil {
		t.Errorf("%+v %v", got, err)
	}
	got, err = NamesOf(b.Workspace, b.pets.Hash)
	if err != nil || got.Source != "pets" || !slices.Equal(got.Classes, []string{"cat", "dog", "eel"}) ||
		got.Samples != nil {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := NamesOf(b.Workspace, "t"); err == nil {
		t.Error("a table's name is no id")
	}
}

func TestShifted(t *testing.T) {
	b := newFixture(t)
	other := b.suite("other", "a", "b")
	for _, c := range []struct {
		of       string
		severity int
	}{{b.pets.Hash, 3}, {other.Hash, 1}, {b.pets.Hash, 1}} {
		testdata.Must(b.DeriveSuite(c.of, corrupt.Setting{Name: "fog", Severity: c.severity, Seed: 1}, ""))(t)
	}
	list, err := Shifted(b.Workspace, b.pets.Hash)
	var names []string
	for _, m := range list {
		names = append(names, m.Name)
	}
	if err != nil || !slices.Equal(names, []string{"pets", "pets, fog 1", "pets, fog 3"}) {
		t.Errorf("%q %v", names, err)
	}
	if _, err := Shifted(b.Workspace, "nowhere"); err == nil {
		t.Error("an unknown suite has shifted ones")
	}
}
