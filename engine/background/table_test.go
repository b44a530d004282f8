package background_test

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/internal/testdata"
)

const tableHead = "file,kind,label,scene,visible_pixels,seg_sky,seg_sea,scene_beach,scene_sky\n"

// smallTable has two images.
const smallTable = tableHead + "b/1.png,background,,beach,4096,0.25,0.010000,0.7,0.3\n" +
	"t/1.png,target,dog,,4000,0.010001,0,0.5,0.5\n"

func read(t testing.TB, text string) background.Table {
	t.Helper()
	return testdata.Must(background.ReadTable(strings.NewReader(text)))(t)
}

func TestReadTable(t *testing.T) {
	want := background.Table{
		Elements: []string{"sky", "sea"}, Scenes: []string{"beach", "sky"},
		Rows: []background.Row{
			{
				File: "b/1.png", Kind: background.BackgroundKind, Scene: "beach", Visible: 4096,
				Vector: []float64{0.25, 0.01, 0.7, 0.3},
			},
			{
				File: "t/1.png", Kind: background.TargetKind, Label: "dog", Visible: 4000,
				Vector: []float64{0.010001, 0, 0.5, 0.5},
			},
		},
	}
	for name, text := range map[string]string{
		"plain": smallTable, "byte order mark": "\ufeff" + smallTable,
		"CRLF":                  strings.ReplaceAll(smallTable, "\n", "\r\n"),
		"blanks around numbers": strings.ReplaceAll(smallTable, "0.25", " 0.25 "),
	} {
		testdata.NoDiff(t, name, cmp.Diff(want, read(t, text)))
	}
	testdata.Equal(t, "targets are rows", want.Of(background.TargetKind), []int{1})
	testdata.Equal(t, "backgrounds are rows", want.Of(background.BackgroundKind), []int{0})
}

// TestWriteTable: what was read is written as it was, and a table of another shape is
// refused.
func TestWriteTable(t *testing.T) {
	table := read(t, smallTable)
	table.Rows[0].File, table.Rows[0].Scene, table.Rows[1].Label = "=b/1.png", "'beach", "-dog, \"wet\""
	var out bytes.Buffer
	testdata.OK(t, table.WriteTable(&out))
	want := tableHead + "=b/1.png,background,,'beach,4096,0.250000,0.010000,0.700000,0.300000\n" +
		"t/1.png,target,\"-dog, \"\"wet\"\"\",,4000,0.010001,0.000000,0.500000,0.500000\n"
	testdata.Is(t, "written:\n", out.String(), want)
	testdata.NoDiff(t, "difference", cmp.Diff(table, read(t, out.String())))
	table.Rows[1].Vector = nil
	testdata.Refused(t, "a row without numbers", table.WriteTable(&out), "t/1.png has 0 numbers in place of 4")
}

// TestRefusedTables: every refusal is one line that says where and what.
func TestRefusedTables(t *testing.T) {
	row := "b/1.png,background,,beach,4096,0.25,0.5,0.7,0.3\n"
	with := func(old, new string) string { return tableHead + strings.Replace(row, old, new, 1) }
	many := func(n int, prefix string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, ",%s%d", prefix, i)
		}
		return b.String()
	}
	lead := "file,kind,label,scene,visible_pixels"
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "is empty"},
		{"no rows", tableHead, "has no rows"},
		{"semicolons", "file;kind;label\n", "separate columns by commas"},
		{"no kind", "file,label,scene,visible_pixels,seg_a,scene_a\n", "line 1: there is no column kind"},
		{
			"other order", "kind,file,label,scene,visible_pixels,seg_a,scene_a\n",
			`line 1: column 1 is "kind" in place of file`,
		},
		{"no elements", lead + ",scene_a\n", "line 1: there is no column seg_NAME"},
		{"no scenes", lead + ",seg_a\n", "line 1: there is no column scene_NAME"},
		{"twice", lead + ",seg_a,seg_b,seg_a,scene_a\n", `line 1: columns 6 and 8 are both called "seg_a"`},
		{"wrong way round", lead + ",seg_a,scene_a,seg_b\n", `line 1: column 8, "seg_b", comes after a column scene_`},
		{"no name", lead + ",seg_,scene_a\n", `line 1: column 6 is called "seg_"`},
		{"something else", lead + ",seg_a,scene_a,notes\n", `line 1: column 8 is called "notes"`},
		{"very many columns", lead + many(100_000, "seg_") + ",scene_a\n", "line 1: there are 100006 columns"},
		{"kind", with("background", "scenery"), `line 2, column kind: "scenery" is neither target nor background`},
		{"no file", with("b/1.png", ""), "line 2, column file: there is no file"},
		{"same file", tableHead + row + row, `line 3, column file: "b/1.png" is in line 2 already`},
		{"pixels", with("4096", "many"), `line 2, column visible_pixels: "many" is no number of pixels`},
		{"NaN", with("0.25", "NaN"), "line 2, column seg_sky: NaN is not between 0 and 1"},
		{"beyond float64", with("0.25", "1e999"), "line 2, column seg_sky: 1e999 is not between 0 and 1"},
		{"per cent", with("0.5", "50"), "line 2, column seg_sea: 50 is not between 0 and 1"},
		{"below 0", with("0.7", "-0.1"), "line 2, column scene_beach: -0.1 is not between 0 and 1"},
		{"word", with("0.7", "high"), `line 2, column scene_beach: "high" is no number`},
		{"a cell too few", with(",0.7", ""), "line 2: there are 8 cells in place of 9"},
		{"quote", with("beach", `"beach`), "line 2: "},
		{"not UTF-8", with("beach", "b\xffach"), "line 2, column scene: the text is not UTF-8"},
	} {
		table, err := background.ReadTable(strings.NewReader(c.text))
		switch {
		case err == nil:
			t.Errorf("%s: accepted", c.name)
		case !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %q does not say %q", c.name, err, c.want)
		case strings.Contains(err.Error(), "\n") || len(err.Error()) > 200:
			t.Errorf("%s: the sentence is too long: %q", c.name, err)
		case len(table.Rows) > 0:
			t.Errorf("%s: rows came with the error", c.name)
		}
	}
}

// TestPresentKeywords: strictly above the share, the best scene (of equal ones the first), and a
// word of both lists is one item.
func TestPresentKeywords(t *testing.T) {
	table := read(t, smallTable)
	k := testdata.Must(table.Keywords(background.PaperRule()))(t)
	want := background.Keywords{
		Items:   []string{"seg_sky", "seg_sea", "scene_beach"},
		Present: [][]int{{0, 2}, {0, 2}}, // sea has exactly 1 %; beach and sky tie, beach comes first
	}
	testdata.NoDiff(t, "difference", cmp.Diff(want, k))
	k = testdata.Must(table.Keywords(background.RefcodeRule()))(t)
	if want := [][]int{{0, 1, 2}, {0, 2}}; !reflect.DeepEqual(k.Present, want) {
		t.Errorf("by the published code's rule %v, want %v", k.Present, want)
	}
}

// TestBothLists: a word is present if either list says so.
func TestBothLists(t *testing.T) {
	table := background.Table{
		Elements: []string{"tower", "sky"}, Scenes: []string{"sky", "tower"},
		Rows: []background.Row{
			{Vector: []float64{0, 0, 0.9, 0.1}}, {Vector: []float64{0, 0.5, 0.1, 0.9}}, {Vector: []float64{0, 0, 0, 0}},
		},
	}
	k := testdata.Must(table.Keywords(background.PaperRule()))(t)
	want := background.Keywords{Items: []string{"seg_tower", "seg_sky"}, Present: [][]int{{1}, {0, 1}, {}}}
	testdata.NoDiff(t, "difference", cmp.Diff(want, k))
}

// TestExcluded: excluded words are struck from both lists, and the best scene is then another one.
func TestExcluded(t *testing.T) {
	table := background.Table{
		Elements: []string{"dog", "sky"}, Scenes: []string{"dog", "living_room", "street"},
		Rows: []background.Row{{Vector: []float64{0.9, 0.1, 0.8, 0.15, 0.05}}},
	}
	for _, c := range []struct {
		excluded []string
		items    []string
		present  []int
	}{
		{nil, []string{"seg_dog", "seg_sky", "scene_living_room", "scene_street"}, []int{0, 1}},
		{[]string{"Dog"}, []string{"seg_sky", "scene_living_room", "scene_street"}, []int{0, 1}},
		{[]string{"dog", " living room "}, []string{"seg_sky", "scene_street"}, []int{0, 1}},
		{[]string{"dog", "sky", "living_room", "street"}, nil, []int{}},
	} {
		r := background.PaperRule()
		r.Excluded = c.excluded
		k := testdata.Must(table.Keywords(r))(t)
		testdata.NoDiff(t, fmt.Sprintf("without %q", c.excluded),
			cmp.Diff(background.Keywords{Items: c.items, Present: [][]int{c.present}}, k))
	}
}

// TestWithout: words are added once, in order, and the rule itself stays; the classes of the
// targets come in the order of the rows.
func TestWithout(t *testing.T) {
	r := background.PaperRule()
	r.Excluded = []string{"sofa"}
	got := r.Without("dog", " ", "sofa", " boat ", "dog")
	if want := []string{"boat", "dog", "sofa"}; !slices.Equal(got.Excluded, want) ||
		!slices.Equal(r.Excluded, []string{"sofa"}) || got.Share != r.Share {
		t.Errorf("without %q, the rule before %q", got.Excluded, r.Excluded)
	}
	table := background.Table{Rows: []background.Row{
		{Kind: background.TargetKind, Label: "fish"},
		{Kind: background.BackgroundKind, Label: "no target"},
		{Kind: background.TargetKind, Label: "bird"},
		{Kind: background.TargetKind},
		{Kind: background.TargetKind, Label: "fish"},
	}}
	testdata.Equal(t, "classes", table.Classes(), []string{"fish", "bird"})
}

func TestBestScenes(t *testing.T) {
	table := background.Table{
		Elements: []string{"a"}, Scenes: []string{"p", "q", "r", "s"},
		Rows: []background.Row{{Vector: []float64{0, 0.2, 0.4, 0.2, 0}}},
	}
	for n, want := range map[int][]int{1: {2}, 2: {1, 2}, 3: {1, 2, 3}, 9: {1, 2, 3}} {
		k := testdata.Must(table.Keywords(background.Rule{Share: 0.01, Scenes: n}))(t)
		testdata.Equal(t, fmt.Sprintf("the best %d scenes", n), k.Present[0], want)
	}
}

func TestRulesThatCannotBe(t *testing.T) {
	table := read(t, smallTable)
	for _, r := range []background.Rule{
		{Share: -0.1, Scenes: 1},
		{Share: 1, Scenes: 1},
		{Share: math.NaN(), Scenes: 1},
		{Share: 0.01, Scenes: 0},
		{Share: 0.01, Scenes: -3},
	} {
		if _, err := table.Keywords(r); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%+v: %v", r, err)
		}
	}
	table.Rows[1].Vector = table.Rows[1].Vector[:3]
	testdata.Refused(t, "a short vector",
		testdata.Err(table.Keywords(background.PaperRule())), "t/1.png has 3 numbers in place of 4")
}

// FuzzReadTable: whatever comes in, the answer is a table that writes and reads itself, or one
// sentence.
func FuzzReadTable(f *testing.F) {
	for _, text := range []string{
		smallTable, tableHead, "", "\ufeff", tableHead + "a,target,,,0,0,0,0,0\n", "file,kind\n\"",
		tableHead + "'a,target,,,9,1,1,1,1\n",
		"file,kind,label,scene,visible_pixels,seg_a,scene_a\n=x,target,\"a\nb\",,1,1e-9,0x1p-2\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := background.ReadTable(bytes.NewReader(data))
		if err != nil {
			if err.Error() == "" || strings.Contains(err.Error(), "\n") {
				t.Fatalf("not one sentence: %q", err)
			}
			return
		}
		var once, twice bytes.Buffer
		testdata.OK(t, table.WriteTable(&once))
		again := testdata.Must(background.ReadTable(bytes.NewReader(once.Bytes())))(t)
		testdata.OK(t, again.WriteTable(&twice))
		if !bytes.Equal(once.Bytes(), twice.Bytes()) {
			t.Fatalf("written twice:\n%q\n%q", once.String(), twice.String())
		}
		testdata.Must(table.Keywords(background.PaperRule()))(t)
	})
}
