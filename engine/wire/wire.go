// Package wire is how units of work travel between machines: the description of a unit (Order),
// the images of its chunk (Pack) and what was computed (EncodeResult, DecodeResult). It is pure:
// bytes and readers in, values out.
//
// What comes from another machine is never believed. An order holds no code and no path, and its
// values are checked one by one; what is declared is held against the bytes that are there before
// memory is taken for it. Models and packs are named by their SHA-256 (Blob); who receives one
// checks it with Blob.Check before opening it.
//
// Numbers are little-endian: i32 and i64 with a sign, u32 without, f32 and f64 IEEE floats.
//
// # Order
//
// One JSON object, byte by byte as encoding/json writes an Order, so that every order has one
// text. Its spec is signal.Spec as it is hashed for keys: what was read has the key of what was
// written.
//
// # Pack
//
//	per image of the chunk: its pixels; with scenes then its mask, one bit per pixel, row by row,
//	bit 0 of a byte first, the rest 0
//	per background, by ascending number: its pixels
//	the index: per image, then per background: i32 label (-1 for none) or number in its suite,
//	channels, height, width, bytes per value
//	per image and scene: i32 which of these backgrounds
//	the names of the images in UTF-8, a line feed between two
//	i64 images of the whole source, number of the first one here, images here, scenes per image,
//	backgrounds, bytes of the names, alignment (0 keep, 1 centre, 2 ground); f64 feather; 32 bytes
//	hash of the selection; without scenes the latter are 0
//	"variscope pack 2"; form 1 had an index of another form
//
// A value of one byte b stands for the float32 b/255; one of four is an f32. They lie channel by
// channel, row by row. The index stands at the end, so that images are read once and written as
// they come; where their values lie follows from their sizes, without gaps.
//
// # Result
//
//	"variscope unit 3"; form 1 had eight reducers, form 2 ended with a SHA-256
//	32 bytes key of the unit (signal.Spec.UnitKey)
//	u32 chunk, transformations, images, classes, positions, vector modalities
//	prediction T x n i32; confidence T x n f32
//	softmax T x n x classes f32, above signal.FullSoftmaxClasses classes true score T x n f32
//	per position: its reducers, signal.Reducers x T x n f32
//	per vector modality: its distances, pairs x n f32
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
	MaxImages  = 1 << 28  // of a source
	MaxClasses = 1 << 20  // of a model, and labels of a source
	MaxValues  = 64 << 20 // of one image: red, green and blue of 22 million pixels
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

// Check reads r and says whether it is the object that b names: an error that wraps ErrAltered, or
// one of reading. It reads one byte more than b has at most.
func (b Blob) Check(r io.Reader) error {
	got, err := BlobOf(io.LimitReader(r, b.Size+1))
	if err == nil && got != b {
		err = ErrAltered
	}
	if err != nil {
		return fmt.Errorf("object %.12s of %d bytes: %w", b.SHA256, b.Size, err)
	}
	return nil
}

// CheckPack says why b cannot name a pack.
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

func checkHash(what, hash string) error {
	if len(hash) != 2*sha256.Size || strings.Trim(hash, "0123456789abcdef") != "" {
		return fmt.Errorf("%s is named %.80q, which is no SHA-256 in %d lower-case hexadecimal digits",
			what, hash, 2*sha256.Size)
	}
	return nil
}

// Plain is a text of others as it can be shown: one line of at most so many bytes, with a space or
// a mark in place of what is not seen.
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
	return strings.ToValidUTF8(text[:min(len(text), most)], "")
}

// checkText says what is wrong with a name.
func checkText(text string, most int) error {
	if len(text) > most || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("the name %.80q has %d bytes; up to %d in UTF-8 without control characters can travel", text,
			len(text), most)
	}
	return nil
}
