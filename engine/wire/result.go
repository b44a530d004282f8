package wire

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
)

// resultMagic begins a result; its last byte is the version.
const resultMagic = "variscope unit 3"

// resultHead is what stands before the arrays: the beginning, the unit's key and six numbers.
const resultHead = len(resultMagic) + sha256.Size + 6*4

// resultSum is what stands behind them. It finds what was cut off or changed on the way; who wants to send wrong numbers could make a right one of any
// kind, and a hash of that kind would take more than all else that a result costs.
const resultSum = crc32.Size

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// shape is what the lengths of a unit's arrays follow from: the rules of the engine that makes units and of the store that keeps them.
type shape struct {
	chunk, transformations, images, classes, positions, vectors int
}

// shapeOf is the shape of a spec's unit; the classes are the result's own.
func shapeOf(spec signal.Spec, chunk, transformations, classes int) (shape, error) {
	if spec.Images < 1 || spec.Images > MaxImages || chunk < 0 || chunk >= spec.Chunks() {
		return shape{}, fmt.Errorf("there is no chunk %d of %d images", chunk, spec.Images)
	}
	if transformations < 1 || transformations > MaxTransformations {
		return shape{}, fmt.Errorf("there are %d transformations; 1 to %d are possible", transformations, MaxTransformations)
	}
	if classes < 1 || classes > MaxClasses {
		return shape{}, fmt.Errorf("there are %d classes; 1 to %d are possible", classes, MaxClasses)
	}
	_, images := spec.ChunkImages(chunk)
	return shape{chunk, transformations, images, classes, len(spec.Positions), len(spec.Vectors)}, nil
}

// cells is T x n.
func (s shape) cells() int { return s.transformations * s.images }

// array is one array of a unit, and how many numbers it must have.
type array struct {
	who, what string // "it has 3 confidences"
	values    *[]float32
	want      int
}

// arrays are those that follow a unit's predictions, in their order.
func (s shape) arrays(u *signal.Unit) []array {
	list := []array{{"it", "confidences", &u.Confidence, s.cells()}}
	if s.classes <= signal.FullSoftmaxClasses {
		list = append(list, array{"it", "softmax entries", &u.Softmax, s.cells() * s.classes})
	} else {
		list = append(list, array{"it", "true scores", &u.TrueScore, s.cells()})
	}
	for p := range u.Reduced {
		list = append(list, array{"a position", "numbers", &u.Reduced[p], signal.Reducers * s.cells()})
	}
	for v := range u.Distances {
		list = append(list, array{"a vector modality", "distances", &u.Distances[v], signal.Pairs(s.transformations) * s.images})
	}
	return list
}

// empty is a unit of the shape as the engine makes it, without its numbers.
func (s shape) empty() *signal.Unit {
	u := &signal.Unit{
		Chunk: s.chunk, Transformations: s.transformations, Images: s.images, Classes: s.classes, Reduced: make([][]float32, s.positions),
	}
	if s.vectors > 0 {
		u.Distances = make([][]float32, s.vectors)
	}
	return u
}

// bytes is the whole length of a result.
func (s shape) bytes() int64 {
	numbers := int64(s.cells())
	for _, a := range s.arrays(s.empty()) {
		numbers += int64(a.want)
	}
	return int64(resultHead) + floatBytes*numbers + resultSum
}

// ResultLimit is the most bytes that the result of a unit can have, whatever the number of the model's classes; 0 where there is no such unit.
func ResultLimit(spec signal.Spec, chunk, transformations int) int64 {
	s, err := shapeOf(spec, chunk, transformations, signal.FullSoftmaxClasses)
	if err != nil {
		return 0
	}
	return s.bytes()
}

// EncodeResult writes a computed unit of a spec as DecodeResult reads it. Equal units give equal bytes. The error is a unit whose arrays do not
// have the lengths that belong to the spec, or numbers that DecodeResult refuses.
func EncodeResult(spec signal.Spec, u *signal.Unit) ([]byte, error) {
	data, err := AppendResult(nil, spec, u)
	if err == nil {
		if err = checkNumbers(spec, u); err != nil {
			return nil, fmt.Errorf("the result of a unit cannot be sent: %w", err)
		}
	}
	return data, err
}

// AppendResult writes a unit behind what room holds, whatever its numbers are: for who is heard at once.
func AppendResult(room []byte, spec signal.Spec, u *signal.Unit) ([]byte, error) {
	s, err := shapeOf(spec, u.Chunk, u.Transformations, u.Classes)
	if err == nil {
		err = s.fits(u)
	}
	if err != nil {
		return nil, fmt.Errorf("the result of a unit cannot be sent: %w", err)
	}
	data := slices.Grow(room, int(s.bytes()))
	data = append(data, resultMagic...)
	data = append(data, unitKey(spec, u.Chunk)...)
	for _, v := range []int{s.chunk, s.transformations, s.images, s.classes, s.positions, s.vectors} {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	data = AppendNumbers(data, u.Prediction)
	for _, a := range s.arrays(u) {
		data = AppendNumbers(data, *a.values)
	}
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data[len(room):], castagnoli)), nil
}

// unitKey is the unit's name in bytes.
func unitKey(spec signal.Spec, chunk int) []byte {
	key, err := hex.DecodeString(spec.UnitKey(chunk))
	if err != nil {
		panic("wire: a key that is no hexadecimal number: " + err.Error())
	}
	return key
}

// fits says which array of a unit does not have its length.
func (s shape) fits(u *signal.Unit) error {
	if u.Images != s.images || len(u.Reduced) != s.positions || len(u.Distances) != s.vectors {
		return fmt.Errorf("it has %d images, %d positions and %d vector modalities in place of %d, %d and %d",
			u.Images, len(u.Reduced), len(u.Distances), s.images, s.positions, s.vectors)
	}
	if (u.Softmax != nil) == (u.TrueScore != nil) {
		return errors.New("it must have either softmax or true scores")
	}
	if len(u.Prediction) != s.cells() {
		return fmt.Errorf("it has %d predictions in place of %d", len(u.Prediction), s.cells())
	}
	for _, a := range s.arrays(u) {
		if len(*a.values) != a.want {
			return fmt.Errorf("%s has %d %s in place of %d", a.who, len(*a.values), a.what, a.want)
		}
	}
	return nil
}

// DecodeResult reads the result of a unit: chunk of spec under so many transformations. Everything is held against them: version, checksum, the
// unit's key, the lengths of all arrays, predictions against the classes, numbers that must be finite. The error is a sentence. No more memory is
// taken than data has, which may have ResultLimit bytes; the unit may share it, so that it must not change.
func DecodeResult(data []byte, spec signal.Spec, chunk, transformations int) (*signal.Unit, error) {
	u, err := decodeResult(data, spec, chunk, transformations)
	if err != nil {
		return nil, fmt.Errorf("the result of chunk %d of model %.12s cannot be used: %w", chunk, spec.Model, err)
	}
	return u, nil
}

func decodeResult(data []byte, spec signal.Spec, chunk, transformations int) (*signal.Unit, error) {
	want, err := shapeOf(spec, chunk, transformations, signal.FullSoftmaxClasses)
	if err != nil {
		return nil, err
	}
	if len(data) < resultHead+resultSum || int64(len(data)) > want.bytes() {
		return nil, fmt.Errorf("it has %d bytes, and such a result from %d to %d; compute it again", len(data), resultHead+resultSum, want.bytes())
	}
	if err := checkMagic(data, resultMagic, "result of a unit"); err != nil {
		return nil, err
	}
	content, sum := data[:len(data)-resultSum], data[len(data)-resultSum:]
	if crc32.Checksum(content, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return nil, ErrAltered
	}
	c := cursor{rest: content[len(resultMagic):]}
	if string(c.take(sha256.Size)) != string(unitKey(spec, chunk)) {
		return nil, errors.New("it is the result of another unit")
	}
	have := shape{int(c.u32()), int(c.u32()), int(c.u32()), int(c.u32()), int(c.u32()), int(c.u32())}
	if want.classes = have.classes; have != want || have.classes < 1 || have.classes > MaxClasses {
		return nil, fmt.Errorf("it has chunk %d with %d images, %d transformations, %d classes, %d positions and %d vector modalities",
			have.chunk, have.images, have.transformations, have.classes, have.positions, have.vectors)
	}
	if int64(len(data)) != have.bytes() {
		return nil, fmt.Errorf("it has %d bytes in place of %d", len(data), have.bytes())
	}
	u := have.read(&c)
	return u, checkNumbers(spec, u)
}

// read makes the unit.
func (s shape) read(c *cursor) *signal.Unit {
	u := s.empty()
	u.Prediction = readNumbers[int32](c, s.cells())
	for _, a := range s.arrays(u) {
		*a.values = readNumbers[float32](c, a.want)
	}
	return u
}

// checkNumbers says which number cannot be one of a computed unit. The engine lets no signal, distance or confidence pass that is not finite, nor any
// softmax where CONF is a position; in a set without positions it looks at the largest share alone. The confidence is the predicted class's share, and
// shares that are made of logits lie between 0 and 1; those that a model gives itself may be anything.
func checkNumbers(spec signal.Spec, u *signal.Unit) error {
	own := spec.OutputKind == model.Probabilities || spec.OutputKind == model.Sigmoid || spec.OutputKind == model.BinaryProbability
	for i, v := range u.Prediction {
		if v < 0 || int(v) >= u.Classes {
			return fmt.Errorf("it predicts class %d of %d", v, u.Classes)
		}
		if confidence := u.Confidence[i]; !own && finite(confidence) && (confidence < 0 || confidence > 1) {
			return fmt.Errorf("it holds a confidence of %v, where 0 to 1 are possible", confidence)
		}
		if u.Softmax != nil && math.Float32bits(u.Softmax[i*u.Classes+int(v)]) != math.Float32bits(u.Confidence[i]) {
			return fmt.Errorf("it has a confidence of %v, and %v for the class that it predicts", u.Confidence[i], u.Softmax[i*u.Classes+int(v)])
		}
	}
	lists := slices.Concat([][]float32{u.Confidence}, u.Reduced, u.Distances)
	if spec.Position(model.CONF) >= 0 {
		lists = append(lists, u.Softmax, u.TrueScore)
	}
	for _, list := range lists {
		for _, v := range list {
			if !finite(v) {
				return fmt.Errorf("it holds %v where a number must be", v)
			}
		}
	}
	for _, list := range [][]float32{u.Softmax, u.TrueScore} {
		for _, v := range list {
			if !own && !(v >= 0 && v <= 1) {
				return fmt.Errorf("it holds a share of %v, where 0 to 1 are possible", v)
			}
		}
	}
	return nil
}

// finite tells a number from what is infinite or none.
func finite(v float32) bool { return math.Float32bits(v)&exponent != exponent }

// exponent are the bits that are all set where a float32 is infinite or no number.
const exponent = 0x7f800000
