//go:build unix

package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/variscope/variscope/engine/derive"
	"github.com/variscope/variscope/engine/region"
)

// childDerives shifts the only suite that is not derived to all regions of one grid after the other until it is killed, and prints the hash
// of each suite that was added.
func childDerives(path string) int {
	w, err := Open(path)
	if err != nil {
		return complain(err)
	}
	base, err := w.FindSuite("pictures")
	if err != nil {
		return complain(err)
	}
	for n := 0; ; n++ {
		shifts, err := derive.Shifts(3+n%(region.MaxGrid-2), aside.T)
		if err != nil {
			return complain(err)
		}
		for _, s := range shifts {
			m, err := w.DeriveSuite(base.Hash, s, "")
			if err != nil {
				return complain(err)
			}
			fmt.Println(m.Hash)
		}
	}
}

// TestKillWhileDeriving kills a process that adds shifted suites at random moments: each that was acknowledged is there and opens
// with its own images, and goes on where it was.
func TestKillWhileDeriving(t *testing.T) {
	w := fresh(t)
	addPictures(t, w)
	checkAndClose(t, w)
	random := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 2))
	acknowledged := map[string]bool{}
	for range 5 {
		command, _, lines := child(t, "derive", w.Path())
		timer := time.AfterFunc(10*time.Second, func() { _ = command.Process.Kill() })
		for first := true; lines.Scan(); first = false {
			acknowledged[lines.Text()] = true
			if first {
				timer.Reset(time.Duration(random.IntN(30000)) * time.Microsecond)
			}
		}
		timer.Stop()
		_ = command.Wait() // it was killed
		again := reopen(t, w.Path())
		list, err := again.Suites()
		if err != nil || len(list) < 1+len(acknowledged) {
			t.Fatalf("%d suites, %d were acknowledged: %v", len(list), len(acknowledged), err)
		}
		for _, m := range list {
			if m.Derived == nil {
				continue
			}
			delete(acknowledged, m.Hash)
			if m.Derived.Change == aside.String() || random.IntN(20) == 0 {
				whole, err := again.Suite(m.Hash)
				if err != nil {
					t.Fatal(err)
				}
				sameAsByHand(t, again, whole)
			}
		}
		if len(acknowledged) > 0 {
			t.Fatalf("suites were acknowledged and are lost: %v", acknowledged)
		}
		checkAndClose(t, again)
	}
}
