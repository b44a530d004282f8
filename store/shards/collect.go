package shards

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/store"
	"github.com/variscope/variscope/store/job"
)

// Collection brings a plan's results into the workspace. It computes nothing: it is the executor
// of a run.
type Collection struct {
	Run     string // id
	Refused []job.Refused
	folder  *Folder
	shards  map[string]int   // by unit
	apart   map[string]error // models that are left out, by hash
	has     func(unitKey string) (bool, error)

	mu   sync.Mutex
	held map[string]held // by unit
}

var _ engine.Executor = (*Collection)(nil)

// State is how far a shard is.
type State struct {
	Shard   int
	Units   int
	Missing int // units that the workspace lacks, but for the damaged ones and those left out
	Damaged int // units whose result cannot be used
	Failed  int // of the missing units, those that could not be computed
	Left    int // units that the workspace lacks of models that are left out (Collection.Refused)
}

// Complete tells whether the workspace has all units of the shard.
func (s State) Complete() bool { return s.Missing+s.Damaged+s.Left == 0 }

// held is a unit that has no usable result.
type held struct {
	*engine.Assignment
	kind   int
	shard  int // 0 for none
	reason string
}

// The kinds are why a unit has no usable result; the gravest one is told first.
const (
	failed = 1 + iota
	damaged
	absent
	unplanned
)

// Collect starts a run in the workspace that the plan was made of, which takes its units from the
// folder's results. It is an error, before anything is recorded, that the plan is for another
// version of the program, another runtime or processor, or that the workspace means something else
// by all of its models; single models that were removed or changed since are left out (Refused).
// Units with a valid result are recorded, also where others of their model are missing; that model
// then fails with a sentence that says which shard to run. The other errors are those of
// job.Start.
func (f *Folder) Collect(ctx context.Context, at job.Place, eng *engine.Engine, program string) (*Collection, error) {
	if err := f.mayCompute(program, at.Runtime); err != nil {
		return nil, err
	}
	req := f.Request
	req.Models = slices.DeleteFunc(slices.Clone(req.Models), func(hash string) bool {
		_, err := at.Workspace.Model(hash)
		return errors.Is(err, store.ErrNotFound)
	})
	if len(req.Models) == 0 {
		return nil, fmt.Errorf("the plan does not fit the workspace any more, which has none of its %d models",
			len(f.Request.Models))
	}
	run, err := job.Prepare(ctx, at, req, engine.NoProgress{})
	if err != nil {
		return nil, err
	}
	apart, changed := f.apart(run,
		"was removed from the workspace since the plan was made, so its results are left out; import it again and "+
			"collect again to have them")
	run.Refused = append(run.Refused, changed...)
	run.Tasks = slices.DeleteFunc(run.Tasks, func(t engine.Task) bool { return apart[t.Spec.Model] != nil })
	if len(apart) == len(f.models) {
		err = fmt.Errorf("the plan does not fit the workspace any more: %w", apart[f.spec().Model])
	}
	if err = errors.Join(err, run.Fits(ctx)); err != nil {
		return nil, errors.Join(err, run.Close())
	}
	c := &Collection{
		Refused: run.Refused, folder: f, apart: apart, has: at.Workspace.Has,
		shards: map[string]int{}, held: map[string]held{},
	}
	for _, u := range f.units {
		c.shards[f.key(u)] = u.shard
	}
	c.Run, err = run.Submit(eng, c)
	return c, err
}

// takers is how many results are read and recorded at the same time; that bounds the memory.
const takers = 2

// Execute implements engine.Executor. It works alone. The models of units that were held back fail
// once all others are recorded.
func (c *Collection) Execute(ctx context.Context, j *engine.Job) {
	var group sync.WaitGroup
	for range takers {
		group.Go(func() {
			for a, ok := j.Take(ctx); ok; a, ok = j.Take(ctx) {
				c.take(a)
			}
		})
	}
	group.Wait()
	byModel := map[string][]held{}
	for _, h := range c.held {
		model := h.Prepared().Task().Spec.Model
		byModel[model] = append(byModel[model], h)
	}
	for _, list := range byModel {
		err := explain(list)
		for _, h := range list {
			h.Failed(err) // which is none after a cancel
		}
	}
}

// take records a unit, or holds it back until all others are recorded.
func (c *Collection) take(a *engine.Assignment) {
	key := a.Key()
	unit, err := c.folder.result(key, a.Prepared().Task().Spec, a.Chunk())
	if err == nil {
		a.Done(unit, engine.Timings{})
		return
	}
	h := held{Assignment: a, shard: c.shards[key], kind: absent}
	switch note := c.folder.noted(key); {
	case h.shard == 0:
		h.kind = unplanned
	case !errors.Is(err, fs.ErrNotExist):
		h.kind = damaged
		h.reason = fmt.Sprintf("%s cannot be used: %v; remove it", c.folder.path(resultName(key)), err)
	case note != "":
		h.kind, h.reason = failed, note
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.held[key] = h
}

// explain is what a model lacks.
func explain(list []held) error {
	slices.SortFunc(list, func(a, b held) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.shard, b.shard), cmp.Compare(a.Chunk(), b.Chunk()))
	})
	var numbers []int
	for _, h := range list {
		if h.kind != unplanned {
			numbers = append(numbers, h.shard)
		}
	}
	task, gravest := list[0].Prepared().Task(), list[0]
	text := fmt.Sprintf("model %s: %d of its %d units of work are missing", task.ID, len(list), task.Spec.Chunks())
	if gravest.reason != "" {
		text += fmt.Sprintf("; the first reason, in shard %d: %s", gravest.shard, gravest.reason)
	}
	if len(numbers) > 0 {
		text += fmt.Sprintf("; run %s and collect again", shardList(numbers))
	}
	if len(numbers) < len(list) {
		text += "; the plan does not have some, since the workspace had them when it was made: they were lost, or " +
			"the model was corrected; run it here, or plan it into another folder"
	}
	return errors.New(text)
}

// shardList writes the numbers of shards for people: "shard 3", "shards 1, 4-6".
func shardList(numbers []int) string {
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	var parts []string
	for i := 0; i < len(numbers); i++ {
		part := strconv.Itoa(numbers[i])
		from := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		if i > from {
			part += "-" + strconv.Itoa(numbers[i])
		}
		parts = append(parts, part)
	}
	if len(numbers) == 1 {
		return "shard " + parts[0]
	}
	return "shards " + strings.Join(parts, ", ")
}

// States are those of all shards, once the run has ended. What the workspace has decides: a unit
// with a result may not have been recorded, as on a full disk.
func (c *Collection) States() []State {
	list := make([]State, c.folder.Shards)
	for k := range list {
		list[k].Shard = k + 1
	}
	for _, u := range c.folder.units {
		s, key := &list[u.shard-1], c.folder.key(u)
		s.Units++
		has, err := c.has(key)
		kind := c.held[key].kind
		switch {
		case err == nil && has:
		case c.apart[c.folder.models[u.model].Spec.Model] != nil:
			s.Left++
		case kind == damaged:
			s.Damaged++
		default:
			if s.Missing++; kind == failed {
				s.Failed++
			}
		}
	}
	return list
}
