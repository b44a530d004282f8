// Package wire is how units of work travel between machines: the description of a unit (Order), the images of its chunk (Pack) and what was
// computed (EncodeResult, DecodeResult). It is pure: bytes and readers in, values out.
//
// What comes from another machine is never believed. An order says what is computed, in values that are checked one by one; it holds no code and
// no path. Everything declared is held against the bytes that are there before memory is taken for it, and what is wrong is said in a sentence.
// Whole objects are named by their SHA-256 (Blob); who receives one checks it with Blob.Check before opening it.
//
// Numbers are little-endian; u8, u16, u32 and u64 are unsigned, f32 and f64 are IEEE floats.
//
// # Order
//
// One JSON object, as encoding/json writes an Order, with "wire": 1 in front: no spaces, the fields in the order of the structs, unknown ones
// refused. Every order has one text only. Its spec is signal.Spec as it is hashed for keys, so that the key of what was read is that of what was
// written.
//
// # Pack
//
//	"variscope pack 1"
//	per image of the chunk: its pixels; in packs with scenes then its mask, one bit per pixel, row by row, bit 0 of a byte first, the rest 0
//	per background, by ascending number: its pixels
//	the index
//	u64 length of the index
//	"pack end"
//
// The index stands at the end, so that images are read once and written as they come. It holds
//
//	u64 images of the whole source, u64 number of the first image here, u32 images here, u8 1 with scenes, else 0
//	per image: u16 length of its name, name (UTF-8), u32 label (0xFFFFFFFF for none), picture
//	with scenes: 32 bytes hash of the selection, f64 feather, u8 alignment (0 keep, 1 centre, 2 ground), u32 N scenes per target,
//	u32 backgrounds; per background u32 its number in the suite of backgrounds, picture; then per image and scene u32 which of these backgrounds
//
// where a picture is u8 channels, u32 height, u32 width, u8 coding. Coding 0 is a byte b per value, which stands for the float32 b/255; coding 1
// is an f32 per value. Values lie channel by channel, row by row. Where pixels and masks lie follows from their sizes, without gaps.
//
// # Result
//
//	"variscope unit 3"; form 1 had eight reducers, form 2 ended with a SHA-256
//	32 bytes key of the unit (signal.Spec.UnitKey)
//	u32 chunk, transformations, images, classes, positions, vector modalities
//	prediction T x n u32; confidence T x n f32
//	up to signal.FullSoftmaxClasses classes: softmax T x n x classes f32, above: true score T x n f32
//	per position: its reducers, signal.Reducers x T x n f32; per vector modality: its distances, pairs x n f32
//	u32 CRC-32C of everything before
package wire

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The most that may travel.
const (
	MaxOrder  = 1 << 20 // bytes of an order's text
	MaxModel  = 2 << 30 // bytes of a model file
	MaxPack   = 1 << 30 // bytes of a pack
	MaxResult = 1 << 30 // bytes of a result
)

// The bounds of what is described.
const (
	// MaxImages is the largest number of images of a source.
	MaxImages = 1 << 28
	// MaxClasses is the largest number of classes of a model, and of labels of a source.
	MaxClasses = 1 << 20
	// MaxValues is the most values of one image of a pack: red, green and blue of 22 million pixels.
	MaxValues = 64 << 20
	// MaxTransformations is the largest number of transformations of a unit.
	MaxTransformations = 1 << 12
)

// Blob names an object by its content: what travels beside an order.
type Blob struct {
	SHA256 string `json:"sha256"` // 64 lower-case hexadecimal digits
	Size   int64  `json:"size"`   // bytes
}

// BlobOf reads everything of r and names it.
func BlobOf(r io.Reader) (Blob, error) {
	sum := sha256.New()
	n, err := io.Copy(sum, r)
	return Blob{SHA256: hex.EncodeToString(sum.Sum(nil)), Size: n}, err
}

// ErrAltered says that an object is not what its name says.
var ErrAltered = errors.New("it was cut off or changed on the way; send it again")

// Check reads r and says whether it is the object that b names: an error that wraps ErrAltered, or one of reading. It reads one byte more
// than b has at most.
func (b Blob) Check(r io.Reader) error {
	got, err := BlobOf(io.LimitReader(r, b.Size+1))
	switch {
	case err != nil:
		return fmt.Errorf("object %.12s: %w", b.SHA256, err)
	case got.Size > b.Size:
		return fmt.Errorf("object %.12s has more than its %d bytes: %w", b.SHA256, b.Size, ErrAltered)
	case got.Size < b.Size:
		return fmt.Errorf("object %.12s has %d bytes in place of %d: %w", b.SHA256, got.Size, b.Size, ErrAltered)
	case got.SHA256 != b.SHA256:
		return fmt.Errorf("object %.12s has other content, %.12s: %w", b.SHA256, got.SHA256, ErrAltered)
	}
	return nil
}

// CheckPack says why b cannot name a pack: what an order's check says of it, without the rest of the order.
func (b Blob) CheckPack() error { return b.check("the pack of images", MaxPack) }

// check says what is wrong with a blob that an order names.
func (b Blob) check(what string, most int64) error {
	if err := checkHash(what, b.SHA256); err != nil {
		return err
	}
	if b.Size < 1 || b.Size > most {
		return fmt.Errorf("%s has %d bytes; from 1 to %d can travel", what, b.Size, most)
	}
	return nil
}

// hashDigits are the digits of a SHA-256.
const hashDigits = 2 * sha256.Size

func checkHash(what, hash string) error {
	if len(hash) != hashDigits || strings.Trim(hash, "0123456789abcdef") != "" {
		return fmt.Errorf("%s is named %.80q, which is no SHA-256 in %d lower-case hexadecimal digits", what, hash, hashDigits)
	}
	return nil
}

// Plain is a text of others as it can be shown: one line of at most so many bytes, with a space or a mark in place of
// what is not seen.
func Plain(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r):
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return unicode.ReplacementChar
	}, text) // also makes it UTF-8
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "")
	}
	return text
}

// checkText says what is wrong with a name: too long, no UTF-8, control characters.
func checkText(what, text string, most int) error {
	switch {
	case len(text) > most:
		return fmt.Errorf("%s has %d bytes; at most %d can travel", what, len(text), most)
	case !utf8.ValidString(text):
		return fmt.Errorf("%s %.80q is no UTF-8", what, text)
	case strings.ContainsFunc(text, unicode.IsControl):
		return fmt.Errorf("%s %.80q holds control characters", what, text)
	}
	return nil
}
