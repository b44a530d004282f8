package suite

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"context"
	"encoding/binary"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/variscope/variscope/internal/testdata"
)

// bombMemory is what refusing one bomb may allocate.
const bombMemory = 48 << 20

// allocated is how many bytes do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// tiffBytes is a gray TIFF that declares its size and one strip of data, packed as given (1 not, 8
// deflate).
func tiffBytes(width, height uint32, packing uint16, data []byte) []byte {
	out := []byte("II*\x00\x08\x00\x00\x00")
	entries := [][3]uint32{
		{256, 4, width},
		{257, 4, height},
		{258, 3, 8},
		{259, 3, uint32(packing)},
		{262, 3, 1},
		{273, 4, 0},
		{277, 3, 1},
		{278, 4, height},
		{279, 4, uint32(len(data))},
	}
	start := uint32(8 + 2 + 12*len(entries) + 4)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(entries)))
	for _, e := range entries {
		if e[0] == 273 {
			e[2] = start
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(e[0]))
		out = binary.LittleEndian.AppendUint16(out, uint16(e[1]))
		out = binary.LittleEndian.AppendUint32(out, 1)
		out = binary.LittleEndian.AppendUint32(out, e[2])
	}
	return append(append(out, 0, 0, 0, 0), data...)
}

// imageBombs are small files that declare images of side x side pixels, or the most that their
// format can say.
func imageBombs(side uint32) map[string][]byte {
	be16 := binary.BigEndian.AppendUint16(nil, uint16(min(side, 1<<16-1)))
	le16 := binary.LittleEndian.AppendUint16(nil, uint16(min(side, 1<<16-1)))
	be32 := binary.BigEndian.AppendUint32(nil, side)
	png := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", slices.Concat(be32, be32, []byte{8, 2, 0, 0, 0}))...)
	bitmap := append([]byte("BM"), make([]byte, 52)...)
	for at, v := range map[int]uint32{2: 54, 10: 54, 14: 40, 18: side, 22: side, 26: 1 | 24<<16} {
		binary.LittleEndian.PutUint32(bitmap[at:], v)
	}
	less := min(side, 1<<14) - 1
	lossless := append([]byte{0x2f}, binary.LittleEndian.AppendUint32(nil, less|less<<14)...)
	webp := append([]byte("RIFF\x12\x00\x00\x00WEBPVP8L"),
		binary.LittleEndian.AppendUint32(nil, uint32(len(lossless)))...)
	return map[string][]byte{
		"PNG": append(png, chunk("IDAT", nil)...),
		"JPEG": slices.Concat([]byte("\xff\xd8\xff\xc0\x00\x11\x08"), be16, be16,
			[]byte("\x03\x01\x11\x00\x02\x11\x00\x03\x11\x00"),
			[]byte("\xff\xda\x00\x0c\x03\x01\x00\x02\x00\x03\x00\x00\x3f\x00\xff\xd9")),
		"GIF": slices.Concat([]byte("GIF89a"), le16, le16,
			[]byte("\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00"), le16, le16,
			[]byte("\x00\x02\x02\x44\x01\x00;")),
		"BMP":  bitmap,
		"TIFF": tiffBytes(side, side, 1, []byte{0}),
		"WebP": append(append(webp, lossless...), 0),
	}
}

func TestImageBombs(t *testing.T) {
	files := map[string][]byte{"a/sound.png": pngBytes(2, 2, red)}
	for name, data := range imageBombs(100000) {
		if len(data) > 300 {
			t.Errorf("%s: %d bytes are no small file", name, len(data))
		}
		var err error
		if n := allocated(func() { _, err = Decode(data) }); n > bombMemory {
			t.Errorf("%s: %d MB", name, n>>20)
		}
		testdata.Refused(t, name, err, name+" of ", "at most 41 million pixels")
		files["a/bomb."+strings.ToLower(name)] = data
	}
	var m Manifest
	var err error
	folder := tree(t, files)
	if n := allocated(func() {
		m, err = Scan(context.Background(), folder, Options{SkipCorrupt: true}, nil)
	}); n > 2*bombMemory {
		t.Errorf("a folder of bombs: %d MB", n>>20)
	}
	if err != nil || m.Images != 1 || len(m.Skipped) != len(imageBombs(100000)) {
		t.Errorf("%d images, %+v, %v", m.Images, m.Skipped, err)
	}
}

// TestPackedStripIsBounded: a TIFF of few pixels whose strip unpacks to 128 MiB.
func TestPackedStripIsBounded(t *testing.T) {
	if testing.Short() {
		return // one goroutine packs and reads much
	}
	var strip bytes.Buffer
	w := zlib.NewWriter(&strip)
	testdata.Must(io.CopyN(w, zeros{}, 128<<20))(t)
	testdata.OK(t, w.Close())
	var err error
	if n := allocated(func() { _, err = Decode(tiffBytes(4, 4, 8, strip.Bytes())) }); n > bombMemory {
		t.Errorf("%d MB, %v", n>>20, err)
	}
}

// zeros never end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestCountBombs: IDX files whose headers or packed data promise gigabytes.
func TestCountBombs(t *testing.T) {
	if testing.Short() {
		return // one goroutine packs and reads much
	}
	var small bytes.Buffer
	w := gzip.NewWriter(&small)
	testdata.Must(w.Write(idxBytes(nil, 16<<10, 128, 128)))(t)
	testdata.Must(io.CopyN(w, zeros{}, 200<<20))(t)
	testdata.OK(t, w.Close())
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"count-idx3":     {idxBytes(nil, 1<<31-1, 1, 1), "truncated"},
		"sides-idx3":     {idxBytes(nil, 1<<31-1, 1<<15, 1<<15), "truncated"},
		"more-idx3":      {idxBytes(nil, 1<<32-1, 1<<15, 1<<15), "cannot be right"},
		"packed-idx3.gz": {packed(idxBytes(nil, 1<<31-1, 1<<15, 1<<15)), "truncated"},
		"early-idx3.gz":  {small.Bytes(), "truncated"},
	} {
		path := filepath.Join(tree(t, map[string][]byte{name: test.data}), name)
		var err error
		if n := allocated(func() { _, err = Scan(context.Background(), path, Options{}, nil) }); n > bombMemory {
			t.Errorf("%s: %d MB", name, n>>20)
		}
		testdata.Refused(t, name, err, name, test.want)
	}
}

// TestTableBombs: a manifest with one cell, or one row, that never seems to end.
func TestTableBombs(t *testing.T) {
	if testing.Short() {
		return // one goroutine packs and reads much
	}
	for name, tail := range map[string]string{"cell": "x", "columns": ",", "quoted": "\n"} {
		text := slices.Concat([]byte("path,label\n\""), bytes.Repeat([]byte(tail), 16<<20))
		if name == "columns" {
			text = slices.Concat([]byte("path,label\n"), bytes.Repeat([]byte(tail), 16<<20))
		}
		path := filepath.Join(tree(t, map[string][]byte{"list.csv": text}), "list.csv")
		var err error
		if n := allocated(func() { _, err = Scan(context.Background(), path, Options{}, nil) }); n > 16*bombMemory {
			t.Errorf("%s: %d MB", name, n>>20)
		}
		testdata.Refused(t, name, err, "list.csv", "a row has more than 4 MiB")
	}
}
