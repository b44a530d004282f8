package suite

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// The limits of what a pickle of CIFAR may hold. Its pixels are not counted: they are passed over.
const (
	maxPickled     = 1 << 21 // values, CIFAR has some 100,000
	maxPickledText = 1 << 12 // bytes of a text that is kept; of a longer one only the place is
)

// A pickle is a program for Python's machine. unpickle runs the few of its instructions that
// CIFAR's files consist of, in protocols 2 to 5, and knows of all functions only those by which
// NumPy makes an array; it calls none. Everything else is refused by name.
type unpickle struct {
	in    *bufio.Reader
	at    int64 // bytes read
	stack []any
	marks []int // heights of the stack
	memo  map[uint32]any
	made  int // values so far
}

// What a pickle's values become; whole numbers are int64, None is nil.
type (
	pickledText struct { // bytes or characters
		at, size int64  // where in the file
		text     string // "" for a long one
	}
	pickledList  struct{ items []any }
	pickledTuple []any
	pickledDict  struct{ items map[string]any }
	pickledName  string // of a function or class
	pickledType  string // of an array's numbers, "u1"
	pickledArray struct {
		shape     []int64
		kind      pickledType
		byColumns bool
		data      pickledText
	}
)

// readPickle reads a pickled dict with texts as keys. The error does not name the file.
func readPickle(in io.Reader) (map[string]any, error) {
	u := &unpickle{in: bufio.NewReaderSize(in, 1<<16), memo: map[uint32]any{}}
	for {
		op, err := u.in.ReadByte()
		if err != nil {
			return nil, fmt.Errorf("is truncated: %w", noEOF(err))
		}
		u.at++
		if op == '.' {
			break
		}
		if err := u.step(op); err != nil {
			return nil, err
		}
		if u.made++; u.made > maxPickled {
			return nil, fmt.Errorf("is a pickle of more than %d values, which no file of CIFAR has", maxPickled)
		}
	}
	if len(u.stack) == 1 {
		if d, ok := u.stack[0].(*pickledDict); ok {
			return d.items, nil
		}
	}
	return nil, errors.New("is a pickle, but no dict as CIFAR's files are")
}

var errPickle = errors.New("is a damaged pickle")

// number reads an unsigned number of so many bytes.
func (u *unpickle) number(bytes int) (uint64, error) {
	raw := make([]byte, 8)
	if _, err := io.ReadFull(u.in, raw[:bytes]); err != nil {
		return 0, fmt.Errorf("is truncated: %w", noEOF(err))
	}
	u.at += int64(bytes)
	return binary.LittleEndian.Uint64(raw), nil
}

func (u *unpickle) line() (string, error) {
	line, err := u.in.ReadSlice('\n')
	if err != nil {
		return "", errPickle
	}
	u.at += int64(len(line))
	return strings.TrimSuffix(string(line), "\n"), nil
}

// text reads a text with its length before it, in so many bytes.
func (u *unpickle) text(bytes int) error {
	size, err := u.number(bytes)
	if err != nil {
		return err
	}
	if size > math.MaxInt32 {
		return fmt.Errorf("declares a text of %d bytes, which cannot be right", size)
	}
	t := pickledText{at: u.at, size: int64(size)}
	if size <= maxPickledText {
		raw := make([]byte, size)
		_, err = io.ReadFull(u.in, raw)
		t.text = string(raw)
	} else {
		_, err = io.CopyN(io.Discard, u.in, int64(size))
	}
	if err != nil {
		return fmt.Errorf("is truncated: %w", noEOF(err))
	}
	u.at += int64(size)
	u.push(t)
	return nil
}

func (u *unpickle) push(v any) { u.stack = append(u.stack, v) }

// pop takes the last n values.
func (u *unpickle) pop(n int) ([]any, error) {
	floor := 0
	if len(u.marks) > 0 {
		floor = u.marks[len(u.marks)-1]
	}
	if len(u.stack)-n < floor {
		return nil, errPickle
	}
	taken := slices.Clone(u.stack[len(u.stack)-n:])
	u.stack = u.stack[:len(u.stack)-n]
	return taken, nil
}

// marked takes the values since the last mark, and the mark.
func (u *unpickle) marked() ([]any, error) {
	if len(u.marks) == 0 {
		return nil, errPickle
	}
	taken, err := u.pop(len(u.stack) - u.marks[len(u.marks)-1])
	u.marks = u.marks[:len(u.marks)-1]
	return taken, err
}

// step does one instruction.
func (u *unpickle) step(op byte) error {
	var v any
	var n uint64
	var taken []any
	var err error
	switch op {
	case 0x80: // the protocol
		if n, err = u.number(1); err == nil && (n < 2 || n > 5) {
			err = fmt.Errorf("is a pickle of protocol %d; protocols 2 to 5 are read", n)
		}
		return err
	case 0x95: // a frame
		_, err = u.number(8)
		return err
	case '(':
		u.marks = append(u.marks, len(u.stack))
		return nil
	case 'U', 'C', 0x8c:
		return u.text(1)
	case 'T', 'B', 'X':
		return u.text(4)
	case 0x8d, 0x8e, 0x96:
		return u.text(8)
	case 'q', 'r', 0x94: // remember the last value
		n = uint64(len(u.memo))
		if op != 0x94 {
			n, err = u.number(map[byte]int{'q': 1, 'r': 4}[op])
		}
		if err == nil && len(u.stack) == 0 {
			err = errPickle
		}
		if err == nil {
			u.memo[uint32(n)] = u.stack[len(u.stack)-1]
		}
		return err
	case 'h', 'j': // a value that was remembered
		if n, err = u.number(map[byte]int{'h': 1, 'j': 4}[op]); err != nil {
			return err
		}
		v, ok := u.memo[uint32(n)]
		if !ok {
			return errPickle
		}
		u.push(v)
		return nil
	case 'a', 'e', 's', 'u':
		return u.fill(op)
	case 'R', 'b':
		return u.build(op)
	case 'N':
	case 0x88, 0x89:
		v = op == 0x88
	case 'K':
		n, err = u.number(1)
		v = int64(n)
	case 'M':
		n, err = u.number(2)
		v = int64(n)
	case 'J':
		n, err = u.number(4)
		v = int64(int32(n))
	case 0x8a: // a long number of n bytes, with its sign
		if n, err = u.number(1); err == nil && (n < 1 || n > 8) {
			err = errPickle
		}
		if err == nil {
			shift := 64 - 8*n
			n, err = u.number(int(n))
			v = int64(n<<shift) >> shift
		}
	case '}':
		v = &pickledDict{map[string]any{}}
	case ']':
		v = &pickledList{}
	case ')':
		v = pickledTuple{}
	case 't':
		taken, err = u.marked()
		v = pickledTuple(taken)
	case 0x85, 0x86, 0x87:
		taken, err = u.pop(int(op) - 0x84)
		v = pickledTuple(taken)
	case 'c', 0x93:
		v, err = u.name(op)
	default:
		return fmt.Errorf("is a pickle with the instruction 0x%02x, which no file of CIFAR has", op)
	}
	if err != nil {
		return err
	}
	u.push(v)
	return nil
}

// The functions and classes that make an array, under their names in NumPy 1 and 2.
const (
	makeArray  = pickledName("numpy.core.multiarray._reconstruct")
	fromBuffer = pickledName("numpy.core.numeric._frombuffer")
	arrayClass = pickledName("numpy.ndarray")
	typeClass  = pickledName("numpy.dtype")
	encodeText = pickledName("_codecs.encode") // how Python 3 writes bytes in protocol 2
)

func (u *unpickle) name(op byte) (pickledName, error) {
	var module, name string
	var err error
	if op == 'c' {
		if module, err = u.line(); err == nil {
			name, err = u.line()
		}
	} else {
		var both []any
		if both, err = u.pop(2); err == nil {
			module, name = textOf(both[0]), textOf(both[1])
		}
	}
	if err != nil {
		return "", err
	}
	full := pickledName(strings.Replace(module, "numpy._core.", "numpy.core.", 1) + "." + name)
	if !slices.Contains([]pickledName{makeArray, fromBuffer, arrayClass, typeClass, encodeText}, full) {
		return "", fmt.Errorf("is a pickle that names %.100q, which no file of CIFAR does; it is refused, since a "+
			"pickle can run programs", full)
	}
	return full, nil
}

func textOf(v any) string {
	t, _ := v.(pickledText)
	return t.text
}

// fill puts values into a list or dict.
func (u *unpickle) fill(op byte) error {
	var taken []any
	var err error
	switch op {
	case 'a':
		taken, err = u.pop(1)
	case 's':
		taken, err = u.pop(2)
	default:
		taken, err = u.marked()
	}
	if err != nil {
		return err
	}
	if len(u.stack) == 0 {
		return errPickle
	}
	switch into := u.stack[len(u.stack)-1].(type) {
	case *pickledList:
		if op == 'a' || op == 'e' {
			into.items = append(into.items, taken...)
			return nil
		}
	case *pickledDict:
		if op != 's' && op != 'u' || len(taken)%2 != 0 {
			return errPickle
		}
		for i := 0; i < len(taken); i += 2 {
			key, ok := taken[i].(pickledText)
			if !ok || key.text == "" {
				return errors.New("is a pickle of a dict whose keys are not all texts")
			}
			into.items[key.text] = taken[i+1]
		}
		return nil
	}
	return errPickle
}

// build makes an array or its type of a function's arguments, or completes it.
func (u *unpickle) build(op byte) error {
	both, err := u.pop(2)
	if err != nil {
		return err
	}
	arguments, ok := both[1].(pickledTuple)
	if !ok {
		return errPickle
	}
	if op == 'R' {
		v, err := call(both[0], arguments)
		if err != nil {
			return err
		}
		u.push(v)
		return nil
	}
	u.push(both[0])
	switch v := both[0].(type) {
	case pickledType: // its byte order and fields
		return nil
	case *pickledArray:
		if len(arguments) == 5 {
			return v.set(arguments[1], arguments[2], arguments[3] == any(true), arguments[4])
		}
	}
	return errPickle
}

func call(function any, arguments pickledTuple) (any, error) {
	switch {
	case function == any(makeArray) && len(arguments) == 3 && arguments[0] == any(arrayClass):
		return &pickledArray{}, nil
	case function == any(fromBuffer) && len(arguments) == 4:
		v := &pickledArray{}
		return v, v.set(arguments[2], arguments[1], textOf(arguments[3]) == "F", arguments[0])
	case function == any(typeClass) && len(arguments) > 0 && textOf(arguments[0]) != "":
		return pickledType(textOf(arguments[0])), nil
	case function == any(encodeText) && len(arguments) == 2:
		t, ok := arguments[0].(pickledText)
		if ok && t.size > maxPickledText {
			return nil, errors.New("is a pickle of Python 3 in protocol 2, which does not hold the pixels as bytes; " +
				"write it with protocol 4")
		}
		return t, nil
	}
	return nil, errPickle
}

func (v *pickledArray) set(shape, kind any, byColumns bool, data any) error {
	sides, isTuple := shape.(pickledTuple)
	var ok [2]bool
	v.kind, ok[0] = kind.(pickledType)
	v.data, ok[1] = data.(pickledText)
	if !isTuple || !ok[0] || !ok[1] {
		return errPickle
	}
	v.shape, v.byColumns = nil, byColumns
	for _, side := range sides {
		n, ok := side.(int64)
		if !ok {
			return errPickle
		}
		v.shape = append(v.shape, n)
	}
	return nil
}
