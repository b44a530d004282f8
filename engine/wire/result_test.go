package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
	"github.com/variscope/variscope/internal/testdata"
)

// someUnit is a unit of a spec, made as the engine does, of random numbers.
func someUnit(spec signal.Spec, chunk, transformations, classes int, seed uint64) *signal.Unit {
	random := rand.New(rand.NewPCG(seed, 9))
	_, images := spec.ChunkImages(chunk)
	cells := transformations * images
	shares := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = random.Float32()
		}
		return list
	}
	u := &signal.Unit{
		Chunk: chunk, Transformations: transformations, Images: images, Classes: classes,
		Prediction: make([]int32, cells), Confidence: shares(cells), Reduced: make([][]float32, len(spec.Positions)),
	}
	for i := range u.Prediction {
		u.Prediction[i] = int32(random.IntN(classes))
	}
	if classes <= signal.FullSoftmaxClasses {
		u.Softmax = shares(cells * classes)
		for i, class := range u.Prediction {
			u.Confidence[i] = u.Softmax[i*classes+int(class)]
		}
	} else {
		u.TrueScore = shares(cells)
	}
	for p := range u.Reduced {
		u.Reduced[p] = shares(signal.Reducers * cells)
	}
	for range spec.Vectors {
		u.Distances = append(u.Distances, shares(signal.Pairs(transformations)*images))
	}
	return u
}

// smallSpec has one chunk of n images, two positions and a vector modality.
func smallSpec(n int) signal.Spec {
	spec := someTask().Spec
	spec.Images = n
	return spec
}

func result(tb testing.TB, spec signal.Spec, u *signal.Unit) []byte {
	tb.Helper()
	return testdata.Must(EncodeResult(spec, u))(tb)
}

// slowResult writes a result number by number, as the package's description says.
func slowResult(spec signal.Spec, u *signal.Unit) []byte {
	var out bytes.Buffer
	put := func(v any) {
		if err := binary.Write(&out, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	out.WriteString("variscope unit 3")
	key := spec.UnitKey(u.Chunk)
	for k := 0; k < len(key); k += 2 {
		var b byte
		if _, err := fmt.Sscanf(key[k:k+2], "%x", &b); err != nil {
			panic(err)
		}
		out.WriteByte(b)
	}
	for _, v := range []int{u.Chunk, u.Transformations, u.Images, u.Classes, len(spec.Positions), len(spec.Vectors)} {
		put(uint32(v))
	}
	put(u.Prediction)
	put(u.Confidence)
	put(u.Softmax)
	put(u.TrueScore)
	for _, list := range u.Reduced {
		put(list)
	}
	for _, list := range u.Distances {
		put(list)
	}
	sum := ^uint32(0) // CRC-32C, bit by bit
	for _, b := range out.Bytes() {
		sum ^= uint32(b)
		for range 8 {
			sum = sum>>1 ^ 0x82f63b78*(sum&1)
		}
	}
	put(^sum)
	return out.Bytes()
}

// TestResultsSurvive: every number to the bit, nil and empty apart, in the form that the package
// describes.
func TestResultsSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := smallSpec(rapid.IntRange(1, 600).Draw(t, "images"))
		spec.Positions = spec.Positions[:rapid.IntRange(0, 2).Draw(t, "positions")]
		spec.Vectors = rapid.SampledFrom([][]string{nil, {}, {"L2@CONF"}, {"L1@CONF", "Linf@CONV-1"}}).Draw(t,
			"vectors")
		chunk := rapid.IntRange(0, spec.Chunks()-1).Draw(t, "chunk")
		u := someUnit(spec, chunk, rapid.IntRange(1, 5).Draw(t, "transformations"),
			rapid.SampledFrom([]int{1, 10, 100, 101, 5000}).Draw(t, "classes"), rapid.Uint64().Draw(t, "seed"))
		data, err := EncodeResult(spec, u)
		if err != nil || !bytes.Equal(data, slowResult(spec, u)) {
			t.Fatalf("%v, %d bytes", err, len(data))
		}
		got, err := DecodeResult(data, spec, chunk, u.Transformations)
		if err != nil || !reflect.DeepEqual(got, u) {
			t.Fatalf("%v\n%+v\n%+v", err, got, u)
		}
		limit := ResultLimit(spec, chunk, u.Transformations)
		if int64(len(data)) > limit || u.Classes == signal.FullSoftmaxClasses && int64(len(data)) != limit {
			t.Fatalf("%d bytes, and at most %d were expected", len(data), limit)
		}
	})
}

// TestBitsOfResults: a zero with a sign, and what sets without positions may hold.
func TestBitsOfResults(t *testing.T) {
	spec := smallSpec(2)
	spec.Positions, spec.Vectors, spec.OutputKind = nil, nil, model.Sigmoid // whose shares are the model's own
	u := someUnit(spec, 0, 1, 3, 1)
	strange := []float32{
		float32(math.NaN()), math.Float32frombits(0xffc01234), float32(math.Inf(-1)),
		float32(math.Copysign(0, -1)), 1e-45, math.MaxFloat32,
	}
	u.Softmax, u.Prediction, u.Confidence = strange, []int32{2, 1}, []float32{strange[2], strange[4]}
	u.Confidence[0], u.Softmax[2] = -3, -3
	got := testdata.Must(DecodeResult(result(t, spec, u), spec, 0, 1))(t)
	for i, v := range strange {
		testdata.Is(t, fmt.Sprintf("%v became %v", v, got.Softmax[i]),
			math.Float32bits(got.Softmax[i]), math.Float32bits(v))
	}
	if got.Reduced == nil || got.Distances != nil || got.TrueScore != nil {
		t.Errorf("%+v", got)
	}
	wide := someUnit(spec, 0, 1, 300, 1)
	wide.TrueScore[1] = float32(math.NaN())
	if _, err := DecodeResult(result(t, spec, wide), spec, 0, 1); err != nil {
		t.Error(err)
	}
}

// TestTruncatedAndFlippedResults: no length but the whole, and no bit, is let through.
func TestTruncatedAndFlippedResults(t *testing.T) {
	spec := smallSpec(2)
	data := result(t, spec, someUnit(spec, 0, 3, 4, 1))
	refused := func(what string, changed []byte) {
		t.Helper()
		u, err := DecodeResult(changed, spec, 0, 3)
		if err == nil || u != nil || !strings.HasPrefix(err.Error(),
			"the result of chunk 0 of model aaaaaaaaaaaa cannot be used: ") {
			t.Fatalf("%s: %v", what, err)
		}
		if len(changed) == len(data) && bytes.HasPrefix(changed, []byte(resultMagic)) && !errors.Is(err, ErrAltered) {
			t.Fatalf("%s: %v", what, err)
		}
	}
	for n := range data {
		refused(fmt.Sprintf("%d bytes", n), data[:n])
	}
	refused("a byte more", append(bytes.Clone(data), 0))
	for at := range data {
		for bit := range 8 {
			changed := bytes.Clone(data)
			changed[at] ^= 1 << bit
			refused(fmt.Sprintf("bit %d of byte %d", bit, at), changed)
		}
	}
}

// summed gives a changed result the checksum that belongs to it.
func summed(data []byte, change func(content []byte) []byte) []byte {
	content := change(bytes.Clone(data[:len(data)-crc32.Size]))
	return binary.LittleEndian.AppendUint32(content, crc32.Checksum(content, castagnoli))
}

// TestResultsOfSomethingElse have a checksum that is right.
func TestResultsOfSomethingElse(t *testing.T) {
	spec := smallSpec(300)
	data := result(t, spec, someUnit(spec, 1, 3, 4, 1))
	number := func(k int, v uint32) func([]byte) []byte {
		return func(c []byte) []byte {
			binary.LittleEndian.PutUint32(c[resultHead-24+4*k:], v)
			return c
		}
	}
	entry := func(k int, v uint32) func([]byte) []byte {
		return func(c []byte) []byte {
			binary.LittleEndian.PutUint32(c[resultHead+4*k:], v)
			return c
		}
	}
	cells := 3 * 44
	nan, inf := math.Float32bits(float32(math.NaN())), math.Float32bits(float32(math.Inf(1)))
	for want, change := range map[string]func([]byte) []byte{
		"it does not begin with":                   func(c []byte) []byte { c[0]++; return c },
		"with \"variscope unit 3\"; use the same":  func(c []byte) []byte { c[15]++; return c },
		"it is the result of another unit":         func(c []byte) []byte { c[20]++; return c },
		"it has chunk 0 with 44 images":            number(0, 0),
		"with 44 images, 4 transformations":        number(1, 4),
		"with 4294967295 images":                   number(2, math.MaxUint32),
		"3 transformations and 0 classes":          number(3, 0),
		"3 transformations and 1048577 classes":    number(3, MaxClasses+1),
		"3 transformations and 4294967295 classes": number(3, math.MaxUint32),
		"bytes in place of":                        number(3, 5),
		"13276 bytes in place of 11692":            number(3, MaxClasses),
		"3 positions and 1 vector modalities":      number(4, 3),
		"2 positions and 4294967295 vector modal":  number(5, math.MaxUint32),
		"it predicts class 4 of 4":                 entry(cells-1, 4),
		"it predicts class -1 of 4":                entry(0, math.MaxUint32),
		"it has a confidence of NaN, and 0.":       entry(cells, nan),
		"for the class that it predicts":           entry(cells, math.Float32bits(0.125)),
		"it holds +Inf where a number must be":     entry(6*cells, inf), // the first reducer
		"it holds NaN where a number must be":      entry(len(data)/4-resultHead/4-2, nan),
	} {
		changed := summed(data, change)
		var err error
		if n := allocated(func() { _, err = DecodeResult(changed, spec, 1, 3) }); n > 1<<20 {
			t.Errorf("%s: %d kB", want, n>>10)
		}
		testdata.Refused(t, want, err, want)
	}
	// floats: confidence, softmax, reducers, distances
	for at := cells; at < (len(data)-resultHead-crc32.Size)/4; at += 7 {
		testdata.Refused(t, fmt.Sprintf("number %d", at),
			testdata.Err(DecodeResult(summed(data, entry(at, inf)), spec, 1, 3)))
	}
	other, twice := spec, spec
	other.Level, twice.Vectors = "avx512", []string{"L2@CONV-1", "L1@CONF"}
	for name, err := range map[string]error{
		"another level":           testdata.Err(DecodeResult(data, other, 1, 3)),
		"another chunk":           testdata.Err(DecodeResult(data, spec, 0, 3)),
		"other vector modalities": testdata.Err(DecodeResult(data, twice, 1, 3)),
		"other transformations":   testdata.Err(DecodeResult(data, spec, 1, 2)),
	} {
		testdata.Refused(t, name, err)
	}
	for _, bad := range [][2]int{{2, 3}, {-1, 3}, {1, 0}, {1, transform.MaxTransformations + 1}} {
		what := fmt.Sprintf("chunk %d, %d transformations", bad[0], bad[1])
		testdata.Refused(t, what, testdata.Err(DecodeResult(data, spec, bad[0], bad[1])))
		testdata.Is(t, what, ResultLimit(spec, bad[0], bad[1]), 0)
	}
}

// TestUnitsThatCannotBeSent are those that would be refused.
func TestUnitsThatCannotBeSent(t *testing.T) {
	for want, change := range map[string]func(*signal.Unit){
		"there is no chunk 1":         func(u *signal.Unit) { u.Chunk = 1 },
		"there are 0 transformations": func(u *signal.Unit) { u.Transformations = 0 },
		"and 0 classes":               func(u *signal.Unit) { u.Classes = 0 },
		"it predicts class 4 of 4":    func(u *signal.Unit) { u.Prediction[3] = 4 },
		"it holds -Inf": func(u *signal.Unit) {
			u.Softmax[(u.Prediction[0]+1)%4] = float32(math.Inf(-1))
		},
		"it holds a share of 1.5":  func(u *signal.Unit) { u.Softmax[(u.Prediction[0]+1)%4] = 1.5 },
		"it holds a share of -0.5": func(u *signal.Unit) { u.Softmax[(u.Prediction[0]+1)%4] = -0.5 },
	} {
		spec := smallSpec(5)
		u := someUnit(spec, 0, 3, 4, 1)
		change(u)
		if data, err := EncodeResult(spec, u); err == nil || data != nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "the result of a unit cannot be sent: ") {
			t.Errorf("%v; want %s", err, want)
		}
	}
	wide := someUnit(smallSpec(5), 0, 3, 120, 1)
	wide.Confidence[3] = -0.5
	testdata.Refused(t, "error", testdata.Err(EncodeResult(smallSpec(5), wide)), "it holds a share of -0.5")
	for k, change := range []func(*signal.Unit){
		func(u *signal.Unit) { u.Reduced = u.Reduced[:1] },
		func(u *signal.Unit) { u.Distances = nil },
		func(u *signal.Unit) { u.Softmax, u.TrueScore = nil, u.Confidence },
		func(u *signal.Unit) { u.Reduced[1] = u.Reduced[1][1:] },
		func(u *signal.Unit) { u.Distances[0] = u.Distances[0][1:] },
		func(u *signal.Unit) { u.Prediction, u.Confidence = append(u.Prediction, 0), u.Confidence[1:] },
		func(u *signal.Unit) { u.Softmax, u.Reduced[1] = u.Softmax[1:], append(u.Reduced[1], 0) },
	} {
		spec := smallSpec(5)
		u := someUnit(spec, 0, 3, 4, 1)
		change(u)
		testdata.Refused(t, fmt.Sprint("change ", k), testdata.Err(EncodeResult(spec, u)), "do not have the lengths")
	}
	vast := smallSpec(300)
	vast.Vectors = slices.Repeat(vast.Vectors, 1<<16)
	if got := ResultLimit(vast, 0, transform.MaxTransformations); got < 1<<40 {
		t.Errorf("the limit of 65,536 vectors is %d bytes", got)
	}
}

func FuzzDecodeResult(f *testing.F) {
	spec := smallSpec(3)
	for _, classes := range []int{4, 101} {
		f.Add(result(f, spec, someUnit(spec, 0, 2, classes, 1)))
	}
	f.Add([]byte(resultMagic))
	f.Fuzz(func(t *testing.T, data []byte) {
		tries := [][]byte{data}
		if len(data) > crc32.Size { // with the key and checksum that belong to it
			tries = append(tries, summed(data, func(c []byte) []byte {
				if len(c) >= resultHead {
					copy(c, resultMagic)
					copy(c[len(resultMagic):], unitKey(spec, 0))
				}
				return c
			}))
		}
		for _, try := range tries {
			u, err := DecodeResult(try, spec, 0, 2)
			if err != nil {
				continue
			}
			again, err := EncodeResult(spec, u)
			if err != nil || !bytes.Equal(again, try) {
				t.Fatalf("%d bytes became %d: %v", len(try), len(again), err)
			}
		}
	})
}
