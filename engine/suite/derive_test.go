package suite

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/internal/testdata"
)

// negative makes 1 - x + i of every pixel.
func negative(i int, img Image) (Image, error) {
	out := img.clone()
	for x, v := range img.Pix {
		out.Pix[x] = 1 - v + float32(i)
	}
	return out, nil
}

// counted counts the calls of a change.
func counted(change Change, calls *atomic.Int64) Change {
	return func(i int, img Image) (Image, error) {
		calls.Add(1)
		return change(i, img)
	}
}

// eight is an opened suite of eight 2 x 2 images, 16 bytes each when kept.
func eight(t *testing.T) *Suite {
	t.Helper()
	root := tree(t, map[string][]byte{
		"x-images-idx3": idxBytes(counting(32), 8, 2, 2),
		"x-labels-idx1": idxBytes([]byte{1, 0, 1, 0, 1, 0, 1, 0}, 8),
	})
	return open(t, scan(t, root, Options{Name: "eight"}))
}

func TestDerive(t *testing.T) {
	for name, path := range small(t) {
		base := scan(t, path, Options{Name: "mine"})
		base.Inside, base.Copied = "suites/x", true
		m := base.Derive("corruption:fog:3;seed=1", "mine, fog 3")
		if m.Name != "mine, fog 3" || m.Derived == nil ||
			*m.Derived != (Derived{base.Hash, "corruption:fog:3;seed=1"}) || !m.Added.IsZero() {
			t.Errorf("%s: %+v", name, m)
		}
		if m.Images != base.Images || !slices.Equal(m.Labels, base.Labels) || m.Shape != base.Shape ||
			m.Format != base.Format || m.ImageName(0) != base.ImageName(0) {
			t.Errorf("%s: %+v is not what belongs to the files of %+v", name, m, base)
		}
		if base.Derived != nil || base.Name != "mine" {
			t.Errorf("%s: the base was changed: %+v", name, base)
		}
		// Opened as it stands it would show the images of its base.
		testdata.Refused(t, name, testdata.Err(Open(m, m.Root)), "no files of its own")
		testdata.Refused(t, name+": verified", testdata.Err(Verify(t.Context(), m, m.Root, nil)))
	}
}

func TestHashesOfDerivedSuites(t *testing.T) {
	a, b := Manifest{Hash: strings.Repeat("a", 64)}, Manifest{Hash: strings.Repeat("b", 64)}
	// SHA-256 of "variscope derived suite 1\n", 64 letters a, "\n" and "x", by sha256sum.
	const want = "4c7c30fd7af6e0e764161c4b117bc6d835ee658fa057d306e2512c1af92e2480"
	testdata.Is(t, "the hash", a.Derive("x", "n").Hash, want)
	hashes := []string{a.Hash, a.Derive("x", "n").Hash, a.Derive("y", "n").Hash, b.Derive("x", "n").Hash}
	slices.Sort(hashes)
	if len(slices.Compact(hashes)) != 4 || a.Derive("x", "one").Hash != a.Derive("x", "two").Hash {
		t.Error("the hash must depend on base and change, and on nothing else")
	}
}

func TestThroughChangesEveryImage(t *testing.T) {
	for name, path := range small(t) {
		base := open(t, scan(t, path, Options{Name: "mine"}))
		var want []Image
		for i := range base.Len() {
			img := testdata.Must(base.Image(i))(t)
			img, _ = negative(i, img)
			want = append(want, img)
		}
		for _, cache := range []int64{0, 20, 1 << 20} {
			s := base.Through(base.Manifest().Derive("negative", "mine, negative"), negative, cache)
			for round := range 3 {
				for i, w := range want {
					got, err := s.Image(i)
					if err != nil || !slices.Equal(got.Pix, w.Pix) || got.Height != w.Height {
						t.Fatalf("%s, cache %d, round %d: image %d is %v, %v; want %v",
							name, cache, round, i, got, err, w)
					}
					clear(got.Pix) // the caller owns it
				}
			}
			if s.Len() != base.Len() || s.Label(0) != base.Label(0) || s.Name(0) != base.Name(0) ||
				s.Manifest().Name != "mine, negative" {
				t.Errorf("%s: %d images, label %d, name %s", name, s.Len(), s.Label(0), s.Name(0))
			}
		}
	}
}

// TestTheCacheIsBounded: with room for n images exactly the first n are computed once, and the
// others at every reading.
func TestTheCacheIsBounded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		base := eight(t)
		var calls atomic.Int64
		cache := rapid.Int64Range(0, 200).Draw(rt, "cache")
		order := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7}).Draw(rt, "order")
		s := base.Through(base.Manifest().Derive("negative", "n"), counted(negative, &calls), cache)
		for range 2 {
			for _, i := range order {
				testdata.Must(s.Image(i))(rt)
			}
		}
		kept := min(8, cache/16)
		if calls.Load() != 16-kept {
			rt.Errorf("%d images were computed with a cache of %d bytes, want %d", calls.Load(), cache, 16-kept)
		}
		if used := s.reader.(*changed).used.Load(); used != 16*kept || used > cache {
			rt.Errorf("the cache takes %d of %d bytes", used, cache)
		}
	})
}

// TestThroughFromManyGoroutines: the same images, and never more kept than allowed.
func TestThroughFromManyGoroutines(t *testing.T) {
	base := eight(t)
	s := base.Through(base.Manifest().Derive("negative", "n"), negative, 5*16+3)
	var group sync.WaitGroup
	for g := range 8 {
		group.Go(func() {
			for k := range 200 {
				i := (k*3 + g) % 8
				img, err := s.Image(i)
				if err != nil || img.Pix[0] != 1-levels[4*i]+float32(i) {
					t.Errorf("image %d is %v, %v", i, img.Pix, err)
				}
			}
		})
	}
	group.Wait()
	through, images := s.reader.(*changed), int64(0)
	for i := range through.kept {
		if through.kept[i].Load() != nil {
			images++
		}
	}
	if images > 5 || through.used.Load() != 16*images {
		t.Errorf("%d images are kept in %d bytes", images, through.used.Load())
	}
}

func TestThroughSaysWhatIsWrong(t *testing.T) {
	root := tree(t, map[string][]byte{"a/1.png": pngBytes(2, 2, red), "b/2.png": pngBytes(2, 2, blue)})
	base := open(t, scan(t, root, Options{Name: "mine"}))
	reason := errors.New("one pixel is too small")
	s := base.Through(base.Manifest().Derive("x", "mine, x"),
		func(int, Image) (Image, error) { return Image{}, reason }, 100)
	if _, err := s.Image(1); !errors.Is(err, reason) ||
		err.Error() != "suite mine, x: image b/2.png: one pixel is too small" {
		t.Errorf("%v", err)
	}
	testdata.Refused(t, "no image 2", testdata.Err(s.Image(2)), "no image 2")
	put(t, filepath.Join(root, "a", "1.png"), []byte("no picture"))
	testdata.Refused(t, "suite mine, x: ", testdata.Err(s.Image(0)), "suite mine, x: ", "1.png")
}

func TestClosingTheDerivedClosesTheBase(t *testing.T) {
	closed := 0
	base := eight(t)
	base.reader = closing{base.reader, &closed}
	s := base.Through(base.Manifest().Derive("x", "x"), negative, 100)
	if err := errors.Join(s.Close(), s.Close(), base.Close()); err != nil || closed != 1 {
		t.Errorf("closed %d times, %v", closed, err)
	}
}

// closing counts how often a reader is closed.
type closing struct {
	reader
	times *int
}

func (c closing) close() error {
	*c.times++
	return c.reader.close()
}
