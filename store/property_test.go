package store

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/storetest"
)

func zeroReader(n int64) io.Reader { return io.LimitReader(zeros{}, n) }

// TestModelsAgainstAMap drives a workspace and a plain map with the same random imports, renames
// and corrections.
func TestModelsAgainstAMap(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := unsynced(fresh(t))
		slow := map[string]model.Model{} // by hash
		ids := func() map[string]bool {
			used := map[string]bool{}
			for _, m := range slow {
				used[m.ID] = true
			}
			return used
		}
		word := rapid.SampledFrom([]string{"a", "b", "a-2", "c"})
		rt.Repeat(map[string]func(*rapid.T){
			"add": func(rt *rapid.T) {
				id, content, value := word.Draw(rt, "id"),
					rapid.SampledFrom([]string{"1", "2", "3", "4", "5"}).Draw(rt, "content"), word.Draw(rt, "value")
				got, added, err := w.AddModel(model.Model{
					ID: id, Record: []model.Field{{Name: "x" + value, Value: value}},
				}, strings.NewReader(content))
				must(rt, err)
				want, known := slow[storetest.HashOf(content)]
				if !known {
					want = model.Model{ID: id}
					for i := 2; ids()[want.ID]; i++ {
						want.ID = fmt.Sprintf("%s-%d", id, i)
					}
				}
				if known != (added == Merged) || got.ID != want.ID {
					rt.Fatalf("%s %s: %s %s", id, content, got.ID, added)
				}
				slow[got.Hash] = got
			},
			"rename": func(rt *rapid.T) {
				if len(slow) == 0 {
					return
				}
				hash := rapid.SampledFrom(slices.Sorted(maps.Keys(slow))).Draw(rt, "hash")
				id := word.Draw(rt, "id")
				m := slow[hash]
				err := w.UpdateModel(hash, func(m *model.Model) error { m.ID = id; return nil })
				if taken := ids()[id] && m.ID != id; taken != (err != nil) {
					rt.Fatalf("rename to %s: %v", id, err)
				} else if !taken {
					m.ID = id
					slow[hash] = m
				}
			},
			"": func(rt *rapid.T) {
				list, err := w.Models()
				must(rt, err)
				want := slices.SortedFunc(maps.Values(slow),
					func(a, b model.Model) int { return result.Natural(a.ID, b.ID) })
				if diff := cmp.Diff(want, slices.Concat(want[:0:0], list)); diff != "" {
					rt.Fatal(diff)
				}
				for _, m := range want {
					if got, err := w.FindModel(m.ID); err != nil || got.Hash != m.Hash {
						rt.Fatal(m.ID, err)
					}
				}
			},
		})
	})
}

// TestManyGoroutines uses one workspace from many goroutines at once; with -race it also finds
// unguarded memory.
func TestManyGoroutines(t *testing.T) {
	w := fresh(t)
	m, s := storetest.AddModel(t, w, "m"), storetest.AddSuite(t, w, "s", 300)
	r := storetest.AddRound(t, w, s, m)
	spec := storetest.Spec(t, m, s)
	storetest.RunModel(t, w, m, spec)
	defer w.Subscribe(func(Change) {})()
	const each = 15
	var group sync.WaitGroup
	work := func(do func(i int) error) {
		group.Go(func() {
			for i := range each {
				if err := do(i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for _, annotator := range r.Annotators {
		work(func(int) error {
			_, err := w.Append(storetest.LabelEvent(r, m.Hash, annotator, label.Variant))
			return err
		})
	}
	for g := range 2 { // the same models twice
		work(func(i int) error {
			_, _, err := w.AddModel(model.Model{ID: fmt.Sprint(i), Record: []model.Field{{Name: fmt.Sprint(g)}}},
				strings.NewReader(fmt.Sprint(i)))
			return err
		})
	}
	work(func(i int) error {
		return w.UpdateModel(m.Hash, func(m *model.Model) error {
			m.Curves = append(m.Curves, model.Epoch{Epoch: i})
			return nil
		})
	})
	work(func(int) error { _, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}); return err })
	work(func(int) error { _, err := w.State(m, s.Hash, spec.Family); return err })
	work(func(i int) error {
		_, err1 := w.Models()
		_, err2 := w.Events(r.ID)
		return errors.Join(err1, err2, w.SetSetting("i", i))
	})
	group.Wait()
	if events, err := w.Events(r.ID); len(events) != 2*each || err != nil {
		t.Error(len(events), err)
	}
	if list, err := w.Models(); len(list) != each+1 || err != nil {
		t.Error(len(list), err)
	}
	if got, err := w.Model(m.Hash); len(got.Curves) != each || err != nil {
		t.Errorf("%d of %d changes of one model are there, %v", len(got.Curves), each, err)
	}
}
