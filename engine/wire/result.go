package wire

import (
	"bytes"
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
	"github.com/variscope/variscope/engine/transform"
)

// resultMagic begins a result; its last byte is the version.
const resultMagic = "variscope unit 3"

// resultHead is what stands before the arrays: the beginning, the unit's key and its shape.
const resultHead = len(resultMagic) + sha256.Size + 6*4

// castagnoli makes the sum that stands behind them. It finds what was cut off or changed on the
// way; who wants to send wrong numbers could make a right one of any kind, and a hash that
// withstands more would take more than all else that a result costs.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// shape is what the lengths of a unit's arrays follow from: the rules of the engine that makes
// units and of the store that keeps them.
type shape struct {
	Chunk, Transformations, Images, Classes, Positions, Vectors uint32
}

// shapeOf is the shape of a spec's unit; the classes are the result's own.
func shapeOf(spec signal.Spec, chunk, transformations, classes int) (shape, error) {
	if spec.Images < 1 || spec.Images > MaxImages || chunk < 0 || chunk >= spec.Chunks() {
		return shape{}, fmt.Errorf("there is no chunk %d of %d images", chunk, spec.Images)
	}
	if transformations < 1 || transformations > transform.MaxTransformations || classes < 1 || classes > MaxClasses {
		return shape{}, fmt.Errorf("there are %d transformations and %d classes; from 1 to %d and %d are possible",
			transformations, classes, transform.MaxTransformations, MaxClasses)
	}
	_, images := spec.ChunkImages(chunk)
	return shape{
		Chunk: uint32(chunk), Transformations: uint32(transformations),
		Images: uint32(images), Classes: uint32(classes),
		Positions: uint32(len(spec.Positions)), Vectors: uint32(len(spec.Vectors)),
	}, nil
}

// cells is T x n.
func (s shape) cells() int { return int(s.Transformations) * int(s.Images) }

// array is one array of a unit, and how many numbers it must have.
type array struct {
	values *[]float32
	want   int
}

// arrays are those that follow a unit's predictions, in their order.
func (s shape) arrays(u *signal.Unit) []array {
	list := []array{{&u.Confidence, s.cells()}}
	if s.Classes <= signal.FullSoftmaxClasses {
		list = append(list, array{&u.Softmax, s.cells() * int(s.Classes)})
	} else {
		list = append(list, array{&u.TrueScore, s.cells()})
	}
	for p := range u.Reduced {
		list = append(list, array{&u.Reduced[p], signal.Reducers * s.cells()})
	}
	for v := range u.Distances {
		list = append(list, array{&u.Distances[v], signal.Pairs(int(s.Transformations)) * int(s.Images)})
	}
	return list
}

// empty is a unit of the shape as the engine makes it, without its numbers.
func (s shape) empty() *signal.Unit {
	u := &signal.Unit{
		Chunk: int(s.Chunk), Transformations: int(s.Transformations), Images: int(s.Images), Classes: int(s.Classes),
		Reduced: make([][]float32, s.Positions),
	}
	if s.Vectors > 0 {
		u.Distances = make([][]float32, s.Vectors)
	}
	return u
}

// bytes is the whole length of a result.
func (s shape) bytes() int64 {
	numbers := int64(s.cells())
	for _, a := range s.arrays(s.empty()) {
		numbers += int64(a.want)
	}
	return int64(resultHead) + floatBytes*numbers + crc32.Size
}

// ResultLimit is the most bytes that the result of a unit can have, whatever the number of the
// model's classes; 0 where there is no such unit.
func ResultLimit(spec signal.Spec, chunk, transformations int) int64 {
	s, err := shapeOf(spec, chunk, transformations, signal.FullSoftmaxClasses)
	if err != nil {
		return 0
	}
	return s.bytes()
}

// EncodeResult writes a computed unit of a spec as DecodeResult reads it. Equal units give equal
// bytes. The error is a unit whose arrays do not have the lengths that belong to the spec, or
// numbers that DecodeResult refuses.
func EncodeResult(spec signal.Spec, u *signal.Unit) ([]byte, error) {
	data, err := AppendResult(nil, spec, u)
	if err == nil {
		if err = checkNumbers(spec, u); err != nil {
			return nil, fmt.Errorf("the result of a unit cannot be sent: %w", err)
		}
	}
	return data, err
}

// AppendResult writes a unit behind what room holds, whatever its numbers are: for who is heard at
// once.
func AppendResult(room []byte, spec signal.Spec, u *signal.Unit) ([]byte, error) {
	s, err := shapeOf(spec, u.Chunk, u.Transformations, u.Classes)
	data := slices.Grow(room, int(s.bytes()))
	data = append(data, resultMagic...)
	data = append(data, unitKey(spec, u.Chunk)...)
	data, _ = binary.Append(data, binary.LittleEndian, s) // its size is known
	data = append(data, Bytes(u.Prediction)...)
	whole := len(u.Prediction) == s.cells()
	for _, a := range s.arrays(u) {
		data = append(data, Bytes(*a.values)...)
		whole = whole && len(*a.values) == a.want
	}
	data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data[len(room):], castagnoli))
	if err == nil && (!whole || int64(len(data)-len(room)) != s.bytes()) {
		err = errors.New("its arrays do not have the lengths that belong to its spec")
	}
	if err != nil {
		return nil, fmt.Errorf("the result of a unit cannot be sent: %w", err)
	}
	return data, nil
}

// unitKey is the unit's name in bytes.
func unitKey(spec signal.Spec, chunk int) []byte {
	key, _ := hex.DecodeString(spec.UnitKey(chunk)) // it is a hash
	return key
}

// DecodeResult reads the result of a unit: chunk of spec under so many transformations. Everything
// is held against them: version, checksum, the unit's key, the lengths of all arrays, predictions
// against the classes, numbers that must be finite. The error is a sentence. No more memory is
// taken than data has, which may have ResultLimit bytes; the unit may share it, so that it must
// not change.
func DecodeResult(data []byte, spec signal.Spec, chunk, transformations int) (*signal.Unit, error) {
	u, err := decodeResult(data, spec, chunk, transformations)
	if err != nil {
		return nil, fmt.Errorf("the result of chunk %d of model %.12s cannot be used: %w", chunk, spec.Model, err)
	}
	return u, nil
}

func decodeResult(data []byte, spec signal.Spec, chunk, transformations int) (*signal.Unit, error) {
	if !bytes.HasPrefix(data, []byte(resultMagic)) {
		return nil, fmt.Errorf("it does not begin with %q; "+
			"use the same version of Variscope on all machines", resultMagic)
	}
	content, sum := data[:len(data)-crc32.Size], data[len(data)-crc32.Size:]
	if len(content) < resultHead || crc32.Checksum(content, castagnoli) != binary.LittleEndian.Uint32(sum) {
		return nil, ErrAltered
	}
	rest, same := bytes.CutPrefix(content[len(resultMagic):], unitKey(spec, chunk))
	if !same {
		return nil, errors.New("it is the result of another unit")
	}
	var have shape
	n, _ := binary.Decode(rest, binary.LittleEndian, &have) // there are enough bytes
	rest = rest[n:]
	switch want, err := shapeOf(spec, chunk, transformations, int(have.Classes)); {
	case err != nil:
		return nil, err
	case have != want:
		return nil, fmt.Errorf("it has chunk %d with %d images, %d transformations, %d classes, %d positions and %d "+
			"vector modalities",
			have.Chunk, have.Images, have.Transformations, have.Classes, have.Positions, have.Vectors)
	case int64(len(data)) != have.bytes():
		return nil, fmt.Errorf("it has %d bytes in place of %d", len(data), have.bytes())
	}
	u, predictions := have.empty(), floatBytes*have.cells()
	u.Prediction = readNumbers[int32](rest[:predictions])
	floats := readNumbers[float32](rest[predictions:])
	for _, a := range have.arrays(u) {
		*a.values, floats = floats[:a.want:a.want], floats[a.want:]
	}
	return u, checkNumbers(spec, u)
}

// checkNumbers says which number cannot be one of a computed unit. The engine lets no signal,
// distance or confidence pass that is not finite, nor any softmax where CONF is a position; in a
// set without positions it looks at the largest share alone. The confidence is the predicted
// class's share, and shares that are made of logits lie between 0 and 1; those that a model gives
// itself may be anything.
func checkNumbers(spec signal.Spec, u *signal.Unit) error {
	for i, v := range u.Prediction {
		if v < 0 || int(v) >= u.Classes {
			return fmt.Errorf("it predicts class %d of %d", v, u.Classes)
		}
		if u.Softmax != nil && math.Float32bits(u.Softmax[i*u.Classes+int(v)]) != math.Float32bits(u.Confidence[i]) {
			return fmt.Errorf("it has a confidence of %v, and %v for the class that it predicts", u.Confidence[i],
				u.Softmax[i*u.Classes+int(v)])
		}
	}
	shares := [][]float32{u.Confidence, u.Softmax, u.TrueScore}
	numbers := slices.Concat(shares[:1], u.Reduced, u.Distances)
	if spec.Position(model.CONF) >= 0 {
		numbers = append(numbers, shares[1:]...)
	}
	for _, list := range numbers {
		for _, v := range list {
			if math.Float32bits(v)&exponent == exponent {
				return fmt.Errorf("it holds %v where a number must be", v)
			}
		}
	}
	switch spec.OutputKind {
	case model.Probabilities, model.Sigmoid, model.BinaryProbability:
		return nil
	}
	for _, list := range shares {
		for _, v := range list {
			if !(v >= 0 && v <= 1) {
				return fmt.Errorf("it holds a share of %v, where 0 to 1 are possible", v)
			}
		}
	}
	return nil
}

// exponent are the bits that are all set where a float32 is infinite or no number.
const exponent = 0x7f800000
