package store

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/internal/storetest"
	"github.com/variscope/variscope/internal/testdata"
)

func zeroReader(n int64) io.Reader { return io.LimitReader(zeros{}, n) }

// TestModelsAgainstAMap drives workspaces and plain maps with the same random imports and renames.
func TestModelsAgainstAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	for range 8 {
		w := unsynced(fresh(t))
		slow := map[string]model.Model{} // by hash
		used := func(id string) bool {
			for _, m := range slow {
				if m.ID == id {
					return true
				}
			}
			return false
		}
		for range 40 {
			id := one("a", "b", "a-2", "c")
			if hashes := slices.Sorted(maps.Keys(slow)); len(hashes) > 0 && random.IntN(2) == 0 {
				m := slow[one(hashes...)]
				taken := used(id) && m.ID != id
				err := w.UpdateModel(m.Hash, func(m *model.Model) error { m.ID = id; return nil })
				testdata.Is(t, "a name is taken: "+id, err != nil, taken)
				if !taken {
					m.ID = id
					slow[m.Hash] = m
				}
			} else {
				content, value := one("1", "2", "3", "4", "5"), one("x", "y")
				got, added, err := w.AddModel(model.Model{
					ID: id, Record: []model.Field{{Name: "x" + value, Value: value}},
				}, strings.NewReader(content))
				must(t, err)
				want, known := slow[storetest.HashOf(content)]
				if want.ID == "" {
					want.ID = id
				}
				for i := 2; !known && used(want.ID); i++ {
					want.ID = fmt.Sprintf("%s-%d", id, i)
				}
				if known != (added == Merged) || got.ID != want.ID {
					t.Fatalf("%s %s: %s %s", id, content, got.ID, added)
				}
				slow[got.Hash] = got
			}
			byID := func(a, b model.Model) int { return result.Natural(a.ID, b.ID) }
			want := slices.SortedFunc(maps.Values(slow), byID)
			testdata.NoDiff(t, "models", cmp.Diff(want, testdata.Must(w.Models())(t)))
			for _, m := range want {
				testdata.Is(t, m.ID, testdata.Must(w.FindModel(m.ID))(t).Hash, m.Hash)
			}
		}
	}
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
	w.thumbs.budget = 4000
	for range 2 {
		work(func(i int) error {
			key := fmt.Sprint(i % 7)
			err := errors.Join(w.PutThumb(key, storetest.Thumb(uint8(i%7))),
				w.SaveAssessor("x", bytes.Repeat([]byte{byte(i)}, 5000)),
				w.Record(t.Context(), spec, storetest.Unit(spec, i%2, 3, 3)))
			if picture, ok := w.Thumb(key); ok {
				if r, _, _, _ := picture.At(1, 2).RGBA(); r>>8 != uint32(i%7) {
					t.Errorf("picture %s has shade %d", key, r>>8)
				}
			}
			if i%10 == 9 {
				_, err = w.RemoveThumbs()
			}
			return err
		})
	}
	work(func(int) error { _, err := w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}); return err })
	work(func(int) error { _, err := w.State(m, s.Hash, spec.Family); return err })
	work(func(i int) error {
		_, err1 := w.Models()
		_, err2 := w.Events(r.ID)
		return errors.Join(err1, err2, w.SetSetting("i", i))
	})
	group.Wait()
	if data := testdata.Must(w.AssessorData("x"))(t); !bytes.Equal(data, bytes.Repeat(data[:1], 5000)) {
		t.Error("an assessor is mixed of two")
	}
	testdata.NoDiff(t, "signals", cmp.Diff(assembled(t, spec, 3),
		testdata.Must(w.LoadSet(t.Context(), spec.Key(), Want{Everything: true}))(t)))
	testdata.Equal(t, "unfinished files", storetest.Parts(t, w.path), nil)
	testdata.Is(t, "events", len(testdata.Must(w.Events(r.ID))(t)), 2*each)
	testdata.Is(t, "models", len(testdata.Must(w.Models())(t)), each+1)
	if got, err := w.Model(m.Hash); len(got.Curves) != each || err != nil {
		t.Errorf("%d of %d changes of one model are there, %v", len(got.Curves), each, err)
	}
}
