package suite

import (
	"encoding/csv"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	r := pngBytes(2, 1, red)
	images := []string{"img/a.png", "img/b, c.png", "d.png"}
	for _, test := range []struct {
		name, text string
		given      []string
		classes    []string
		named      bool
		labels     []int
	}{
		{"names", "path,label\nimg/a.png,dog\n\"img/b, c.png\",cat\nd.png,dog\n", nil, []string{"cat", "dog"}, true, []int{1, 0, 1}},
		{"other columns and order", "\ufeffLabel,size, Path \r\ndog,1,img/a.png\r\ncat,2,\"img/b, c.png\"\r\ndog,3,./d.png\r\n", nil, []string{"cat", "dog"}, true, []int{1, 0, 1}},
		{"numbers", "path,label\nimg/a.png,2\n\"img/b, c.png\",0\nd.png,2\n", nil, []string{"0", "1", "2"}, false, []int{2, 0, 2}},
		{"numbers with names", "path,label\nimg/a.png,2\n\"img/b, c.png\",0\nd.png,2\n", []string{"x", "y", "z", "u"}, []string{"x", "y", "z", "u"}, true, []int{2, 0, 2}},
		{"numbers that are names", "path,label\nimg/a.png,2\n\"img/b, c.png\",0\nd.png,2\n", []string{"2", "0"}, []string{"2", "0"}, true, []int{0, 1, 0}},
		{"names in order", "path,label\nimg/a.png,dog\n\"img/b, c.png\",cat\nd.png,dog\n", []string{"dog", "cat", "cow"}, []string{"dog", "cat", "cow"}, true, []int{0, 1, 0}},
		{"no column", "path\nimg/a.png\n\"img/b, c.png\"\nd.png\n", nil, nil, false, []int{-1, -1, -1}},
		{"empty column", "path,label\nimg/a.png,\n\"img/b, c.png\",\nd.png,\n", nil, nil, false, []int{-1, -1, -1}},
		{"not quite numbers", "path,label\nimg/a.png,01\n\"img/b, c.png\",1\nd.png,1\n", nil, []string{"01", "1"}, true, []int{0, 1, 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			files := map[string][]byte{"list.csv": []byte(test.text)}
			for _, i := range images {
				files[i] = r
			}
			root := tree(t, files)
			m := scan(t, filepath.Join(root, "list.csv"), Options{Classes: test.given})
			if m.Format != CSV || m.Name != "list" || m.Root != root || !slices.Equal(paths(m), images) || !slices.Equal(m.Labels, test.labels) ||
				!slices.Equal(m.Classes, test.classes) || m.Named != test.named {
				t.Errorf("%+v", m)
			}
			pixels(t, open(t, m), 1)
		})
	}
}

func TestCSVPathsOutside(t *testing.T) {
	r := pngBytes(2, 1, red)
	root := tree(t, map[string][]byte{"lists/a/l.csv": []byte("path,label\n../../images/1.png,x\n"), "images/1.png": r, "images/2.png": r})
	m := scan(t, filepath.Join(root, "lists", "a", "l.csv"), Options{})
	if m.Root != root || !slices.Equal(paths(m), []string{"images/1.png"}) {
		t.Errorf("%s: %v", m.Root, paths(m))
	}
	open(t, m)
	absolute := filepath.Join(root, "images", "2.png")
	put(t, filepath.Join(root, "lists", "b.csv"), []byte("path,label\n\""+absolute+"\",x\n"))
	if m = scan(t, filepath.Join(root, "lists", "b.csv"), Options{}); !slices.Equal(paths(m), []string{"images/2.png"}) {
		t.Errorf("%s: %v", m.Root, paths(m))
	}
}

func TestCSVErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		given      []string
		texts      []string
	}{
		{"empty", "", nil, []string{"is empty", "path,label"}},
		{"no header", "img/a.png,dog\n", nil, []string{"names no column path"}},
		{"no rows", "path,label\n", nil, []string{"lists no images"}},
		{"fields", "path,label\na.png\n", nil, []string{"line 2", "wrong number of fields"}},
		{"quote", "path,label\n\"a.png,x\n", nil, []string{"line 2"}},
		{"no path", "path,label\na.png,x\n ,y\n", nil, []string{"line 3 has no path"}},
		{"zero byte", "path,label\na\x00b,x\n", nil, []string{"line 2"}},
		{"label missing", "path,label\na.png,x\nb.png,\n", nil, []string{"line 3 has no label"}},
		{"unknown label", "path,label\na.png,cow\n", []string{"dog"}, []string{`line 2: label "cow"`}},
		{"too few names", "path,label\na.png,5\n", []string{"dog"}, []string{"only 1 class names"}},
		{"missing image", "path,label\nnowhere.png,x\n", nil, []string{"corrupt image", "nowhere.png", "no such file"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := tree(t, map[string][]byte{"l.csv": []byte(test.text)})
			wrong(t, filepath.Join(root, "l.csv"), Options{Classes: test.given}, append(test.texts, root)...)
		})
	}
}

func TestCSVMissingImagesAreSkipped(t *testing.T) {
	root := tree(t, map[string][]byte{"l.csv": []byte("path,label\nnowhere.png,x\na.png,y\n"), "a.png": pngBytes(1, 1, red)})
	m := scan(t, filepath.Join(root, "l.csv"), Options{SkipCorrupt: true})
	if m.Images != 1 || m.Labels[0] != 1 || len(m.Skipped) != 1 || m.Skipped[0].Path != "nowhere.png" || len(m.Classes) != 2 {
		t.Errorf("%+v", m)
	}
}

// FuzzCSV: what parses has paths, and its classes and labels fit together; written out again it reads the same.
func FuzzCSV(f *testing.F) {
	f.Add("path,label\na.png,dog\nb.png,cat\n")
	f.Add("label,path\r\n1,\"a, b\"\r\n0,c\r\n")
	f.Add("\ufeffpath\nx\n")
	f.Add("path,label\na,\n")
	f.Add("path,label\na,99999999999999999999\n")
	ends := regexp.MustCompile("\r+\n") // in a cell; reading takes the last \r of each away
	plain := func(cell string) string { return ends.ReplaceAllString(cell, "\n") }
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := parseCSV(strings.NewReader(text))
		if err != nil {
			return
		}
		var again strings.Builder
		w := csv.NewWriter(&again)
		lines := [][]string{{"path", "label"}}
		for _, r := range rows {
			lines = append(lines, []string{plain(r.path), plain(r.label)})
		}
		if err := w.WriteAll(lines); err != nil {
			t.Fatal(err)
		}
		back, err := parseCSV(strings.NewReader(again.String()))
		if err != nil || len(back) != len(rows) {
			t.Fatalf("%q: %v", again.String(), err)
		}
		classes, labels, err := csvClasses(rows, nil)
		if err != nil {
			return
		}
		for i, l := range labels {
			if l >= len(classes) || l < 0 && len(classes) > 0 || l >= 0 && classes[l] != rows[i].label {
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
