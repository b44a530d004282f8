package shards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store/job"
)

// Collection brings a plan's results into the workspace. It computes nothing: it is the executor of a run.
type Collection struct {
	Run     string // id
	Refused []job.Refused
	folder  *Folder
	shards  map[string]int  // by unit
	left    map[string]bool // by unit: its model is left out
	has     func(unitKey string) (bool, error)

	mu    sync.Mutex
	held  []held
	state []State
}

var _ engine.Executor = (*Collection)(nil)

// State is how far a shard is.
type State struct {
	Shard   int
	Units   int
	Missing int // units that the workspace lacks, those that failed among them, without the damaged ones and those left out
	Damaged int // units whose result cannot be used
	Failed  int // units that could not be computed
	Left    int // units that the workspace lacks of models that are left out: Collection.Refused says why
}

// Complete tells whether the workspace has all units of the shard.
func (s State) Complete() bool { return s.Missing+s.Damaged+s.Left == 0 }

// held is a unit that has no usable result.
type held struct {
	*engine.Assignment
	kind   trouble
	shard  int
	reason string
}

// trouble is why a unit has no usable result; the gravest one is told first.
type trouble int

const (
	failed trouble = iota
	damaged
	absent
	unplanned
)

// ErrOtherPlan says that a plan and its workspace do not speak of the same units.
var ErrOtherPlan = errors.New("the plan does not fit the workspace any more")

// Collect starts a run in the workspace that the plan was made of, which takes its units from the folder's results. Before anything is recorded
// it looks whether the plan is for this version of the program, this runtime and this processor, and whether the workspace still means the same by it (ErrOtherPlan where it does for
// no model). Models that were removed or changed since are left out (Refused), and the rest is collected. Units with a
// valid result are recorded, also where others of their model are missing, whose model then fails with a sentence that says which shard to run.
// The other errors are those of job.Start. State tells more once the run has ended.
func (f *Folder) Collect(ctx context.Context, at job.Place, eng *engine.Engine, program string) (*Collection, error) {
	c := &Collection{folder: f, shards: map[string]int{}, left: map[string]bool{}, has: at.Workspace.Has}
	if err := f.mayCompute(program, at.Runtime); err != nil {
		return c, err
	}
	req, gone, err := f.remaining(at.Workspace)
	if err != nil {
		return c, err
	}
	run, err := job.Prepare(ctx, at, req, engine.NoProgress{})
	c.Refused = append(gone, run.Refused...)
	if err != nil {
		return c, err
	}
	run.Refused = append(gone, run.Refused...)
	apart := f.apart(run)
	run.Refused = append(run.Refused, news(apart, run.Refused)...)
	run.Tasks = slices.DeleteFunc(run.Tasks, func(t engine.Task) bool { return indexOf(apart, t.Spec.Model) >= 0 })
	if c.Refused = run.Refused; len(apart) == len(f.models) {
		err = fmt.Errorf("%w: %w", ErrOtherPlan, apart[0].Err)
	}
	if err = errors.Join(err, run.Fits(ctx)); err != nil {
		return c, errors.Join(err, run.Close())
	}
	c.expect(apart)
	c.Run, err = run.Submit(eng, c)
	return c, err
}

// expect notes which shards have which units, but for those of models that are left out.
func (c *Collection) expect(apart []job.Refused) {
	for k := range c.folder.Shards() {
		c.state = append(c.state, State{Shard: k + 1})
	}
	for _, u := range c.folder.all() {
		c.shards[u.Order.Unit] = u.Shard
		c.state[u.Shard-1].Units++
		c.left[u.Order.Unit] = indexOf(apart, u.Order.Spec.Model) >= 0
	}
}

// takers is how many results are read and recorded at the same time; that bounds the memory.
const takers = 2

// Execute implements engine.Executor. It works alone.
func (c *Collection) Execute(ctx context.Context, j *engine.Job) {
	var group errgroup.Group
	group.SetLimit(takers)
	for {
		a, ok := j.Take(ctx)
		if !ok {
			break
		}
		group.Go(func() error {
			c.take(a)
			return nil
		})
	}
	_ = group.Wait() // its functions have no errors
	c.count()
	c.giveUp(ctx)
}

// take records a unit, or holds it back until all others are recorded.
func (c *Collection) take(a *engine.Assignment) {
	key, prepared := a.Key(), a.Prepared()
	unit, err := c.folder.read(key, prepared.Task().Spec, a.Chunk(), prepared.Transformations())
	if err == nil {
		a.Done(unit, engine.Spent{})
		return
	}
	h := held{Assignment: a, shard: c.shards[key]}
	switch {
	case h.shard == 0:
		h.kind = unplanned
	case !errors.Is(err, fs.ErrNotExist):
		h.kind = damaged
		h.reason = fmt.Sprintf("%s cannot be used: %v; remove it", c.folder.path(resultName(key)), err)
	default:
		h.kind, h.reason = absent, c.folder.noted(key)
		if h.reason != "" {
			h.kind = failed
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held = append(c.held, h)
	if h.shard == 0 {
		return
	}
	state := &c.state[h.shard-1]
	switch h.kind {
	case damaged:
		state.Damaged++
	case failed:
		state.Failed++
	}
}

// count tells by the workspace what each shard lacks: also units that have a result and could not be recorded, as on a full disk.
func (c *Collection) count() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.state {
		c.state[k].Missing = -c.state[k].Damaged
	}
	for key, shard := range c.shards {
		there, err := c.has(key)
		switch {
		case err == nil && there:
		case c.left[key]:
			c.state[shard-1].Left++
		default:
			c.state[shard-1].Missing++
		}
	}
}

// giveUp fails the models of the units that were held back.
func (c *Collection) giveUp(ctx context.Context) {
	c.mu.Lock()
	byModel := map[string][]held{}
	for _, h := range c.held {
		model := h.Prepared().Task().Spec.Model
		byModel[model] = append(byModel[model], h)
	}
	c.held = nil
	c.mu.Unlock()
	for _, list := range byModel {
		err := explain(list)
		for _, h := range list {
			if ctx.Err() != nil {
				h.Return()
				continue
			}
			h.Failed(err)
		}
	}
}

// explain is what a model lacks.
func explain(list []held) error {
	slices.SortFunc(list, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.shard, b.shard), cmp.Compare(a.Chunk(), b.Chunk()))
	})
	task := list[0].Prepared().Task()
	shards := map[int]bool{}
	for _, h := range list {
		if h.shard > 0 {
			shards[h.shard] = true
		}
	}
	text := fmt.Sprintf("model %s: %d of its %d units of work are missing", task.ID, len(list), task.Spec.Chunks())
	if first := list[0]; first.reason != "" {
		text += fmt.Sprintf("; the first reason, in shard %d: %s", first.shard, first.reason)
	}
	if len(shards) > 0 {
		text += fmt.Sprintf("; run %s and collect again", ShardList(slices.Sorted(maps.Keys(shards))))
	}
	if last := list[len(list)-1]; last.kind == unplanned {
		text += "; the plan does not have some, since the workspace had them when it was made: they were lost, or the model was corrected; run it here, or plan it into another folder"
	}
	return errors.New(text)
}

// ShardList writes the numbers of shards, ascending, for people: "shard 3", "shards 1, 4-6".
func ShardList(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		part := strconv.Itoa(numbers[i])
		if j > i {
			part += "-" + strconv.Itoa(numbers[j])
		}
		parts, i = append(parts, part), j+1
	}
	if len(numbers) == 1 {
		return "shard " + parts[0]
	}
	return "shards " + strings.Join(parts, ", ")
}

// States are those of all shards, once the run has ended.
func (c *Collection) States() []State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.state)
}
