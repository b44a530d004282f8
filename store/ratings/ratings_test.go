package ratings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/testdata"
)

func put(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testdata.OK(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

func TestForms(t *testing.T) {
	for text, want := range map[string]Table{
		"model,A,B,majority,note\nm1,v,i,,x\nm2,v,,v,y\n": {
			Items: []string{"m1", "m2"}, Raters: []string{"A", "B"}, Words: [][]string{{"v", "v"}, {"i", ""}},
		},
		"A,B\nv,i\nv,v\nv,NA\n": {
			Items: []string{"1", "2", "3"}, Raters: []string{"A", "B"},
			Words: [][]string{{"v", "v", "v"}, {"i", "v", ""}},
		},
		"k,A,B,why\nm1,v,i,dark\nm2,v,v,wavy\nm3,i,v,?\nm4,i,v,odd\n": {
			Items: []string{"m1", "m2", "m3", "m4"}, Raters: []string{"A", "B"},
			Words: [][]string{{"v", "v", "i", "i"}, {"i", "v", "v", "v"}},
		},
		"k,A,B\nm1,v,variant\nm2,b,I\nm3,i,borderline\n": {
			Items: []string{"m1", "m2", "m3"}, Raters: []string{"A", "B"},
			Words: [][]string{{"v", "b", "i"}, {"variant", "I", "borderline"}},
		},
		"id,Annotator,image,choice\n1,7,a.png,v\n2,8,a.png,i\n3,7,b.png,v\n4,7,b.png,v\n": {
			Items: []string{"a.png", "b.png"}, Raters: []string{"7", "8"}, Words: [][]string{{"v", "v"}, {"i", ""}},
		},
		`[{"id": 4, "image": "a", "choice": "v", "annotator": 2}, {"id": 5, "image": "b", "choice": ["i"], "annotator": {"id": 3}}, {"id": 6, "image": "c", "choice": {"choices": ["v"]}, "annotator": {"id": 3}}]`: {
			Items: []string{"a", "b", "c"}, Raters: []string{"2", "3"},
			Words: [][]string{{"v", "", ""}, {"", "i", "v"}},
		},
		`[{"id": 4, "data": {"text": "a"}, "annotations": [{"completed_by": 2, "result": [{"from_name": "q", "type": "choices", "value": {"choices": ["v"]}}]}]}]`: {
			Items: []string{"4"}, Raters: []string{"2"}, Words: [][]string{{"v"}},
		},
	} {
		got, err := Read(put(t, "l.csv", text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got[0].Notes, got[0].Name = nil, ""
		if diff := cmp.Diff(want, got[0]); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		words   string
		classes int
		names   []string
		want    string // labels, or classes by number
		taken   string
	}{
		{"invariant Variant", 0, nil, "invariant variant", "Variant as variant"},
		{"i v b", 0, nil, "invariant variant borderline", "i as invariant, v as variant, b as borderline"},
		{
			"inv V Border", 0, nil, "invariant variant borderline",
			"inv as invariant, V as variant, Border as borderline",
		},
		{"0 1", 0, nil, "invariant variant", "0 as invariant, 1 as variant"},
		{"0 1 2", 0, nil, "invariant borderline variant", "0 as invariant, 1 as borderline, 2 as variant"},
		{"2 1", 3, nil, "variant borderline", "2 as variant, 1 as borderline"},
		{"TRUE FALSE", 3, nil, "variant invariant", "TRUE as variant, FALSE as invariant"},
		{"1 2", 0, nil, "1 2", "1, 2 as they are"},
		{"b a B", 0, nil, "b a b", "a, b as they are"},
		{"10 9 2", 0, nil, "10 9 2", "2, 9, 10 as they are"},
		{
			"ok bad NA", 0,
			[]string{"ok=i", "bad=variant"},
			"invariant variant ",
			"bad as variant, ok as i, i as invariant",
		},
		{"ok bad", 0, []string{"bad="}, "ok ", "bad as no label, ok as they are"},
	} {
		table := Table{Name: "t", Raters: []string{"r"}, Words: [][]string{strings.Split(c.words, " ")}}
		got, err := Options{Map: c.names}.Code(table, c.classes)
		if err != nil {
			t.Errorf("%s: %v", c.words, err)
			continue
		}
		var words []string
		for _, class := range got.Ratings[0] {
			if class == label.Missing {
				words = append(words, "")
			} else {
				words = append(words, got.Classes[class])
			}
		}
		if text := strings.Join(words, " "); text != c.want || got.Taken != c.taken {
			t.Errorf("%s: %q, %q; want %q, %q", c.words, text, got.Taken, c.want, c.taken)
		}
	}
}

// TestHostileRatings: what is no table of ratings is refused in one sentence that names the file.
func TestHostileRatings(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "it is empty",
		"\n\n":                                   "it is empty",
		"item\na\n":                              "there is one column",
		"item,A\n":                               "it holds no labels",
		"item,A,B\na,,NA\n":                      "it holds no labels",
		"item,A,B\na,v,v\na,i,i\n":               "item a is there twice",
		"item,A,A\na,v,v\n":                      "line 1: column A is there twice",
		"item,A,,B\na,v,,v\nb,v,v,v\n":           "line 1: column 3 has no name",
		"item,A,B\na,v\n":                        "line 2: the row has another number of cells",
		"item,A,B\na,v,\"v\n":                    "line 2",
		"item,A\na," + strings.Repeat("x", 2000): "longer than 1024 bytes",
		"item,rater,label\na,A,v\na,A,i\n":       "line 3: rater A gives item a two labels, v and i",
		"item,rater,label\n,A,v\n":               "line 2: the item has no name",
		"rater,m1,m2\nA,v,i\n":                   "there is a column of raters, rater, and none of labels",
		"case,A,B\ns1,v,v\ns1,v,i\ns2,i,i\n":     "the column case has a cell twice and is no rater's",
		"a" + strings.Repeat(",b", 1000) + "\n":  "there are 1001 columns",
		"rater,label\nA,v\n":                     "no column of items",
		"\x00\x01\x02":                           "",
		"{}":                                     "it is no list of tasks",
		"[1]":                                    "task 1: it has another form",
		"[{\"id\": 1}]":                          "neither annotations nor the fields",
		"[{\"id\": 1, ":                          "task 1: it is cut short",
		"[]":                                     "it holds no labels",
		`[{"data": {}, "annotations": [{"result": [{"from_name": "q", "type": "choices", "value": {"choices": ["a", "b"]}}]}]}]`: "q has 2 choices at once",
	} {
		if _, err := Read(put(t, "l.csv", text)); err == nil || !strings.HasPrefix(err.Error(), "l.csv: ") ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v, want %s", text, err, want)
		}
	}
	for words, want := range map[string]string{
		"a b":   `"a" is no label of 2 classes`,
		"0 1 2": `"2" is no label of 2 classes`, "i b": `"b" is no label`,
	} {
		_, err := (Options{}).Code(Table{Name: "t", Words: [][]string{strings.Split(words, " ")}}, 2)
		testdata.Refused(t, words, err, want)
	}
	testdata.Refused(t, "error", testdata.Err((Options{}).Code(Table{Words: [][]string{{"0", "1"}}}, 3)),
		"borderline or variant")
	for _, wrong := range []string{"nowhere.csv", "=variant", "a=b,a=c"} {
		_, err := (Options{Map: strings.Split(wrong, ",")}).Code(Table{Words: [][]string{{"a"}}}, 0)
		testdata.Refused(t, wrong, err, "--map")
	}
	many := "item,A,B\n"
	for k := range 70 {
		many += strings.Repeat("x", k+1) + ",w" + strings.Repeat("y", k/2) + ",w\n"
	}
	tables := testdata.Must(Read(put(t, "l.csv", strings.ReplaceAll(many, "w,w", "w,v")+"z,wq,wz\n")))(t)
	if _, err := (Options{}).Code(tables[0], 0); err != nil {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("item,A,B\na,v,i\n")
	f.Add("item;rater;label\na;A;v\n")
	f.Add(`[{"id": 1, "data": {"item": "a"}, "annotations": [{"completed_by": 1, "result": [{"from_name": "q", "type": "choices", "value": {"choices": ["v"]}}]}]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		tables, err := Read(put(t, "l.csv", text))
		if err != nil {
			return
		}
		for _, table := range tables {
			if len(table.Words) != len(table.Raters) || len(table.Raters) == 0 ||
				len(table.Words[0]) != len(table.Items) {
				t.Fatalf("%+v", table)
			}
			_, _ = Options{}.Code(table, 0) // it must not panic
		}
	})
}
