package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/sums"
	"github.com/variscope/variscope/internal/testdata"
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

// TestInviteIsCancelled while it gathers, and while it writes: nothing is left, and a former
// package stays.
func TestInviteIsCancelled(t *testing.T) {
	ws, r := home(t, nil)
	for _, steps := range []int64{2, 5, 9} {
		path := filepath.Join(t.TempDir(), "r"+RoundSuffix)
		must(t, os.WriteFile(path, []byte("former"), 0o644))
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

func TestProgressOfInviteEndsAtItsTotal(t *testing.T) {
	ws, r := home(t, nil)
	for _, full := range []bool{false, true} {
		var p testdata.Progress
		if _, err := Invite(t.Context(), ws, r.ID, filepath.Join(t.TempDir(), "r"+RoundSuffix), full, &p); err != nil {
			t.Fatal(err)
		}
		if p.Done.Load() != p.Total.Load() {
			t.Errorf("full %v: %d steps of %d", full, p.Done.Load(), p.Total.Load())
		}
	}
}

// TestFullPackageNeedsRoom: members may say that they are larger than any disk.
func TestFullPackageNeedsRoom(t *testing.T) {
	ws := sums.Empty(t)
	c := store.Package{}
	o := &opened{archive: &archive{lists: map[string]member{}}}
	for i := range 1 << 20 {
		f := suite.File{Path: fmt.Sprint(i, ".png")}
		c.Suite.Files = append(c.Suite.Files, f)
		o.lists[imagePath(f)] = member{Size: maxFile}
	}
	if err := o.room(t.Context(), ws, c); !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "is free") {
		t.Errorf("%v", err)
	}
	if err := o.room(t.Context(), ws, store.Package{}); err != nil {
		t.Error(err)
	}
}

// TestRoomForWhatIsHere: models and images that the workspace has are only unpacked; the others are
// there twice for a moment.
func TestRoomForWhatIsHere(t *testing.T) {
	ws, r := home(t, nil)
	path := packed(t, ws, r, true)
	in, err := openPackage(path)
	must(t, err)
	defer in.close()
	c, err := in.content(t.Context(), engine.NoProgress{})
	must(t, err)
	once := int64(0)
	for _, m := range in.Members {
		if strings.HasPrefix(m.Path, "images/") || strings.HasSuffix(m.Path, ".onnx") {
			once += m.Size
		}
	}
	if need := in.need(t.Context(), ws, c); need != once || once == 0 {
		t.Errorf("where all is here %d bytes are needed, %d in the package", need, once)
	}
	if need := in.need(t.Context(), sums.Empty(t), c); need != 2*once {
		t.Errorf("where nothing is here %d bytes are needed, %d in the package", need, once)
	}
}

// TestCancelAfterARoundWasTakenIn: what belongs to it comes as well, or it would have no models and
// images.
func TestCancelAfterARoundWasTakenIn(t *testing.T) {
	ws, r := home(t, nil)
	path := packed(t, ws, r, true)
	there := sums.Empty(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer there.Subscribe(func(c store.Change) {
		if c.Kind == store.RoundChanged {
			cancel()
		}
	})()
	if _, err := Open(ctx, there, path, nil); err != nil || ctx.Err() == nil {
		t.Fatalf("cancelled: %v, %v", ctx.Err(), err)
	}
	for _, hash := range r.Models {
		if !there.HasFile(hash) {
			t.Errorf("model %.12s has no file", hash)
		}
	}
	s, err := there.OpenSuiteContext(t.Context(), r.Suite)
	must(t, err)
	if err := s.Close(); err != nil {
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
