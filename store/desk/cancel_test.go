package desk

import (
	"context"
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

// TestInviteIsCancelled while it gathers, and while it writes: nothing is left, and a former
// package stays.
func TestInviteIsCancelled(t *testing.T) {
	ws, r := home(t, nil)
	for _, steps := range []int64{2, 5, 9} {
		path := filepath.Join(t.TempDir(), "r"+RoundSuffix)
		must(t, os.WriteFile(path, []byte("former"), 0o644))
		ctx, cancel := context.WithCancel(t.Context())
		_, err := Invite(ctx, ws, r.ID, path, true, &testdata.Progress{After: steps, Stop: cancel})
		testdata.ErrorIs(t, fmt.Sprint(steps, " steps"), err, context.Canceled)
		testdata.Is(t, "the former package", string(testdata.Must(os.ReadFile(path))(t)), "former")
		testdata.Is(t, "files", len(testdata.Must(os.ReadDir(filepath.Dir(path)))(t)), 1)
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
	err := o.room(t.Context(), ws, c)
	testdata.ErrorIs(t, "too large", err, store.ErrFull)
	testdata.Refused(t, "too large", err, "is free")
	must(t, o.room(t.Context(), ws, store.Package{}))
}

// TestRoomForWhatIsHere: models and images that the workspace has are only unpacked; the others are
// there twice for a moment.
func TestRoomForWhatIsHere(t *testing.T) {
	ws, r := home(t, nil)
	path := packed(t, ws, r, true)
	in := testdata.Must(openPackage(path))(t)
	defer in.close()
	c := testdata.Must(in.content(t.Context(), engine.NoProgress{}))(t)
	once := int64(0)
	for _, m := range in.Members {
		if strings.HasPrefix(m.Path, "images/") || strings.HasSuffix(m.Path, ".onnx") {
			once += m.Size
		}
	}
	testdata.Is(t, "there is something", once > 0, true)
	testdata.Is(t, "need where all is here", in.need(t.Context(), ws, c), once)
	testdata.Is(t, "need where nothing is here", in.need(t.Context(), sums.Empty(t), c), 2*once)
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
	s := testdata.Must(there.OpenSuiteContext(t.Context(), r.Suite))(t)
	must(t, s.Close())
}
