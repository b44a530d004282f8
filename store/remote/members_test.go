package remote

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/internal/testdata"
	"github.com/variscope/variscope/store/cluster"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func machine(id, name string, cores int) cluster.Machine {
	return cluster.Machine{ID: id, Name: name, Arch: "amd64", Level: "avx2", Cores: cores}
}

func worker(id, name string, seen time.Duration, units ...cluster.UnitInWork) cluster.Worker {
	return cluster.Worker{Machine: machine(id, name, 8), Seen: start.Add(-seen), Doing: cluster.Doing{Units: units}}
}

// threeMembers is a state with three workers, the last of which is lost, and a run at work that a
// fourth one had a part in.
func threeMembers() (State, []engine.Status) {
	here := machine("", "desk", 2)
	a := worker("a", "alpha", time.Second, cluster.UnitInWork{Model: "s01", Chunk: 2}, cluster.UnitInWork{Model: "s02"})
	a.Done, a.PerSecond = 12, 77
	b := worker("b", "beta", 9*time.Second)
	b.Level, b.Arch, b.Mixed, b.Failed, b.Problem = "neon", "arm64", true, 1, "out of memory"
	c := worker("c", "gamma", 3*time.Minute, cluster.UnitInWork{Model: "s03"})
	c.Lost = true
	s := engine.Status{ID: "1", Phase: engine.Running}
	s.Took, s.PerSecond, s.Left = time.Minute, 111, 36*time.Second
	s.Shares = []engine.Share{
		{Who: "", PerSecond: 10}, {Who: "a", PerSecond: 90.5}, {Who: "c", PerSecond: 8.5}, {Who: "x", PerSecond: 2},
	}
	return State{Phase: Open, Self: here, Workers: []cluster.Worker{a, b, c}},
		[]engine.Status{{ID: "0", Phase: engine.Queued}, s}
}

func TestMembers(t *testing.T) {
	now, statuses := threeMembers()
	got := now.Members(statuses, start)
	want := []Member{
		{
			Name: "this computer (desk)", Processor: "avx2, amd64", Cores: 2, PerSecond: 10, Seen: "now",
			Work: "takes part",
		},
		{
			ID: "a", Name: "alpha", Processor: "avx2, amd64", Cores: 8, PerSecond: 90.5, Seen: "now",
			Work: "s01 part 3, s02 part 1", Done: 12, Failed: 0, Busy: true,
		},
		{
			ID: "b", Name: "beta", Processor: "≠ neon, arm64", Cores: 8, Seen: "9 s ago", Done: 0, Failed: 1,
			Problem: "out of memory",
		},
		{
			ID: "c", Name: "gamma", Processor: "avx2, amd64", Cores: 8, PerSecond: 8.5, Seen: "3 min ago",
			Work: "lost; what it had goes to others", Done: 0, Failed: 0, Lost: true,
		},
		{Name: "workers that have left", PerSecond: 2},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	must(t, Computing.Check())
	sheet := Computing.Sheet(got)
	for key, want := range map[string]string{"cores": "-", "images_per_s": "2.0", "done": "-", "last_seen": "-"} {
		if f := sheet.Fields[sheet.Field(key)]; f.Say(4) != want {
			t.Errorf("%s: %q, not %q", key, f.Say(4), want)
		}
	}
}

// TestTheRatesAddUp to the one with which the run's time left is told, whoever computes.
func TestTheRatesAddUp(t *testing.T) {
	now, statuses := threeMembers()
	for len(now.Workers) > 0 {
		now.Workers = now.Workers[1:]
		sum := 0.0
		for _, m := range now.Members(statuses, start) {
			sum += m.PerSecond
		}
		testdata.Near(t, fmt.Sprint(len(now.Workers), " workers, images/s"), sum, statuses[1].PerSecond, 1e-9)
	}
}

// TestMembersWithoutARun: what workers still compute for a run that was closed here has their own
// rates. This computer ends what it has begun when it was told to leave all work to the others.
func TestMembersWithoutARun(t *testing.T) {
	now, statuses := threeMembers()
	now.Self.Cores = 0
	if m := now.Members(statuses, start)[0]; m.Work != "takes part" || m.Cores != 0 || m.PerSecond != 10 {
		t.Errorf("%+v", m)
	}
	statuses[1].Shares = nil
	testdata.Is(t, "work", now.Members(statuses, start)[0].Work, "leaves all work to the others")
	now.Self.Cores, statuses[1].Phase = 2, engine.Done
	got := now.Members(statuses, start)
	if len(got) != 4 || got[0].Work != "" || got[1].PerSecond != 77 || got[2].PerSecond != 0 {
		t.Errorf("%+v", got)
	}
}

func TestSeen(t *testing.T) {
	for ago, want := range map[time.Duration]string{
		-time.Second: "now", 4 * time.Second: "now", 5 * time.Second: "5 s ago", 59 * time.Second: "59 s ago",
		time.Minute: "1 min ago", 59 * time.Minute: "59 min ago",
	} {
		if got := seen(ago); got != want {
			t.Errorf("%v: %q", ago, got)
		}
	}
}

func TestUnits(t *testing.T) {
	u := cluster.UnitInWork{Model: "m", Chunk: 9}
	for n, want := range []string{
		"", "m part 10", "m part 10, m part 10", "m part 10, m part 10, m part 10",
		"m part 10, m part 10, m part 10 and 1 more",
	} {
		if got := units(slices.Repeat([]cluster.UnitInWork{u}, n)); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}
