package background

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/variscope/variscope/engine/itemset"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/testdata"
)

// zooFolder is the scenes zoo, "" where there is none.
func zooFolder() string {
	folder, ok := testdata.Zoo("scenes")
	if !ok {
		fmt.Println("zoo scenes: absent")
		return ""
	}
	return folder
}

// records reads a CSV of the zoo without its header.
func records(t testing.TB, folder, name string) [][]string {
	t.Helper()
	file := testdata.Must(os.Open(filepath.Join(folder, name)))(t)
	defer func() { _ = file.Close() }()
	all := testdata.Must(csv.NewReader(file).ReadAll())(t)
	return all[1:]
}

// zooScenes reads the zoo's table.
func zooScenes(t testing.TB, folder string) Scenes {
	t.Helper()
	file := testdata.Must(os.Open(filepath.Join(folder, "keywords.csv")))(t)
	defer func() { _ = file.Close() }()
	var s Scenes
	s.Table = testdata.Must(ReadTable(file))(t)
	s.Keywords = testdata.Must(s.Table.Keywords(PaperRule()))(t)
	return s
}

func number(t testing.TB, text string) float64 {
	t.Helper()
	return testdata.Must(strconv.ParseFloat(text, 64))(t)
}

// zooExpand expands through the ontology of all of the zoo's images, with the defaults.
func zooExpand(t testing.TB, s Scenes) func(row int) []Keyword {
	t.Helper()
	o := testdata.Must(itemset.New(s.Keywords.Items, s.Keywords.Present, itemset.DefaultMinSupport,
		itemset.DefaultMinConfidence))(t)
	return func(row int) []Keyword { return Expand(o, s.Keywords.Present[row], DefaultExpansion()) }
}

// TestZooChoices: the ten targets of choices.csv by every method, exactly.
func TestZooChoices(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	s := zooScenes(t, folder)
	expand := zooExpand(t, s)
	want := map[string][][]string{}
	for _, r := range records(t, folder, "expected/choices.csv") {
		want[r[0]+" "+r[1]] = append(want[r[0]+" "+r[1]], r[3:])
	}
	if len(want) != 30 {
		t.Fatalf("choices.csv has %d lists, want 30", len(want))
	}
	for key, list := range want {
		file, method, _ := strings.Cut(key, " ")
		target := slices.IndexFunc(s.Table.Rows, func(r Row) bool { return r.File == file })
		v := expand(target)
		got := testdata.Must(s.Choose(target, target, v, Choice{Method: Method(method), N: DefaultScenes}))(t)
		for k, scene := range got {
			if is := []string{
				filepath.Base(s.Table.Rows[scene.Background].File),
				strconv.FormatFloat(scene.Distance, 'f', 6, 64),
			}; !slices.Equal(is, list[k]) {
				t.Errorf("%s: scene %d is %v, want %v", key, k+1, is, list[k])
				break
			}
		}
	}
}

// TestZooSelection: selection.csv lists what ByKeywords chooses for all 360 targets with the
// defaults.
func TestZooSelection(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	s := zooScenes(t, folder)
	expand := zooExpand(t, s)
	rows := records(t, folder, "selection.csv")
	if len(rows) != 360 {
		t.Fatalf("selection.csv has %d targets, want 360", len(rows))
	}
	for index, r := range rows {
		target := slices.IndexFunc(s.Table.Rows, func(row Row) bool { return row.File == r[0] })
		v := expand(target)
		got := testdata.Must(s.Choose(target, index, v, Choice{Method: ByKeywords, N: DefaultScenes}))(t)
		for k, scene := range got {
			if is := filepath.Base(s.Table.Rows[scene.Background].File); is != r[1+k] {
				t.Errorf("%s: scene %d is %s, want %s", r[0], k+1, is, r[1+k])
				break
			}
		}
	}
}

// TestZooChoosesAtOnce: many goroutines that choose from the same scenes, and put the same
// foreground on scenes, get what one gets.
func TestZooChoosesAtOnce(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	s := zooScenes(t, folder)
	expand := zooExpand(t, s)
	f, err := NewForeground(noisy(1, 3, 8, 8), maskOf("#.......", "........", "........", "..###...", "..###...",
		"........", "........", "........"), Compositing{Feather: 1})
	if err != nil {
		t.Fatal(err)
	}
	work := func(index int) ([]Scene, suite.Image) {
		m := Methods()[index%4]
		list, err := s.Choose(600+index, index, expand(600+index),
			Choice{Method: m, N: DefaultScenes, Seed: 3, Jitter: index%3 == 0})
		if err != nil {
			t.Error(err)
		}
		return list, f.On(noisy(uint64(index), 3, 8, 8))
	}
	const targets = 48
	var scenes [targets][]Scene
	var images [targets]suite.Image
	var wait sync.WaitGroup
	for index := range targets {
		wait.Go(func() { scenes[index], images[index] = work(index) })
	}
	wait.Wait()
	for index := range targets {
		if list, img := work(index); !reflect.DeepEqual(list, scenes[index]) ||
			!slices.Equal(img.Pix, images[index].Pix) {
			t.Errorf("target %d is another one alone", index)
		}
	}
}
