package export

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/agreement"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/store/ratings"
)

// drawRows labels some items by some annotators, with missing and repeated labels.
func drawRows(t *rapid.T, words []label.Value) []label.Row {
	var rows []label.Row
	for range rapid.IntRange(1, 40).Draw(t, "events") {
		annotator := rapid.SampledFrom([]string{"r1", "=r2", "r3, d."}).Draw(t, "annotator")
		id := rapid.SampledFrom([]string{"s1", "-s2", "s3", "s4"}).Draw(t, "model")
		rows = append(rows, sample(len(rows), annotator, id, rapid.SampledFrom(words).Draw(t, "label")))
	}
	return rows
}

// Whatever the labels, the round itself, the long table and the wide table give the same numbers.
func TestTablesMeasureTheSame(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		words := label.Values(rapid.IntRange(2, 3).Draw(t, "classes"))
		rows := drawRows(t, words)
		round := label.Round{ID: roundID, Classes: len(words)}
		events := map[string][]label.Event{}
		ids := map[string]string{}
		for _, row := range rows {
			events[roundID] = append(events[roundID], row.Event)
			if ids[row.Model] == "" {
				ids[row.Model] = row.ModelID
				round.Models = append(round.Models, row.Model)
			}
			if !slices.Contains(round.Annotators, row.Annotator) {
				round.Annotators = append(round.Annotators, row.Annotator)
			}
		}
		slices.Sort(round.Annotators)
		measured := func(name string, write func(io.Writer) error) agreement.Report {
			var out bytes.Buffer
			path := filepath.Join(folder, name)
			if err := write(&out); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			list, err := AgreementFromFile(path, len(words), ratings.Options{}, agreement.Options{})
			if err != nil || len(list) != 1 {
				t.Fatalf("%d rounds, %v", len(list), err)
			}
			return list[0].Report
		}
		names := make([]string, len(round.Models))
		for k, hash := range round.Models {
			names[k] = ids[hash]
		}
		want := agreement.OfRound(round, events[roundID], names, round.Annotators, agreement.Options{})
		wide := WideOf([]*agreement.Round{want}, events)
		a := measured("l.csv", func(w io.Writer) error { return label.Labels.Sheet(rows).CSV(w, false) })
		b := measured("w.csv", func(w io.Writer) error { return wide.Sheet().CSV(w, false) })
		if diff := cmp.Diff([]any{want.Report, want.Report}, []any{a, b}); diff != "" {
			t.Fatal(diff)
		}
		for i, row := range wide.Rows {
			want := label.Value("")
			if k := a.Majority.Unresolved[i]; k != agreement.Missing {
				want = words[k]
			}
			if row.Majority != want {
				t.Fatalf("majority of %s is %q, want %q", row.ModelID, row.Majority, want)
			}
		}
	})
}

func TestLabelsWideRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[-=+@'a-z ,"]{1,6}`)
		wide := Wide{
			Annotators: rapid.SliceOfNDistinct(name, 0, 4, rapid.ID[string]).Draw(t, "annotators"), Rows: []WideRow{},
		}
		value := rapid.SampledFrom([]label.Value{"", label.Invariant, label.Borderline, label.Variant})
		for k := range rapid.IntRange(0, 5).Draw(t, "rows") {
			wide.Rows = append(wide.Rows, WideRow{
				RoundID: ulidOf(k % 2), ModelID: name.Draw(t, "id"), ModelHash: sums.Hash(fmt.Sprint(k)),
				Labels:   rapid.SliceOfN(value, len(wide.Annotators), len(wide.Annotators)).Draw(t, "labels"),
				Majority: value.Draw(t, "majority"), Final: value.Draw(t, "final"),
			})
		}
		var out bytes.Buffer
		if err := wide.Sheet().CSV(&out, rapid.Bool().Draw(t, "for spreadsheets")); err != nil {
			t.Fatal(err)
		}
		back, err := ReadLabelsWide(&out, "w.csv")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(wide, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The folder after any sequence of exports and edits is what a simple map says: the newest export's
// files, and every file that people put there or changed.
func TestFolderAgainstMap(t *testing.T) {
	top := t.TempDir()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		out := filepath.Join(top, fmt.Sprint(runs))
		ours, theirs := map[string]string{}, map[string]string{}
		path := rapid.SampledFrom([]string{"a.csv", "b.csv", "m/x.png", "m/y.png", "n/z.png"})
		r.Repeat(map[string]func(*rapid.T){
			"export": func(r *rapid.T) {
				files := rapid.MapOfN(path, rapid.SampledFrom([]string{"1", "2"}), 0, 5).Draw(r, "files")
				if err := put(t, out, false, files); err != nil {
					r.Fatal(err)
				}
				ours = files
				for name := range files {
					delete(theirs, name)
				}
			},
			"edit": func(r *rapid.T) {
				if len(ours) == 0 {
					return
				}
				name := rapid.SampledFrom(slices.Sorted(maps.Keys(ours))).Draw(r, "edited")
				if err := os.WriteFile(filepath.Join(out, filepath.FromSlash(name)), []byte("by hand"),
					0o644); err != nil {
					r.Fatal(err)
				}
				theirs[name] = "by hand"
			},
			"": func(r *rapid.T) {
				want := maps.Clone(ours)
				maps.Copy(want, theirs)
				for name, content := range want {
					data, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(name)))
					if err != nil || string(data) != content {
						r.Fatalf("%s holds %q, %v; want %q", name, data, err, content)
					}
				}
				if _, err := os.Stat(out); err != nil {
					return
				}
				for _, name := range listing(t, out) {
					_, known := want[name]
					if !known && strings.Contains(name, ".") && name != cardName {
						r.Fatalf("%s is left over", name)
					}
				}
			},
		})
	})
}

// benchRows are three annotators' labels of 600 models.
func benchRows() []label.Row {
	var rows []label.Row
	for k := range 1800 {
		rows = append(rows, sample(k, []string{"r1", "r2", "r3"}[k%3], fmt.Sprintf("m%d", k/3), label.Variant))
	}
	return rows
}

func BenchmarkReadLong1800(b *testing.B) {
	text := longText(b, benchRows())
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := ReadLong(strings.NewReader(text), "l.csv"); err != nil {
			b.Fatal(err)
		}
	}
}
