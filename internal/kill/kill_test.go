package kill_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/variscope/variscope/app"
	"github.com/variscope/variscope/engine/label"
	"github.com/variscope/variscope/engine/onnx"
	"github.com/variscope/variscope/internal/kill"
	"github.com/variscope/variscope/store"
)

// countVariable is how many kills there are in all; without it nothing is killed.
const countVariable = "VARISCOPE_KILLS"

// TestMain serves as the process that is killed: the program itself, or one that labels or opens as
// the window does.
func TestMain(m *testing.M) {
	onnx.ServeWorker()
	kill.Serve(map[string]kill.Task{
		"program": func(args []string) int { return app.Run(args, os.Stdout, os.Stderr) },
		"label":   labels, "open": opens, "window": window,
	})
	os.Exit(m.Run())
}

// activity is something that is done with files and that a kill may hit.
type activity struct {
	name  string
	share int // of the kills, in percent
	task  string
	args  []string
	// ready makes what the task begins with.
	ready func(t *testing.T)
	// calm remembers what an undisturbed activity has made; it may be nil.
	calm func(t *testing.T)
	// check looks at what is left, given the lines that the task wrote, and lets it be done again.
	check func(t *testing.T, o kill.Outcome) error
}

// count is what was found about one activity.
type count struct {
	kills, alive, aimed, acknowledged, lost int
}

// TestKills kills labelling, importing, running, exporting and migrating at random moments, half of
// them anywhere in the activity's time and half just after one of its steps of writing. After each
// kill, what was acknowledged is there and what is there is whole.
func TestKills(t *testing.T) {
	total, err := strconv.Atoi(os.Getenv(countVariable))
	if err != nil || total < 1 {
		t.Logf("nothing is killed without %s=NUMBER: make kill", countVariable)
		return
	}
	random := kill.Random(t)
	g := newGround(t)
	var sum count
	fmt.Println("kill: activity                kills  mid-activity  aimed at a write  acknowledged  losses")
	for _, a := range g.activities() {
		c := g.killed(t, a, random, (total*a.share+50)/100)
		fmt.Printf("kill: %-22s %8d %13d %17d %13d %7d\n", a.name, c.kills, c.alive, c.aimed, c.acknowledged, c.lost)
		sum = count{
			sum.kills + c.kills, sum.alive + c.alive, sum.aimed + c.aimed, sum.acknowledged + c.acknowledged,
			sum.lost + c.lost,
		}
	}
	fmt.Printf("kill: %-22s %8d %13d %17d %13d %7d\n", "all", sum.kills, sum.alive, sum.aimed,
		sum.acknowledged, sum.lost)
}

// killed kills one activity so many times. A process that had ended before its moment counts as a
// kill that missed.
func (g *ground) killed(t *testing.T, a activity, random *rand.Rand, kills int) (c count) {
	t.Helper()
	a.ready(t)
	calm := kill.Undisturbed(t, a.task, a.args...)
	if a.calm != nil {
		a.calm(t)
	}
	for range kills {
		a.ready(t)
		m := calm.Draw(random)
		o := kill.At(t, m, a.task, a.args...)
		c.kills++
		if o.Alive {
			c.alive++
		}
		if m.Step > 0 {
			c.aimed++
		}
		if a.task == "label" {
			c.acknowledged += len(o.Lines)
		}
		if err := a.check(t, o); err != nil {
			c.lost++
			t.Errorf("%s, killed %v (mid-activity: %v): %v", a.name, m, o.Alive, err)
		}
	}
	return c
}

// labels appends labels to the round of a workspace and prints each that was acknowledged.
func labels(args []string) int {
	ws, err := store.Open(args[0])
	if err != nil {
		return kill.Complain(err)
	}
	rounds, err := ws.Rounds()
	if err != nil {
		return kill.Complain(err)
	}
	r := rounds[0]
	for i := range 60 {
		ev := label.Event{
			Round: r.ID, Model: r.Models[i%len(r.Models)], Annotator: r.Annotators[i%2], Kind: label.Label, Seconds: 1,
		}
		ev.Value = []label.Value{label.Variant, label.Invariant}[i/2%2]
		ev.Note = fmt.Sprint("note ", i)
		if ev, err = ws.Append(ev); err != nil {
			return kill.Complain(err)
		}
		fmt.Println(ev.ID, ev.Annotator, ev.Model, ev.Value, ev.Note)
	}
	if err := ws.Close(); err != nil {
		return kill.Complain(err)
	}
	return 0
}

// opens opens a workspace and closes it again.
func opens(args []string) int {
	ws, err := store.Open(args[0])
	if err != nil {
		return kill.Complain(err)
	}
	if err := ws.Close(); err != nil {
		return kill.Complain(err)
	}
	return 0
}
