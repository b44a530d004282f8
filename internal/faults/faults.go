// Package faults makes steps of changing files fail, for tests of what a failing disk leaves
// behind.
package faults

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/variscope/variscope/store/durable"
)

// Disk counts the steps below a folder and lets some of them fail. It is safe for many goroutines.
type Disk struct {
	mu     sync.Mutex
	under  string
	n      int // the step that fails, from 1; 0 is none
	onward bool
	err    error
	refuse map[durable.Op]error
	steps  []durable.Step
	failed []durable.Step
}

// Watch counts steps below a folder ("" is everywhere) until the test ends; nothing fails yet.
func Watch(tb testing.TB, under string) *Disk {
	tb.Helper()
	d := &Disk{under: under, refuse: map[durable.Op]error{}}
	tb.Cleanup(durable.Watch(d.ask))
	return d
}

// FailAt lets the n-th step from now on fail, once; n = 0 lets nothing fail.
func (d *Disk) FailAt(n int, err error) { d.set(n, err, false) }

// FailFrom lets the n-th step from now on fail, and every later one that needs room: a disk that
// has become full. Names can still be removed and changed.
func (d *Disk) FailFrom(n int, err error) { d.set(n, err, true) }

func (d *Disk) set(n int, err error, onward bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.n, d.err, d.onward, d.steps, d.failed = n, err, onward, nil, nil
}

// Refuse lets every step of a kind fail; nil ends that.
func (d *Disk) Refuse(op durable.Op, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.refuse[op] = err
}

// Steps are the steps since FailAt or FailFrom, in their order.
func (d *Disk) Steps() []durable.Step {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]durable.Step(nil), d.steps...)
}

// Failed are the steps of them that failed.
func (d *Disk) Failed() []durable.Step {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]durable.Step(nil), d.failed...)
}

func (d *Disk) ask(s durable.Step) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.under != "" && s.Path != d.under && !strings.HasPrefix(s.Path, d.under+string(filepath.Separator)) {
		return nil
	}
	d.steps = append(d.steps, s)
	err := d.refuse[s.Op]
	if at := len(d.steps); d.n > 0 && (at == d.n || d.onward && at > d.n && needsRoom(s.Op)) {
		err = d.err
	}
	if err != nil {
		d.failed = append(d.failed, s)
	}
	return err
}

func needsRoom(op durable.Op) bool {
	return op == durable.Create || op == durable.Write || op == durable.Sync || op == durable.MakeFolder
}

// Kind is a way for a disk to fail.
type Kind struct {
	Name   string
	Err    error
	Onward bool // every later step that needs room fails, too
}

// Kinds are the ways in which Table lets every step fail.
func Kinds() []Kind {
	return []Kind{
		{"full", syscall.ENOSPC, false},
		{"full from then on", syscall.ENOSPC, true},
		{"input/output error", syscall.EIO, false},
		{"short write", io.ErrShortWrite, false},
	}
}

// Every runs an operation undisturbed, then once for each of its steps and each kind of failure,
// with that step failing; every is 1, or more to leave steps out. do must begin from the same state
// each time: it prepares that, calls start, does the operation and returns its error; check looks
// at what is left, and is told the error and what happened; it is called first for an undisturbed
// operation.
func (d *Disk) Every(tb testing.TB, every int, do func(start func()) error, check func(what string, err error)) {
	tb.Helper()
	if err := do(func() { d.FailAt(0, nil) }); err != nil {
		tb.Fatalf("undisturbed: %v", err)
	}
	steps := d.Steps()
	d.FailAt(0, nil)
	if len(steps) == 0 {
		tb.Fatal("the operation changes no files")
	}
	check("undisturbed", nil)
	at := 0
	for _, kind := range Kinds() {
		for n := 1 + at%every; n <= len(steps); n += every {
			err := do(func() { d.set(n, kind.Err, kind.Onward) })
			failed := d.Failed()
			d.FailAt(0, nil)
			check(fmt.Sprintf("%s at step %d of %d, %v", kind.Name, n, len(steps), failed), err)
		}
		at++
	}
}

// Told reports an error that does not say what a person needs: a full disk by its name, an error of
// the disk likewise, and the path of what could not be written.
func Told(tb testing.TB, what string, err error) {
	tb.Helper()
	if err == nil {
		return
	}
	switch {
	case errors.Is(err, syscall.ENOSPC) && !errors.Is(err, durable.ErrFull), errors.Is(err, syscall.EIO) &&
		!errors.Is(err, durable.ErrDisk):
		tb.Errorf("%s: the error does not say what to do: %v", what, err)
	case !strings.Contains(err.Error(), "/"):
		tb.Errorf("%s: the error names no file: %v", what, err)
	}
}
