package suite

import (
	"encoding/csv"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

func TestCSV(t *testing.T) {
	r := pngBytes(2, 1, red)
	images := []string{"img/a.png", "img/b, c.png", "d.png"}
	numbers := "path,label\nimg/a.png,2\n\"img/b, c.png\",0\nd.png,2\n"
	for _, test := range []struct {
		name, text     string
		given, classes []string
		named          bool
		labels         []int
	}{
		{
			"other columns and order",
			"\ufeffLabel,size, Path \r\ndog,1,img/a.png\r\ncat,2,\"img/b, c.png\"\r\ndog,3,./d.png\r\n", nil,
			[]string{"cat", "dog"},
			true,
			[]int{1, 0, 1},
		},
		{
			"numbers with names", numbers,
			[]string{"x", "y", "z", "u"},
			[]string{"x", "y", "z", "u"},
			true,
			[]int{2, 0, 2},
		},
		{"numbers that are names", numbers, []string{"2", "0"}, []string{"2", "0"}, true, []int{0, 1, 0}},
		{
			"names in order", "path,label\nimg/a.png,dog\n\"img/b, c.png\",cat\nd.png,dog\n",
			[]string{"dog", "cat", "cow"},
			[]string{"dog", "cat", "cow"},
			true,
			[]int{0, 1, 0},
		},
		{"no column", "path\nimg/a.png\n\"img/b, c.png\"\nd.png\n", nil, nil, false, []int{-1, -1, -1}},
		{
			"empty column", "path,label\nimg/a.png,\n\"img/b, c.png\",\nd.png,\n", nil, nil, false,
			[]int{-1, -1, -1},
		},
		{
			"one without label", "path,label\nimg/a.png,x\n\"img/b, c.png\",\nd.png,-1\n", nil,
			[]string{"x"},
			true,
			[]int{0, -1, -1},
		},
		{
			"numbers without label", "path,label\nimg/a.png,2.0\n\"img/b, c.png\",-1.0\nd.png,1.0\n", nil,
			[]string{"0", "1", "2"},
			false,
			[]int{2, -1, 1},
		},
		{
			"numbers that are no class numbers", "path,label\nimg/a.png,10.5\n\"img/b, c.png\",9\nd.png,-2\n",
			nil,
			[]string{"-2", "9", "10.5"},
			true,
			[]int{2, 1, 0},
		},
		{
			"other names", "FileName;Size;Class;\nimg/a.png;1;dog;\nimg/b, c.png;1;cat\n;;\nd.png;2;dog;\n",
			nil,
			[]string{"cat", "dog"},
			true,
			[]int{1, 0, 1},
		},
		{
			"Windows", "path\tlabel\r\n.\\img\\a.png\t1\r\nimg\\b, c.png\t0\r\n.\\d.png\t1\r\n", nil,
			[]string{"0", "1"},
			false,
			[]int{1, 0, 1},
		},
		{
			"no header", "img/a.png 1\n\"img/b, c.png  0\"\nd.png 1\n", nil,
			[]string{"0", "1"},
			false,
			[]int{1, 0, 1},
		},
		{
			"no header, tabs", "img/a.png\tx\nimg/b, c.png\ty\nd.png\tx\n", nil,
			[]string{"x", "y"},
			true,
			[]int{0, 1, 0},
		},
		{"no header, paths", "img/a.png\n\"img/b, c.png\"\nd.png\n", nil, nil, false, []int{-1, -1, -1}},
		{
			"not quite numbers", "path,label\nimg/a.png,01\n\"img/b, c.png\",1\nd.png,1\n", nil,
			[]string{"01", "1"},
			true,
			[]int{0, 1, 1},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string][]byte{"list.csv": []byte(test.text)}
			for _, i := range images {
				files[i] = r
			}
			root := tree(t, files)
			m := scan(t, filepath.Join(root, "list.csv"), Options{Classes: test.given})
			if m.Format != CSV || m.Name != "list" || m.Root != root || !slices.Equal(paths(m), images) ||
				!slices.Equal(m.Labels, test.labels) || !slices.Equal(m.Classes, test.classes) ||
				m.Named != test.named {
				t.Errorf("%+v", m)
			}
			pixels(t, open(t, m), 1)
		})
	}
}

func TestCSVPathsOutside(t *testing.T) {
	r := pngBytes(2, 1, red)
	root := tree(t, map[string][]byte{
		"lists/a/l.csv": []byte("path,label\n../../images/1.png,x\n"), "images/1.png": r,
		"images/2.png": r,
	})
	m := scan(t, filepath.Join(root, "lists", "a", "l.csv"), Options{})
	if m.Root != root || !slices.Equal(paths(m), []string{"images/1.png"}) {
		t.Errorf("%s: %v", m.Root, paths(m))
	}
	open(t, m)
	absolute := filepath.Join(root, "images", "2.png")
	put(t, filepath.Join(root, "lists", "b.csv"), []byte("path,label\n\""+absolute+"\",x\n"))
	if m = scan(t, filepath.Join(root, "lists", "b.csv"), Options{}); !slices.Equal(paths(m),
		[]string{"images/2.png"}) {
		t.Errorf("%s: %v", m.Root, paths(m))
	}
}

func TestCSVErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		given      []string
		texts      []string
	}{
		{"empty", "", nil, []string{"is empty", "a first line with a column path"}},
		{"no columns", "img,dog\n", nil, []string{"names no column path"}},
		{"two columns", "path,label,Label\na.png,x,y\n", nil, []string{"two columns label"}},
		{"no rows", "path,label\n", nil, []string{"lists no images"}},
		{"fields", "path,label\na.png\n", nil, []string{"line 2", "wrong number of fields"}},
		{"quote", "path,label\n\"a.png,x\n", nil, []string{"line 2"}},
		{"zero byte", "path,label\na\x00b,x\n", nil, []string{"line 2"}},
		{"unknown label", "path,label\nl.csv,cow\n", []string{"dog"}, []string{`line 2: label "cow"`}},
		{"too few names", "path,label\nl.csv,5\n", []string{"dog"}, []string{"only 1 class names"}},
		{
			"missing image", "path,label\nnowhere.png,x\n", nil,
			[]string{"wrong row: line 2", "nowhere.png", "no such file"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, map[string][]byte{"l.csv": []byte(test.text)})
			wrong(t, filepath.Join(root, "l.csv"), Options{Classes: test.given}, append(test.texts, root)...)
		})
	}
}

func TestCSVMissingImagesAreSkipped(t *testing.T) {
	root := tree(t, map[string][]byte{
		"l.csv": []byte("path,label\nnowhere.png,x\na.png,y\n"),
		"a.png": pngBytes(1, 1, red),
	})
	m := scan(t, filepath.Join(root, "l.csv"), Options{SkipCorrupt: true})
	if m.Images != 1 || m.Labels[0] != 1 || len(m.Skipped) != 1 || m.Skipped[0].Path != "nowhere.png" ||
		len(m.Classes) != 2 {
		t.Errorf("%+v", m)
	}
}

// Rows that are wrong are named, or counted and left out: the images are those of the others, in
// order.
func TestWrongRowsAreLeftOut(t *testing.T) {
	text := "path,label\na.png,x\n,y\nnowhere.png,z\nb.png\n\"b\"x,y\nb.png,y\n"
	root := tree(t, map[string][]byte{
		"l.csv": []byte(text), "a.png": pngBytes(1, 1, red),
		"b.png": pngBytes(1, 1, red),
	})
	path := filepath.Join(root, "l.csv")
	wrong(t, path, Options{}, "wrong row: line 3: has no path", "(4 rows are wrong)")
	m := scan(t, path, Options{SkipBadRows: true})
	want := []Passed{{Reason: "wrong rows", Count: 4, Paths: []string{
		"line 3: has no path", "line 4: nowhere.png: no such file or directory", "line 5: wrong number of fields",
		"line 6: extraneous or missing \" in quoted-field",
	}}}
	if !slices.Equal(paths(m), []string{"a.png", "b.png"}) || !slices.Equal(m.Classes, []string{"x", "y"}) ||
		!cmp.Equal(m.Passed, want) {
		t.Errorf("%+v", m)
	}
	put(t, path, []byte("path,label\nnowhere.png,x\n"))
	wrong(t, path, Options{SkipBadRows: true}, "none of its 1 rows can be used")
}

func TestManifestsSayHowTheyWereRead(t *testing.T) {
	r := pngBytes(2, 1, red)
	for name, want := range map[string][]string{
		"l.tsv": {"separated by tabs", "column path is taken, not image"},
		"l.csv": {
			"read as Windows-1252 (Latin-1), since it is not UTF-8", "1 of the images without label (-1 or empty)",
		},
		"l.txt": {"without a header: paths and labels"},
		"m.csv": {"the table has no column label, class or target"},
	} {
		text := map[string]string{
			"l.tsv": "image\tpath\tlabel\nx\ta.png\t1\n", "l.csv": "path,label\na.png,caf\xe9\nb.png,\n",
			"l.txt": "a.png 0\nb.png 1\n", "m.csv": "path,kind\na.png,1\n",
		}[name]
		root := tree(t, map[string][]byte{name: []byte(text), "a.png": r, "b.png": r})
		m := scan(t, filepath.Join(root, name), Options{})
		if m.Format != CSV || !slices.Equal(m.Notes, want) {
			t.Errorf("%s: %q", name, m.Notes)
		}
		if name == "l.csv" && m.Classes[0] != "caf\u00e9" {
			t.Errorf("%q", m.Classes)
		}
	}
}

// FuzzCSV: what parses has paths, and its classes and labels fit together; written out again it
// reads the same.
func FuzzCSV(f *testing.F) {
	f.Add("path,label\na.png,dog\nb.png,cat\n")
	f.Add("label,path\r\n1,\"a, b\"\r\n0,c\r\n")
	f.Add("\ufeffpath\nx\n")
	f.Add("path,label\na,\n")
	f.Add("sep=;\nimage;class;\na\\b.png;1.0;\n;;\nc;-1\n")
	f.Add("\xff\xfep\x00a\x00t\x00h\x00\n\x00x\x00")
	f.Add("a.png 1\nb\xe9.png 2\n")
	f.Add("path,label\na,99999999999999999999\n")
	ends := regexp.MustCompile("\r+\n") // in a cell; reading takes the last \r of each away
	plain := func(cell string) string { return ends.ReplaceAllString(cell, "\n") }
	f.Fuzz(func(t *testing.T, text string) {
		table, err := parseCSV(strings.NewReader(text))
		if err != nil || len(table.rows) == 0 {
			return
		}
		rows := table.rows
		var again strings.Builder
		w := csv.NewWriter(&again)
		lines := [][]string{{"path", "label"}}
		for _, r := range rows {
			lines = append(lines, []string{plain(r.path), plain(r.label)})
		}
		testdata.OK(t, w.WriteAll(lines))
		table, err = parseCSV(strings.NewReader(again.String()))
		back := table.rows
		if err != nil || len(back) != len(rows) {
			t.Fatalf("%q: %v", again.String(), err)
		}
		classes, labels, err := csvClasses(rows, nil)
		if err != nil {
			return
		}
		for i, l := range labels {
			n, whole := wholeNumber(rows[i].label)
			same := l < 0 && unlabelledText(rows[i].label) || l >= 0 && (classes[l] == rows[i].label || whole && l == n)
			if l >= len(classes) || !same {
				t.Fatalf("row %d: label %d of %q", i, l, classes)
			}
			if back[i].path != plain(rows[i].path) || back[i].label != plain(rows[i].label) {
				t.Fatalf("row %d: %v became %v", i, rows[i], back[i])
			}
		}
	})
}

func TestPlace(t *testing.T) {
	abs := func(p string) string { return filepath.FromSlash(p) }
	root, rel, err := place(abs("/a/b"), []string{abs("/a/b/x"), abs("/a/c/y")})
	if err != nil || root != abs("/a") || !slices.Equal(rel, []string{"b/x", "c/y"}) {
		t.Errorf("%s %v %v", root, rel, err)
	}
	if _, _, err := place(abs("/a"), []string{"relative"}); err == nil {
		t.Error("a relative path was placed")
	}
	if !within(abs("/a"), abs("/a/b")) || within(abs("/a"), abs("/ab")) {
		t.Error("within is by path elements")
	}
}
