package export

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
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
	"github.com/variscope/variscope/internal/testdata"
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
			testdata.OK(t, write(&out))
			testdata.OK(t, os.WriteFile(path, out.Bytes(), 0o644))
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
		testdata.NoDiff(t, "-want +got", cmp.Diff([]any{want.Report, want.Report}, []any{a, b}))
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
		testdata.OK(t, wide.Sheet().CSV(&out, rapid.Bool().Draw(t, "for spreadsheets")))
		back := testdata.Must(ReadLabelsWide(&out, "w.csv"))(t)
		testdata.NoDiff(t, "-want +got", cmp.Diff(wide, back))
	})
}

// The folder after any sequence of exports and edits is what a simple map says: the newest export's
// files, and every file that people put there or changed.
func TestFolderAgainstMap(t *testing.T) {
	top, paths := t.TempDir(), []string{"a.csv", "b.csv", "m/x.png", "m/y.png", "n/z.png"}
	rng := rand.New(rand.NewPCG(1, 2))
	for run := range 12 {
		out := filepath.Join(top, fmt.Sprint(run))
		ours, theirs := map[string]string{}, map[string]string{}
		for range 6 {
			if edited := append(slices.Sorted(maps.Keys(ours)), "notes.txt"); len(edited) > 1 && rng.IntN(2) == 0 {
				name := edited[rng.IntN(len(edited))]
				testdata.OK(t, os.WriteFile(filepath.Join(out, filepath.FromSlash(name)), []byte("by hand"), 0o644))
				theirs[name] = "by hand"
			} else {
				ours = map[string]string{}
				for _, name := range paths {
					if rng.IntN(2) == 0 {
						ours[name] = fmt.Sprint(rng.IntN(2))
						delete(theirs, name)
					}
				}
				testdata.OK(t, put(t, out, false, ours))
			}
			want := maps.Clone(ours)
			maps.Copy(want, theirs)
			got := map[string]string{}
			for _, name := range listing(t, out) {
				if strings.Contains(name, ".") && name != cardName {
					got[name] = content(t, out, name)
				}
			}
			testdata.NoDiff(t, fmt.Sprintf("run %d: -want +got", run), cmp.Diff(want, got))
		}
	}
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
		testdata.Must(ReadLong(strings.NewReader(text), "l.csv"))(b)
	}
}
