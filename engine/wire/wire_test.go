package wire

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"github.com/variscope/variscope/internal/testdata"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// allocated is how many bytes do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestBlobs(t *testing.T) {
	content := []byte("the bytes of a model")
	b, err := BlobOf(bytes.NewReader(content))
	if err != nil || b.Size != int64(len(content)) ||
		b.SHA256 != "68d18a506016639d3a8274be1d740a81afb482ffbfad7e4c3e10a5a32fd04840" {
		t.Fatalf("%+v, %v", b, err)
	}
	testdata.OK(t, b.Check(bytes.NewReader(content)))
	changed := bytes.Clone(content)
	changed[3] ^= 1
	for name, data := range map[string][]byte{
		"a part": content[:19], "nothing": nil, "a byte more": append(bytes.Clone(content), 0),
		"other content": changed, "much more": bytes.Repeat(content, 1000),
	} {
		err := b.Check(bytes.NewReader(data))
		if !errors.Is(err, ErrAltered) || !strings.HasPrefix(err.Error(), "object 68d18a506016 of 20 bytes: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	endless := iotest.OneByteReader(io.MultiReader(bytes.NewReader(content), neverEnding{}))
	testdata.ErrorIs(t, "Check", b.Check(endless), ErrAltered)
	broken := errors.New("the line is dead")
	if err := b.Check(iotest.ErrReader(broken)); !errors.Is(err, broken) || errors.Is(err, ErrAltered) {
		t.Errorf("%v", err)
	}
}

// neverEnding gives zeros.
type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) { clear(p); return len(p), nil }
