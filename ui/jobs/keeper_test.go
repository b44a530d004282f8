package jobs

import (
	"errors"
	"slices"
	"testing"
)

// TestKeeperKeepsTheLast: values of a key that come while one is being stored wait for it, and only
// the last of them is stored; those of other keys do not wait.
func TestKeeperKeepsTheLast(t *testing.T) {
	r := newReader(t)
	type entry struct {
		key   string
		value any
	}
	gate, asked := make(chan struct{}), make(chan entry, 8)
	var failures []error
	k := NewKeeper(r.group, func(key string, value any) error {
		asked <- entry{key, value}
		<-gate
		if value == 7 {
			return errors.New("the disk is full")
		}
		return nil
	}, func(err error) { failures = append(failures, err) })
	for value := range 4 {
		k.Keep("a", value)
	}
	first := <-asked
	k.Keep("b", "beside")
	second := <-asked
	if !slices.Equal([]entry{first, second}, []entry{{"a", 0}, {"b", "beside"}}) || len(asked) != 0 || !k.Keeping("a") {
		t.Errorf("stored %v, then %v", first, second)
	}
	close(gate)
	r.until("all is stored", k.Idle)
	if last := <-asked; last != (entry{"a", 3}) || len(asked) != 0 {
		t.Errorf("last came %v", last)
	}
	stored := 0
	k.KeepThen("c", 1, func() { stored++ })
	r.until("what is stored is told", func() bool { return stored == 1 })
	k.KeepThen("a", 7, func() { stored++ })
	r.until("the failure is told", func() bool { return len(failures) == 1 })
	r.group.Stop()
	k.Keep("a", 8)
	r.until("the end", k.Idle)
	if len(failures) != 1 || stored != 1 {
		t.Errorf("that the group has ended counts as a failure: %v", failures)
	}
}

// TestKeeperKeepsTheLastAtTheEnd: what waits when the group ends is stored before the group has
// ended.
func TestKeeperKeepsTheLastAtTheEnd(t *testing.T) {
	r := newReader(t)
	gate, stored := make(chan struct{}), make(chan any, 2)
	k := NewKeeper(r.group, func(_ string, value any) error {
		<-gate
		stored <- value
		return nil
	}, func(err error) { t.Error(err) })
	k.Keep("a", 1)
	k.Keep("a", 2)
	r.group.Stop()
	close(gate)
	r.group.Wait()
	if <-stored; len(stored) != 1 || <-stored != 2 {
		t.Error("the last value was not stored")
	}
}
