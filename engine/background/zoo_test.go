package background

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

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
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	all, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return all[1:]
}

// zooScenes reads keywords.csv by itself: the table and its present keywords, with segmentation and scene words told by the columns.
func zooScenes(t testing.TB, folder string) Scenes {
	t.Helper()
	var s Scenes
	for _, r := range records(t, folder, "keywords.csv") {
		row := Row{File: r[0], Kind: r[1], Label: r[2], Scene: r[3]}
		for _, text := range r[5:] {
			row.Vector = append(row.Vector, number(t, text))
		}
		s.Table.Rows = append(s.Table.Rows, row)
		var present []int
		best := 24
		for k, v := range row.Vector {
			if k < 24 && v > 0.01 {
				present = append(present, k)
			}
			if k > 24 && v > row.Vector[best] {
				best = k
			}
		}
		s.Keywords.Present = append(s.Keywords.Present, append(present, best))
	}
	return s
}

func number(t testing.TB, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// slowExpand is spec/background.md sections 3 and 4 step by step: an edge is counted whenever it is needed.
func slowExpand(s Scenes, present []int, items, least, levels int) []Keyword {
	together := func(a, b int) (both, first int) {
		for _, row := range s.Keywords.Present {
			if slices.Contains(row, a) {
				first++
				if slices.Contains(row, b) {
					both++
				}
			}
		}
		return both, first
	}
	var v []Keyword
	score := map[int]float64{}
	for _, item := range present {
		v, score[item] = append(v, Keyword{Item: item, Score: 1, From: -1}), 1
	}
	newest := present
	for level := 1; level <= levels && len(v) < least && len(newest) > 0; level++ {
		var next []Keyword
		for b := range items {
			if _, there := score[b]; there {
				continue
			}
			best := Keyword{Item: b, Level: level, From: -1}
			for _, a := range newest {
				both, first := together(a, b)
				confidence := float64(both) / float64(first)
				if float64(both) < 0.05*float64(len(s.Keywords.Present))-1e-9 || confidence < 0.3-1e-12 {
					continue
				}
				if reached := score[a] * confidence; best.From < 0 || reached > best.Score {
					best.Score, best.From = reached, a
				}
			}
			if best.From >= 0 {
				next = append(next, best)
			}
		}
		slices.SortStableFunc(next, func(a, b Keyword) int {
			switch {
			case a.Score > b.Score:
				return -1
			case a.Score < b.Score:
				return 1
			}
			return a.Item - b.Item
		})
		newest = nil
		for _, k := range next {
			newest, score[k.Item] = append(newest, k.Item), k.Score
		}
		v = append(v, next...)
	}
	return v
}

// TestZooChoices: the ten targets of choices.csv by every method, exactly.
func TestZooChoices(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	s := zooScenes(t, folder)
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
		v := slowExpand(s, s.Keywords.Present[target], 34, 32, 5)
		got, err := s.Choose(target, target, v, Choice{Method: Method(method), N: DefaultScenes})
		if err != nil {
			t.Fatal(err)
		}
		for k, scene := range got {
			if is := []string{filepath.Base(s.Table.Rows[scene.Background].File), strconv.FormatFloat(scene.Distance, 'f', 6, 64)}; !slices.Equal(is, list[k]) {
				t.Errorf("%s: scene %d is %v, want %v", key, k+1, is, list[k])
				break
			}
		}
	}
}

// TestZooSelection: selection.csv lists what ByKeywords chooses for all 360 targets with the defaults.
func TestZooSelection(t *testing.T) {
	folder := zooFolder()
	if folder == "" {
		return
	}
	s := zooScenes(t, folder)
	rows := records(t, folder, "selection.csv")
	if len(rows) != 360 {
		t.Fatalf("selection.csv has %d targets, want 360", len(rows))
	}
	for index, r := range rows {
		target := slices.IndexFunc(s.Table.Rows, func(row Row) bool { return row.File == r[0] })
		v := slowExpand(s, s.Keywords.Present[target], 34, 32, 5)
		got, err := s.Choose(target, index, v, Choice{Method: ByKeywords, N: DefaultScenes})
		if err != nil {
			t.Fatal(err)
		}
		for k, scene := range got {
			if is := filepath.Base(s.Table.Rows[scene.Background].File); is != r[1+k] {
				t.Errorf("%s: scene %d is %s, want %s", r[0], k+1, is, r[1+k])
				break
			}
		}
	}
}
