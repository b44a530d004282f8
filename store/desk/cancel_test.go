package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/store"
)

// endsAfter is progress that ends a context after so many steps.
type endsAfter struct {
	left int64
	end  context.CancelFunc
}

func (*endsAfter) SetTotal(int64) {}

func (e *endsAfter) Add(n int64) {
	if e.left -= n; e.left == 0 {
		e.end()
	}
}

// TestInviteIsCancelled while it gathers, and while it writes: nothing is left, and a former package stays.
func TestInviteIsCancelled(t *testing.T) {
	ws, r := home(t, nil)
	for _, steps := range []int64{2, 5, 9} {
		path := filepath.Join(t.TempDir(), "r"+RoundSuffix)
		if err := os.WriteFile(path, []byte("former"), 0o644); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Invite(ctx, ws, r.ID, path, true, &endsAfter{steps, cancel})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("after %d steps: %v", steps, err)
		}
		if data, err := os.ReadFile(path); string(data) != "former" {
			t.Errorf("after %d steps the former package is gone: %d bytes, %v", steps, len(data), err)
		}
		if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
			t.Errorf("after %d steps %v is left, %v", steps, left, err)
		}
	}
}

// counting is progress that remembers.
type counting struct{ total, done int64 }

func (c *counting) SetTotal(n int64) { c.total = n }

func (c *counting) Add(n int64) { c.done += n }

func TestProgressOfInviteEndsAtItsTotal(t *testing.T) {
	ws, r := home(t, nil)
	for _, full := range []bool{false, true} {
		var p counting
		if _, err := Invite(t.Context(), ws, r.ID, filepath.Join(t.TempDir(), "r"+RoundSuffix), full, &p); err != nil {
			t.Fatal(err)
		}
		if p.done != p.total {
			t.Errorf("full %v: %d steps of %d", full, p.done, p.total)
		}
	}
}

// TestFullPackageNeedsRoom: members may say that they are larger than any disk.
func TestFullPackageNeedsRoom(t *testing.T) {
	ws := empty(t)
	c := store.Package{}
	o := &opened{archive: &archive{lists: map[string]member{}}}
	for i := range 1 << 20 {
		f := suite.File{Path: fmt.Sprint(i, ".png")}
		c.Suite.Files = append(c.Suite.Files, f)
		o.lists[imagePath(f)] = member{Size: maxFile}
	}
	if err := o.room(ws, c); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "is free") {
		t.Errorf("%v", err)
	}
	if err := o.room(ws, store.Package{}); err != nil {
		t.Error(err)
	}
}

// TestListsNameEachMemberOnce: a member that is listed twice would hide one that is not listed.
func TestListsNameEachMemberOnce(t *testing.T) {
	const list = `{"format":"variscope round package","version":1,"members":[{"path":"a","size":0},{"path":"a","size":0}]}`
	path := raw(t, [2]string{manifestName, list}, [2]string{"a", ""}, [2]string{"b", ""})
	if _, err := Look(path); err == nil || !strings.Contains(err.Error(), "listed twice") {
		t.Errorf("%v", err)
	}
}
