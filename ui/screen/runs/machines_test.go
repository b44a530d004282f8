package runs

import (
	"strings"
	"testing"
	"time"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/store/cluster"
	"github.com/variscope/variscope/store/job"
	"github.com/variscope/variscope/store/remote"
)

const rotation = "rotation:-15:15:1;interpolation=bilinear;border=zero"

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func status(id string, phase engine.Phase, tasks ...engine.TaskStatus) engine.Status {
	s := engine.Status{ID: id, Suite: "scenes", Family: rotation, Phase: phase, Submitted: start, Tasks: tasks}
	for _, t := range tasks {
		s.Done, s.Total, s.Reused = s.Done+t.Done, s.Total+t.Total, s.Reused+t.Reused
		if t.Phase == engine.Failed {
			s.Failed++
		}
	}
	return s
}

func machine(id, name string, cores int) cluster.Machine {
	return cluster.Machine{ID: id, Name: name, Arch: "amd64", Level: "avx2", Cores: cores}
}

func worker(id, name string, seen time.Duration, units ...cluster.UnitInWork) cluster.Worker {
	return cluster.Worker{Machine: machine(id, name, 8), Seen: start.Add(-seen), Doing: cluster.Doing{Units: units}}
}

// machines is a state with three workers, the last of which is lost, and a run at work that a
// fourth one had a part in.
func machines() (remote.State, []engine.Status) {
	here := machine("", "desk", 2)
	a := worker("a", "alpha", time.Second, cluster.UnitInWork{Model: "s01", Chunk: 2}, cluster.UnitInWork{Model: "s02"})
	a.Done, a.PerSecond = 12, 77
	b := worker("b", "beta", 9*time.Second)
	b.Level, b.Arch, b.Mixed, b.Failed, b.Problem = "neon", "arm64", true, 1, "out of memory"
	c := worker("c", "gamma", 3*time.Minute, cluster.UnitInWork{Model: "s03"})
	c.Lost = true
	s := status("1", engine.Running, engine.TaskStatus{ID: "s01", Done: 1000, Total: 5000})
	s.Took, s.PerSecond, s.Left = time.Minute, 111, 36*time.Second
	s.Shares = []engine.Share{
		{Who: "", PerSecond: 10}, {Who: "a", PerSecond: 90.5}, {Who: "c", PerSecond: 8.5}, {Who: "x", PerSecond: 2},
	}
	return remote.State{
		Phase: remote.Open, Self: here, Workers: []cluster.Worker{a, b, c},
	}, []engine.Status{status("0", engine.Queued), s}
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
		now := remote.State{Phase: remote.Open, Self: machine("", "desk", 2), Workers: workers}
		_, running := machines()
		for _, statuses := range [][]engine.Status{nil, running} {
			if got := summary(now, statuses, now.Members(statuses, start)); !strings.HasPrefix(got, want+", ") ||
				Helping(now) != want {
				t.Errorf("%q, %q in place of %q", got, Helping(now), want)
			}
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

func TestCountsAndTimes(t *testing.T) {
	l := job.Listed{
		Phase: engine.Running, Total: 10, Reused: 1, Failed: 1, Skipped: 2, PerSecond: 1234, Left: 90 * time.Second,
		Mixed: true, Models: []job.Model{{Phase: engine.Done}, {Phase: engine.Running}, {Phase: engine.Failed}},
	}
	want := "running, 1 of 3 models, 1 failed, 1,234 images/s, about 2 min left, 10.0 % was there already, 2 corrupt " +
		"images skipped, mixed processors"
	if got := counts(l); got != want {
		t.Errorf("%q", got)
	}
	if got := counts(job.Listed{Phase: engine.Done}); got != "finished, 0 of 0 models, no images skipped" ||
		when(job.Listed{}) != "" {
		t.Errorf("%q", got)
	}
	if got := when(job.Listed{Started: start, Took: 75 * time.Second}); got != "started "+
		result.Time.Say(float64(start.Unix()), 0)+", took 1 min 15 s" {
		t.Errorf("%q", got)
	}
}
