package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/internal/testdata"
)

func paths(m Manifest) []string {
	var out []string
	for _, f := range m.Files {
		out = append(out, f.Path)
	}
	return out
}

func TestFolder(t *testing.T) {
	r, b := pngBytes(3, 2, red), pngBytes(3, 2, blue)
	root := tree(t, map[string][]byte{
		"dog/2.png": r, "dog/10.PNG": r, "dog/deep/1.png": b, "dog/notes.txt": nil, "dog/.hidden.png": nil,
		"dog/.git/x.png": nil, "Zebra/z.png": b, "apple/a.png": r, ".cache/x.png": nil, "__MACOSX/dog/2.png": nil,
		"stray.png": r,
	})
	put(t, filepath.Join(root, "dog", "@eaDir", "2.png", "thumb.png"), r)
	put(t, filepath.Join(root, "@eaDir", "thumb.png"), r)
	for _, name := range []string{".DS_Store", "Thumbs.db", "desktop.ini", "._2.png"} { // not counted
		put(t, filepath.Join(root, name), nil)
		put(t, filepath.Join(root, "dog", "deep", name), nil)
	}
	put(t, filepath.Join(root, "dog", "noending"), nil)
	put(t, filepath.Join(root, "apple", "more.TXT"), nil)
	m := scan(t, root, Options{})
	want := []Passed{
		{"a hidden folder", 2, []string{".cache", "dog/.git"}},
		{"a folder of the system", 3, []string{"@eaDir", "__MACOSX", "dog/@eaDir"}},
		{"ending .txt", 2, []string{"apple/more.TXT", "dog/notes.txt"}},
		{"hidden", 1, []string{"dog/.hidden.png"}},
		{"no ending", 1, []string{"dog/noending"}},
		{"beside the class folders", 1, []string{"stray.png"}},
	}
	slices.SortFunc(want, func(a, b Passed) int { return strings.Compare(a.Reason, b.Reason) })
	slices.SortFunc(m.Passed, func(a, b Passed) int { return strings.Compare(a.Reason, b.Reason) })
	testdata.NoDiff(t, "difference", cmp.Diff(want, m.Passed))
	if m.Format != Folder || !m.Named || !slices.Equal(m.Classes, []string{"Zebra", "apple", "dog"}) ||
		!slices.Equal(m.Counts, []int{1, 1, 3}) {
		t.Errorf("%+v", m)
	}
	testdata.Equal(t, "got",
		paths(m), []string{"Zebra/z.png", "apple/a.png", "dog/10.PNG", "dog/2.png", "dog/deep/1.png"})
	if m.Shape != [3]int{3, 2, 3} || m.Root != root || m.Name != filepath.Base(root) ||
		!slices.Equal(m.Labels, []int{0, 1, 2, 2, 2}) {
		t.Errorf("%+v", m)
	}
	s := open(t, m)
	if img := pixels(t, s, 4); img.Pix[0] != 0 || img.Pix[12] != 1 || s.Name(4) != "dog/deep/1.png" || s.Label(4) != 2 {
		t.Errorf("%v", img)
	}
}

// What is passed over is counted whole and named up to a limit, however many reasons there are.
func TestPassingIsBounded(t *testing.T) {
	var p passing
	for i := range 10000 {
		p.add("ending .xml", strconv.Itoa(i))
		p.add("ending ."+strconv.Itoa(i), strconv.Itoa(i)) // the last ones are "other endings"
	}
	sum := 0
	for _, q := range p {
		sum += q.Count
		if len(q.Paths) > maxPaths {
			t.Errorf("%d paths", len(q.Paths))
		}
	}
	if len(p) != maxReasons+1 || sum != 20000 || p[0].String() != "ending .xml 10000 (0, …)" {
		t.Errorf("%d reasons, %d of 20000, %s", len(p), sum, p[0])
	}
}

func TestFolderInParts(t *testing.T) {
	r := pngBytes(1, 1, red)
	root := tree(t, map[string][]byte{"train/a/1.png": r, "Val/a/1.png": r, "notes/x.txt": nil})
	wrong(t, root, Options{}, "data set in parts (Val, train)",
		filepath.Join(root, "Val")+", "+filepath.Join(root, "train"))
	var parts *PartsError
	if _, err := Recognise(root); !errors.As(err, &parts) || !slices.Equal(parts.Parts, []string{"Val", "train"}) ||
		!slices.Equal(parts.Images, []int{1, 1}) {
		t.Errorf("%+v", parts)
	}
	put(t, filepath.Join(root, "extra", "1.png"), r)
	wrong(t, root, Options{}, "data set in parts (Val, train)")
	put(t, filepath.Join(root, "classes.txt"), []byte("train\nVal\nextra\n"))
	if m := scan(t, root, Options{}); len(m.Classes) != 3 {
		t.Errorf("%v", m.Classes)
	}
	wrong(t, tree(t, map[string][]byte{"test/1.png": r}), Options{}, "data set in parts (test)")
	testdata.Equal(t, "got",
		scan(t, tree(t, map[string][]byte{"train/1.png": r, "plane/1.png": r}), Options{}).Classes,
		[]string{"plane", "train"})
}

func TestSynsets(t *testing.T) {
	r := pngBytes(1, 1, red)
	fish, crane, other := "n01440764", "n02012849", "n03126707"
	words := fish + " tench, Tinca tinca\n" + crane + " crane\n" + other + " crane\nn09999999 none\n"
	files := map[string][]byte{"val/" + fish + "/1.png": r, "val/" + crane + "/1.png": r, "val/" + other + "/1.png": r}
	root := tree(t, files)
	val := filepath.Join(root, "val")
	if m := scan(t, val, Options{}); !slices.Equal(m.Classes, []string{fish, crane, other}) || len(m.Notes) > 0 {
		t.Errorf("%v %v", m.Classes, m.Notes)
	}
	want := []string{"tench, Tinca tinca", "crane (" + crane + ")", "crane (" + other + ")"}
	put(t, filepath.Join(root, "LOC_synset_mapping.txt"), []byte(words)) // beside the folder
	m := scan(t, val, Options{})
	if !slices.Equal(m.Classes, want) || !slices.Equal(m.Notes, []string{"classes named by LOC_synset_mapping.txt"}) ||
		len(m.Passed) > 0 {
		t.Errorf("%v %v %v", m.Classes, m.Notes, m.Passed)
	}
	// as a copy in a workspace has it
	put(t, filepath.Join(val, "classes.txt"), []byte(strings.Join(m.ClassLines(), "\n")))
	if again := scan(t, val, Options{}); again.Hash != m.Hash {
		t.Errorf("with its own lines %v", again.Classes)
	}
	json := tree(t, files)
	put(t, filepath.Join(json, "val", "imagenet_class_index.json"),
		[]byte(`{"0": ["`+fish+`", "tench"], "1": ["`+crane+`", "crane"]}`))
	testdata.Equal(t, "got",
		scan(t, filepath.Join(json, "val"), Options{}).Classes, []string{"tench", "crane", other})
	put(t, filepath.Join(json, "val", "imagenet_class_index.json"), []byte(`{"0": 1}`))
	wrong(t, filepath.Join(json, "val"), Options{}, "imagenet_class_index.json", "cannot unmarshal")
}

func TestFolderClassOrder(t *testing.T) {
	r := pngBytes(2, 2, red)
	files := map[string][]byte{"b/1.png": r, "a/1.png": r, "c/1.png": r}
	root := tree(t, files)
	put(t, filepath.Join(root, "classes.txt"), []byte("\ufeffc\r\n\r\na\r\nnone\r\nb\r\n"))
	if m := scan(t, root, Options{}); !slices.Equal(m.Classes, []string{"c", "a", "none", "b"}) ||
		!slices.Equal(m.Counts, []int{1, 1, 0, 1}) || paths(m)[0] != "c/1.png" {
		t.Errorf("%v %v %v", m.Classes, m.Counts, paths(m))
	}
	testdata.Equal(t, "got",
		scan(t, root, Options{Classes: []string{"b", "c", "a"}}).Classes, []string{"b", "c", "a"})
	wrong(t, root, Options{Classes: []string{"b", "c"}}, filepath.Join(root, "a"),
		"not listed in the class names given")
	put(t, filepath.Join(root, "classes.txt"), []byte("a\nb\n"))
	wrong(t, root, Options{}, "class folder", "c is not listed in", "classes.txt")
	put(t, filepath.Join(root, "classes.txt"), []byte("a\nb\nc\na\n"))
	wrong(t, root, Options{}, `"a" is listed twice`)
	put(t, filepath.Join(root, "classes.txt"), []byte("\n"))
	wrong(t, root, Options{}, "classes.txt is empty")
}

func TestScenesOrder(t *testing.T) {
	r := pngBytes(2, 2, red)
	root := tree(t, map[string][]byte{
		"targets/dog/1.png": r, "targets/bird/1.png": r,
		"labels/objects.txt": []byte("dog\nbird\n"),
	})
	path := filepath.Join(root, "targets")
	if m := scan(t, path, Options{}); !slices.Equal(m.Classes, []string{"dog", "bird"}) || m.Name != "targets" {
		t.Errorf("%v %s", m.Classes, m.Name)
	}
	put(t, filepath.Join(root, "labels", "objects.txt"), []byte("dog\nbird\ncat\n"))
	testdata.Equal(t, "a list of other things was taken", scan(t, path, Options{}).Classes, []string{"bird", "dog"})
}

func TestFlatFolder(t *testing.T) {
	root := tree(t, map[string][]byte{"b.png": pngBytes(2, 2, red), "a.png": pngBytes(3, 2, red), "notes.txt": nil})
	m := scan(t, root, Options{})
	if m.Images != 2 || len(m.Classes) != 0 || !slices.Equal(m.Labels, []int{-1, -1}) ||
		!slices.Equal(paths(m), []string{"a.png", "b.png"}) || m.Shape != [3]int{} {
		t.Errorf("%+v", m)
	}
	if s := open(t, m); s.Label(0) != -1 {
		t.Error("a label without classes")
	}
}

func TestFolderOfLinks(t *testing.T) {
	elsewhere := tree(t, map[string][]byte{"x/1.png": pngBytes(2, 2, red), "y/1.png": pngBytes(2, 2, red)})
	root := t.TempDir()
	for _, class := range []string{"x", "y"} {
		if err := os.Symlink(filepath.Join(elsewhere, class), filepath.Join(root, class)); err != nil {
			t.Logf("no links on this system: %v", err)
			return
		}
	}
	for link, to := range map[string]string{"z": "nowhere", "x/0.png": "nowhere.png", "x/more": elsewhere} {
		testdata.OK(t, os.Symlink(to, filepath.Join(root, link)))
	}
	m := scan(t, root, Options{})
	testdata.Equal(t, "paths", paths(m), []string{"x/1.png", "y/1.png"})
	want := []Passed{
		{"a link that leads nowhere", 2, []string{"x/0.png", "z"}}, {"a link to a folder", 1, []string{"x/more"}},
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, m.Passed))
	pixels(t, open(t, m), 1)
}

func TestFolderErrors(t *testing.T) {
	r := pngBytes(2, 2, red)
	for _, test := range []struct {
		name  string
		files map[string][]byte
		texts []string
	}{
		{
			"no images",
			map[string][]byte{"a/readme.txt": nil, "b/readme.txt": nil},
			[]string{"and its subfolders hold no images", "expected IDX"},
		},
		{
			"one class without images",
			map[string][]byte{"a/1.png": r, "b/readme.txt": nil},
			[]string{"class folder", "b holds no images that can be read (ending .txt)"},
		},
	} {
		t.Run(test.name, func(t *testing.T) { wrong(t, tree(t, test.files), Options{}, test.texts...) })
	}
	testdata.ErrorIs(t, "wrong", wrong(t, t.TempDir(), Options{}, "is empty"), ErrUnknown)
	testdata.ErrorIs(t, "wrong", wrong(t, filepath.Join(t.TempDir(), "nowhere"), Options{}, "nowhere"), fs.ErrNotExist)
}

func TestCorruptImages(t *testing.T) {
	r := pngBytes(20, 20, red)
	root := tree(t, map[string][]byte{
		"a/1.png": r, "a/2.png": r[:len(r)/2], "a/3.png": []byte("no image"), "b/1.png": r, "b/2.png": nil,
	})
	err := wrong(t, root, Options{}, root, "a/2.png", "repair or remove it")
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v is not ErrCorrupt", err)
	}
	var c testdata.Progress
	m := testdata.Must(Scan(context.Background(), root, Options{SkipCorrupt: true}, &c))(t)
	if m.Images != 2 || !slices.Equal(m.Labels, []int{0, 1}) || !slices.Equal(m.Counts, []int{1, 1}) ||
		c.Total.Load() != 5 || c.Done.Load() != 5 {
		t.Errorf("%+v, %d of %d", m, c.Done.Load(), c.Total.Load())
	}
	var skipped []string
	for _, s := range m.Skipped {
		skipped = append(skipped, s.Path+": "+s.Reason)
	}
	want := []string{
		"a/2.png: damaged PNG: its pixels end or are wrong in row 1 of 20",
		"a/3.png: is no PNG, JPEG, GIF, BMP, TIFF, WebP or PPM/PGM/PBM image", "b/2.png: is empty",
	}
	testdata.Equal(t, "skipped", skipped, want)
	open(t, m)
	all := tree(t, map[string][]byte{"a/1.png": []byte("x"), "a/2.png": []byte("y")})
	wrong(t, all, Options{SkipCorrupt: true}, "none of its 2 images can be read")
}

func TestUnreadable(t *testing.T) {
	root := tree(t, map[string][]byte{"a/1.png": pngBytes(1, 1, red), "a/2.png/x.txt": nil})
	m := scan(t, root, Options{}) // a folder that is called like an image is no image
	testdata.Is(t, fmt.Sprint(paths(m)), m.Images, 1)
	if _, err := readImageFile(filepath.Join(root, "a", "2.png")); err == nil ||
		err.Error() != "it is a folder, not a file; choose a picture" {
		t.Errorf("%v", err)
	}
	if _, err := readImageFile(filepath.Join(root, "nowhere")); err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
