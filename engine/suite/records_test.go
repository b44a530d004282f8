package suite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// TestLargePackedSuite is beyond what is kept in memory: it goes through a temporary file, which is
// gone afterwards.
func TestLargePackedSuite(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	const side = 1024
	count := maxMemory/(side*side) + 1
	data := make([]byte, count*side*side)
	for i := range count {
		data[i*side*side+i] = byte(i + 1)
	}
	root := tree(t, map[string][]byte{"x-images-idx3.gz": packed(idxBytes(data, count, side, side))})
	s := open(t, scan(t, root, Options{}))
	for _, i := range []int{0, count / 2, count - 1} {
		if img := pixels(t, s, i); img.Pix[i] != float32(i+1)/255 || img.Pix[i+1] != 0 {
			t.Errorf("image %d: %v", i, img.Pix[i])
		}
	}
	testdata.OK(t, s.Close())
	testdata.Is(t, "left behind", len(testdata.Must(os.ReadDir(temporary))(t)), 0)
}

func TestNoRoomForTheTemporaryFile(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	if _, _, err := unpackFile(strings.NewReader("abc"), 3); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestRecordBehindTheEnd(t *testing.T) {
	r := &records{path: "x", data: strings.NewReader("1234567"), shape: [3]int{1, 2, 2}}
	testdata.Is(t, "img", testdata.Must(r.image(0))(t).Pix[3], levels['4'])
	if _, err := r.image(1); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "image 1 of x") {
		t.Errorf("%v", err)
	}
}

func TestLabelsBeside(t *testing.T) {
	root := tree(t, map[string][]byte{
		"a-labels-idx1-ubyte": nil, "a-labels-idx1-ubyte.gz": nil, "b.labels.idx1.gz": nil, "c-labels/x": nil,
		"d-labels-idx1": nil,
	})
	for images, want := range map[string]string{
		"a-images-idx3-ubyte":    "a-labels-idx1-ubyte",
		"a-images-idx3-ubyte.gz": "a-labels-idx1-ubyte.gz",
		"b.images.idx3":          "b.labels.idx1.gz",
		"b.images.idx3.gz":       "b.labels.idx1.gz",
		"c-images":               "", // a folder is no labels file
		"d-images-idx3.gz":       "d-labels-idx1",
		"e-images-idx3":          "",
		"pictures.gz":            "", // its name says nothing of labels
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		testdata.Is(t, fmt.Sprint(images), labelsBeside(filepath.Join(root, images)), want)
	}
}

func BenchmarkScanFolder(b *testing.B) {
	files := map[string][]byte{}
	for i := range 500 {
		files[string(rune('a'+i%5))+"/"+string(rune('0'+i/50))+string(rune('a'+i%50))+".png"] = pngBytes(32, 32, red)
	}
	root := tree(b, files)
	for b.Loop() {
		if m := scan(b, root, Options{}); m.Images != len(files) {
			b.Fatalf("%d images of %d", m.Images, len(files))
		}
	}
}
