package suite

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/variscope/variscope/internal/testdata"
)

// limited sets limits for a test: memory in MiB, and a time.
func limited(t *testing.T, memory int, time time.Duration) {
	t.Helper()
	before := current.Load()
	current.Store(newRoom(Limits{DecodeMemory: memory}, time))
	t.Cleanup(func() { current.Store(before) })
}

func TestLimitsHaveDefaults(t *testing.T) {
	before := CurrentLimits()
	defer SetLimits(before)
	SetLimits(Limits{})
	if l := CurrentLimits(); l.DecodeMemory < 512 || l.DecodeMemory > 4096 || l.DecodeTime != 10 {
		t.Errorf("%+v", l)
	}
	if want := (Limits{100, 3}); func() Limits { SetLimits(want); return CurrentLimits() }() != want {
		t.Errorf("%+v", CurrentLimits())
	}
}

// TestMemoryOfOneImage: each format says before it unpacks anything what it would need.
func TestMemoryOfOneImage(t *testing.T) {
	limited(t, 8, time.Minute)
	for name, data := range imageBombs(3000) {
		var err error
		if n := allocated(func() { _, err = Decode(data) }); n > 1<<20 {
			t.Errorf("%s: %d MB", name, n>>20)
		}
		for _, want := range []string{
			name + " of 3000 x 3000 pixels takes ", "and 8 MiB are allowed",
			"--decode-memory",
		} {
			testdata.Refused(t, name, err, want)
		}
	}
}

// progressiveBomb is a gray JPEG whose scans have some bytes and go over all blocks.
func progressiveBomb(side uint16, scans int) []byte {
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, side), side)
	file := slices.Concat([]byte("\xff\xd8\xff\xdb\x00\x43\x00"), bytes.Repeat([]byte{1}, 64), // quantization
		[]byte("\xff\xc2\x00\x0b\x08"), size, []byte("\x01\x01\x11\x00"), // frame
		// bits 0: no coefficients in 16,384 blocks and more
		[]byte("\xff\xc4\x00\x14\x10\x01"), make([]byte, 15), []byte{0xe0})
	runs := (int(side)/8 + 1) * (int(side)/8 + 1) / (1 << 14)
	scan := append([]byte("\xff\xda\x00\x08\x01\x01\x00\x01\x3f\x00"), make([]byte, 2*runs+2)...)
	return append(append(file, bytes.Repeat(scan, scans)...), 0xff, 0xd9)
}

// worked decodes a file and says how long a processor worked for it.
func worked(data []byte) (took time.Duration, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := workTime()
	_, err = Decode(data)
	return workTime() - begin, err
}

func TestScansOfAJPEG(t *testing.T) {
	if img, err := Decode(progressiveBomb(64, maxScans)); err != nil || img.Channels != 1 || img.Pix[0] != levels[128] {
		t.Errorf("%d scans: %v", maxScans, err)
	}
	if took, err := worked(progressiveBomb(6000, 20000)); err == nil ||
		!strings.Contains(err.Error(), "JPEG with more than 500 scans") || took > time.Second {
		t.Errorf("20,000 scans: %v after %v", err, took)
	}
	limited(t, 1000, 50*time.Millisecond)
	want := "JPEG of 4000 x 4000 pixels takes more than 50ms to decode; allow more by --decode-time"
	if took, err := worked(progressiveBomb(4000, maxScans)); err == nil || !strings.Contains(err.Error(), want) ||
		took > time.Second {
		t.Errorf("%v after %v", err, took) // without a limit these are seconds
	}
}

// TestEveryDecoderLooksAtTheClock: none goes on when its time is over.
func TestEveryDecoderLooksAtTheClock(t *testing.T) {
	files, err := filepath.Glob("testdata/pillow/*")
	if err != nil || len(files) < 60 {
		t.Fatal(files, err)
	}
	limited(t, 1000, 1)
	seen := map[string]bool{}
	for _, file := range files {
		data := testdata.Must(os.ReadFile(file))(t)
		seen[codecOf(data).name] = true
		testdata.Refused(t, fmt.Sprint(file),
			testdata.Err(Decode(data)), "takes more than 1ns to decode; allow more by --decode-time")
	}
	testdata.Is(t, fmt.Sprintf("only %v", slices.Collect(maps.Keys(seen))), len(seen), len(codecs))
}

// TestSlowFiles: files of the formats whose beginnings or empty parts cost time and give nothing.
func TestSlowFiles(t *testing.T) {
	limited(t, 1000, 20*time.Millisecond)
	many := func(part string) []byte { return bytes.Repeat([]byte(part), (8<<20)/len(part)) }
	stored := append([]byte("\x78\x01"), many("\x00\x00\x00\xff\xff")...) // empty blocks of deflate
	header := pngBytes(1, 1, red)[:33]
	for name, data := range map[string][]byte{
		"GIF":  append([]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00"), many("!\xfe\x01x\x00")...),
		"PNG":  append(slices.Clone(header), chunk("IDAT", stored)...),
		"IDAT": append(slices.Clone(header), many(string(chunk("IDAT", nil)))...),
		"TIFF": tiffBytes(2000, 2000, 8, stored),
		"BMP": func() []byte {
			b := bytes.Clone(imageBombs(1)["BMP"])
			binary.LittleEndian.PutUint32(b[18:], 1)
			binary.LittleEndian.PutUint32(b[22:], 1)
			b[28], b[30], b[46] = 8, bmpRuns8, 1
			return append(b, many("\xff\x00")...)
		}(),
		"PNM": append([]byte("P3 2000 2000 255\n"), many("# no end\n1 ")...),
	} {
		if took, err := worked(data); err == nil || took > time.Second {
			t.Errorf("%s: %v after %v", name, err, took)
		}
	}
}

// TestRoomIsNeverOverfull: what is decoded at the same time stays within the memory, whatever each
// image needs, and large ones are alone.
func TestRoomIsNeverOverfull(t *testing.T) {
	limited(t, 1000, time.Minute)
	r := current.Load()
	var now atomic.Int64
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 1))
			for range 8 {
				bytes := random.Int64N(r.memory) + 1
				leave := r.enter(bytes)
				if sum := now.Add(bytes); sum > r.memory || bytes > largeMemory && sum > bytes {
					t.Errorf("%d bytes of %d, one image has %d", sum, r.memory, bytes)
				}
				now.Add(-bytes)
				leave()
			}
		})
	}
	all.Wait()
}

// TestDeepPNGIsReadByRows: beside the result there are two rows, not the whole image again.
func TestDeepPNGIsReadByRows(t *testing.T) {
	data := encoded(t, func(b *bytes.Buffer) error {
		return png.Encode(b, image.NewNRGBA64(image.Rect(0, 0, 1000, 1000)))
	})
	if n := allocated(func() { decoded(t, data) }); n > 12*1000*1000+1<<20 {
		t.Errorf("%d bytes", n)
	}
}
