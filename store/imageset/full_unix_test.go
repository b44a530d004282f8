//go:build linux || darwin

package imageset

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/suite"
	"github.com/variscope/variscope/internal/images"
	"github.com/variscope/variscope/internal/testdata"
)

// roomIn names, for the child process, the folder in which it runs out of room.
const roomIn = "VARISCOPE_TEST_ROOM_IN"

// TestNoRoom writes in a process whose files may hold no more than 4 KiB: a disk that becomes full
// on the way.
func TestNoRoom(t *testing.T) {
	if out := os.Getenv(roomIn); out != "" {
		withoutRoom(t, out)
		return
	}
	for _, format := range []Format{Folder, IDX} {
		out := t.TempDir()
		cmd := exec.Command(os.Args[0], "-test.run=^TestNoRoom$", "-test.v")
		cmd.Env = append(os.Environ(), roomIn+"="+filepath.Join(out, string(format)))
		said, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(said), "no room: ") {
			t.Errorf("%s: %v\n%s", format, err, said)
		}
		if entries, err := os.ReadDir(out); err != nil || len(entries) != 0 {
			t.Errorf("%s: %v, %v is left", format, entries, err)
		}
	}
}

func withoutRoom(t *testing.T, out string) {
	set := halved(images.Gray(t, 10, 100), out, Format(filepath.Base(out)))
	set.Image = func(i int, img suite.Image) (suite.Image, error) { // noise, of which a PNG needs more than 4 KiB, too
		random := rand.New(rand.NewPCG(1, uint64(i)))
		img.Pix = make([]float32, len(img.Pix))
		for k := range img.Pix {
			img.Pix[k] = random.Float32()
		}
		return img, nil
	}
	signal.Ignore(syscall.SIGXFSZ)
	testdata.OK(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 4096, Max: 4096}))
	err := set.Write(context.Background(), engine.NoProgress{})
	if !errors.Is(err, syscall.EFBIG) {
		t.Fatalf("no word of the room: %v", err)
	}
	t.Logf("no room: %v", err)
}
