// Package history keeps the changes of data that were made in the window, so that they can be
// taken back and made again. Labels have their own undo, an event in their round; everything else
// that a person changes is a Step here.
package history

import (
	"context"
	"slices"

	"github.com/variscope/variscope/ui/jobs"
)

// depth is how many steps are kept; the oldest is dropped first.
const depth = 200

// Step is one change that was made. Undo takes it back and Redo makes it again; both run off the
// main goroutine and leave everything as it is when they fail.
type Step struct {
	Title      string // what was done, in words that follow "Undo: ", such as "change of the record of m12"
	Undo, Redo func(ctx context.Context) error
}

// Stack is the window's changes in their order. All methods are called on the main goroutine.
type Stack struct {
	work    *jobs.Group
	say     func(text string)
	failed  func(err error)
	done    []Step
	undone  []Step
	busy    bool
	made    int // counts the steps that Did has noted
	changed []func()
}

// New makes an empty stack. Say gets a line of text after a step was taken back or made again,
// failed an error.
func New(work *jobs.Group, say func(string), failed func(error)) *Stack {
	return &Stack{work: work, say: say, failed: failed}
}

// OnChange has f called after the stack changed.
func (s *Stack) OnChange(f func()) { s.changed = append(s.changed, f) }

// Did notes a change that was just made. What had been taken back before cannot be made again from
// then on.
func (s *Stack) Did(step Step) {
	s.done = append(s.done, step)
	if len(s.done) > depth {
		s.done = s.done[1:]
	}
	s.undone = nil
	s.made++
	s.tell()
}

// Titles are those of the steps that Undo and Redo would handle now, "" for none.
func (s *Stack) Titles() (undo, redo string) {
	if n := len(s.done); n > 0 {
		undo = s.done[n-1].Title
	}
	if n := len(s.undone); n > 0 {
		redo = s.undone[n-1].Title
	}
	return undo, redo
}

// Undo takes the newest step back. While a step is being handled, further calls do nothing.
func (s *Stack) Undo() { s.move(&s.done, &s.undone, "taken back: ", Step.undo) }

// Redo makes the step again that was taken back last.
func (s *Stack) Redo() { s.move(&s.undone, &s.done, "made again: ", Step.redo) }

func (s Step) undo(ctx context.Context) error { return s.Undo(ctx) }
func (s Step) redo(ctx context.Context) error { return s.Redo(ctx) }

func (s *Stack) move(from, to *[]Step, said string, act func(Step, context.Context) error) {
	if s.busy {
		return
	}
	if len(*from) == 0 {
		s.say("there is nothing to take back or make again")
		return
	}
	s.busy = true
	step, made := (*from)[len(*from)-1], s.made
	*from = (*from)[:len(*from)-1]
	s.work.Quiet(said+step.Title, func(ctx context.Context) error { return act(step, ctx) }, func(err error) {
		s.busy = false
		if err != nil {
			s.put(from, step, s.made-made)
			s.failed(err)
		} else {
			s.put(to, step, s.made-made)
			s.say(said + step.Title)
		}
		s.tell()
	})
}

// put puts a step that was handled onto a list. Changes that were made meanwhile are newer than
// it; after them nothing can be made again that was taken back before.
func (s *Stack) put(list *[]Step, step Step, meanwhile int) {
	if list == &s.undone && meanwhile > 0 {
		return
	}
	at := max(len(*list)-meanwhile, 0)
	*list = slices.Insert(*list, at, step)
}

func (s *Stack) tell() {
	for _, f := range s.changed {
		f()
	}
}
