package testdata

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// TB is what *testing.T, *testing.B and *rapid.T have in common.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// OK ends the test at an error.
func OK(t TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%v", err)
	}
}

// Must gives the value of a call that has to succeed, as in Must(os.ReadFile(path))(t), and ends
// the test where it failed.
func Must[T any](value T, err error) func(t TB) T {
	return func(t TB) T {
		t.Helper()
		OK(t, err)
		return value
	}
}

// Refused fails the test unless there is an error that has all of the words in its text.
func Refused(t TB, what string, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err != nil && !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q does not say %q", what, err, w)
		}
	}
	if err == nil {
		t.Errorf("%s: no error; want one that says %q", what, words)
	}
}

// Panics fails the test unless a call panics.
func Panics(t TB, what string, call func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	call()
}

// Near fails the test unless a number is as near to another as the tolerance says, or both are NaN
// or the same infinity.
func Near(t TB, what string, got, want, tolerance float64) {
	t.Helper()
	same := got == want || math.IsNaN(got) && math.IsNaN(want)
	if !same && !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// NearAll is Near for each number of two lists of one length.
func NearAll(t TB, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for k := range want {
		Near(t, fmt.Sprintf("%s %d", what, k), got[k], want[k], tolerance)
	}
}

// Equal fails the test unless two lists are equal.
func Equal[T comparable](t TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Is fails the test unless two values are equal.
func Is[T comparable](t TB, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// ErrorIs fails the test unless an error is or wraps another.
func ErrorIs(t TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// Err is the error of a call whose value does not matter.
func Err[T any](_ T, err error) error { return err }

// NoDiff fails the test where cmp.Diff found a difference.
func NoDiff(t TB, what, diff string) {
	t.Helper()
	if diff != "" {
		t.Errorf("%s:\n%s", what, diff)
	}
}

// Progress counts what work says of itself, and calls Stop, where there is one, from the time on
// when After steps are done.
type Progress struct {
	Total, Done atomic.Int64
	After       int64
	Stop        func()
}

// SetTotal implements progress.Progress.
func (p *Progress) SetTotal(n int64) { p.Total.Store(n) }

// Add implements progress.Progress.
func (p *Progress) Add(n int64) {
	if p.Done.Add(n) >= p.After && p.Stop != nil {
		p.Stop()
	}
}

// Whole fails the test unless all steps that were announced are done, and there are so many.
func (p *Progress) Whole(t TB, want int64) {
	t.Helper()
	if p.Total.Load() != want || p.Done.Load() != want {
		t.Errorf("progress of %d of %d, want %d", p.Done.Load(), p.Total.Load(), want)
	}
}

// UpTo is the list 0, 1, ..., n-1.
func UpTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Strict reads JSON; a key that the value does not have ends the test, so that no part of a golden
// case goes unread.
func Strict(t TB, data []byte, into any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	OK(t, d.Decode(into))
}

// Case is one case of a golden file. Kind stands in its input.
type Case struct {
	Name, How, Kind        string
	Input, Expected        json.RawMessage
	Published, Information json.RawMessage
}

// Read reads both parts of a case strictly.
func (c Case) Read(t TB, input, expected any) {
	t.Helper()
	Strict(t, c.Input, input)
	Strict(t, c.Expected, expected)
}

// Cases runs every case of a golden file, once its tolerances have been read.
func Cases(t *testing.T, data []byte, tolerance any, run func(t *testing.T, c Case)) {
	t.Helper()
	file := struct {
		Topic, Spec, Note      string
		Format                 int
		Tolerance              any
		Published, Information json.RawMessage
		Cases                  []Case
	}{Tolerance: tolerance}
	Strict(t, data, &file)
	if len(file.Cases) == 0 {
		t.Error("no cases")
	}
	for _, c := range file.Cases {
		t.Run(c.Name, func(t *testing.T) {
			var input struct{ Kind string }
			OK(t, json.Unmarshal(c.Input, &input))
			c.Kind = input.Kind
			run(t, c)
		})
	}
	fmt.Printf("golden %s: %d cases\n", file.Topic, len(file.Cases))
}
