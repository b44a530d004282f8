package runs

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/others"
)

func machine(id, name string, cores int) cluster.Machine {
	return cluster.Machine{ID: id, Name: name, Arch: "amd64", Level: "avx2", Cores: cores}
}

func worker(id, name string, seen time.Duration, units ...cluster.UnitInWork) cluster.Worker {
	return cluster.Worker{Machine: machine(id, name, 8), Seen: start.Add(-seen), Units: units}
}

// crew is a state with three workers, the last of which is lost, and a run at work that a fourth one had a part in.
func crew() (others.State, []engine.Status) {
	here := machine("", "desk", 2)
	a := worker("a", "alpha", time.Second, cluster.UnitInWork{Model: "s01", Chunk: 2}, cluster.UnitInWork{Model: "s02"})
	a.Done, a.PerSecond = 12, 77
	b := worker("b", "beta", 9*time.Second)
	b.Level, b.Arch, b.Mixed, b.Failed, b.Problem = "neon", "arm64", true, 1, "out of memory"
	c := worker("c", "gamma", 3*time.Minute, cluster.UnitInWork{Model: "s03"})
	c.Lost = true
	s := status("1", engine.Running, engine.TaskStatus{ID: "s01", Done: 1000, Total: 5000})
	s.Took, s.PerSecond, s.Left = time.Minute, 111, 36*time.Second
	s.Shares = []engine.Share{{Who: "", PerSecond: 10}, {Who: "a", PerSecond: 90.5}, {Who: "c", PerSecond: 8.5}, {Who: "x", PerSecond: 2}}
	return others.State{Phase: others.Open, Self: here, Workers: []cluster.Worker{a, b, c}}, []engine.Status{status("0", engine.Queued), s}
}

func TestCrew(t *testing.T) {
	now, statuses := crew()
	got := CrewOf(now, statuses, start)
	want := []Member{
		{Name: "this computer (desk)", Processor: "avx2, amd64", Cores: "2", Rate: "10.0 images/s", PerSecond: 10, Seen: "now", Work: "takes part"},
		{
			ID: "a", Name: "alpha", Processor: "avx2, amd64", Cores: "8", Rate: "90.5 images/s", PerSecond: 90.5, Seen: "now", Work: "s01 part 3, s02 part 1",
			Done: "12", Failed: "0", Busy: true,
		},
		{
			ID: "b", Name: "beta", Processor: "≠ neon, arm64", Cores: "8", Seen: "9 s ago", Done: "0", Failed: "1",
			Problem: "out of memory",
		},
		{
			ID: "c", Name: "gamma", Processor: "avx2, amd64", Cores: "8", Rate: "8.50 images/s", PerSecond: 8.5, Seen: "3 min ago",
			Work: "lost; what it had goes to others", Done: "0", Failed: "0", Lost: true,
		},
		{Name: "workers that have left", Rate: "2.00 images/s", PerSecond: 2},
	}
	if !slices.Equal(got.Members, want) {
		t.Errorf("%+v", got.Members)
	}
	if got.Helping != 2 || got.Busy != 1 || got.Summary != "1 other machine computes, 1 waits for a run, 18 cores, 111 images/s, about 35 s left" {
		t.Errorf("%d, %q", got.Helping, got.Summary)
	}
}

// TestTheRatesAddUp to the one with which the run's time left is told, whoever computes.
func TestTheRatesAddUp(t *testing.T) {
	now, statuses := crew()
	for _, workers := range [][]cluster.Worker{now.Workers, now.Workers[:1], nil} {
		now.Workers = workers
		sum := 0.0
		for _, m := range CrewOf(now, statuses, start).Members {
			sum += m.PerSecond
		}
		if s := statuses[1]; math.Abs(sum-s.PerSecond) > 1e-9 {
			t.Errorf("%d workers: %v images/s in place of %v", len(workers), sum, s.PerSecond)
		}
	}
}

// TestCrewWithoutARun: what workers still compute for a run that was closed here has their own rates.
func TestCrewWithoutARun(t *testing.T) {
	now, statuses := crew()
	statuses[1].Phase, statuses[1].Shares = engine.Done, nil
	got := CrewOf(now, statuses, start)
	if got.Summary != "1 other machine computes, 1 waits for a run, 18 cores, 77.0 images/s" {
		t.Errorf("%q", got.Summary)
	}
	if len(got.Members) != 4 || got.Members[0].Work != "" || got.Members[1].PerSecond != 77 || got.Members[2].Rate != "" {
		t.Errorf("%+v", got.Members)
	}
	now.Workers, now.Self.Cores = nil, 0
	got = CrewOf(now, nil, start)
	if got.Members[0].Work != "leaves all work to the others" || got.Members[0].Cores != "" || !strings.HasPrefix(got.Summary, "no other machine has joined yet, 0 cores") {
		t.Errorf("%+v", got)
	}
}

// TestHelping counts those that compute apart from those that do not, whatever runs.
func TestHelping(t *testing.T) {
	unit := cluster.UnitInWork{Model: "m"}
	busy, idle, lost := worker("a", "a", 0, unit), worker("b", "b", 0), worker("c", "c", time.Hour, unit)
	idle.Mixed, lost.Lost = true, true // of another processor, while the run is not mixed
	for want, workers := range map[string][]cluster.Worker{
		"no other machine has joined yet":             {lost},
		"1 other machine waits for a run":             {idle},
		"2 other machines wait for a run":             {idle, lost, idle},
		"1 other machine computes":                    {busy},
		"2 other machines compute":                    {busy, busy, lost},
		"1 other machine computes, 1 waits for a run": {busy, idle},
		"2 other machines compute, 3 wait for a run":  {busy, idle, idle, busy, idle},
	} {
		now := others.State{Phase: others.Open, Self: machine("", "desk", 2), Workers: workers}
		_, running := crew()
		for _, statuses := range [][]engine.Status{nil, running} {
			if got := CrewOf(now, statuses, start).Summary; !strings.HasPrefix(got, want+", ") || Helping(now) != want {
				t.Errorf("%q, %q in place of %q", got, Helping(now), want)
			}
		}
	}
}

// TestThisComputerEndsWhatItHasBegun when it was told to leave all work to the others.
func TestThisComputerEndsWhatItHasBegun(t *testing.T) {
	now, statuses := crew()
	now.Self.Cores = 0
	if m := CrewOf(now, statuses, start).Members[0]; m.Work != "takes part" || m.Cores != "" || m.PerSecond != 10 {
		t.Errorf("%+v", m)
	}
	statuses[1].Shares = nil
	if m := CrewOf(now, statuses, start).Members[0]; m.Work != "leaves all work to the others" {
		t.Errorf("%+v", m)
	}
}

func TestSeen(t *testing.T) {
	for ago, want := range map[time.Duration]string{
		-time.Second: "now", 4 * time.Second: "now", 5 * time.Second: "5 s ago", 59 * time.Second: "59 s ago", time.Minute: "1 min ago", 59 * time.Minute: "59 min ago",
	} {
		if got := seen(ago); got != want {
			t.Errorf("%v: %q", ago, got)
		}
	}
}

func TestUnits(t *testing.T) {
	u := cluster.UnitInWork{Model: "m", Chunk: 9}
	for n, want := range []string{"", "m part 10", "m part 10, m part 10", "m part 10, m part 10, m part 10", "m part 10, m part 10, m part 10 and 1 more"} {
		if got := units(slices.Repeat([]cluster.UnitInWork{u}, n)); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestJoinAddress(t *testing.T) {
	for line, want := range map[string]string{
		"variscope://abc@192.168.1.20:40123/s?cert=00":     "192.168.1.20:40123",
		"variscope://abc@127.0.0.1:40123/s?cert=00":        "127.0.0.1:40123 (this computer only)",
		"variscope://abc@[2001:db8::1]:40123/s?cert=00":    "[2001:db8::1]:40123",
		"tls://user:pass%40word@nats.example.org:4222/abc": "nats.example.org:4222",
		"nats://localhost:4222/abc":                        "localhost:4222 (this computer only)",
		"":                                                 "",
	} {
		if got := joinAddress(line); got != want || strings.Contains(got, "pass") {
			t.Errorf("%s: %q", line, got)
		}
	}
}
