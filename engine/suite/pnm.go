package suite

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"strconv"
)

// pnm is a Netpbm image: PBM (P1, P4), PGM (P2, P5) or PPM (P3, P6).
type pnm struct {
	kind                byte // '1' to '6'
	width, height, most int  // most is the value of white
	data                []byte
}

var errPNM = errors.New("its header needs width, height and the largest value, 1 to 65535")

func isPNM(b []byte) bool {
	return len(b) > 2 && b[0] == 'P' && b[1] >= '1' && b[1] <= '6' && (isSpace(b[2]) || b[2] == '#')
}

func isSpace(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// skipBlanks cuts off blanks and comments.
func skipBlanks(data []byte) []byte {
	for len(data) > 0 && (isSpace(data[0]) || data[0] == '#') {
		if comment := data[0] == '#'; comment {
			data = data[max(bytes.IndexAny(data, "\r\n"), 0):]
			if data[0] == '#' { // it never ends
				return nil
			}
		}
		data = data[1:]
	}
	return data
}

// pnmToken cuts the first word off, without blanks and comments before it, and the one blank
// behind it.
func pnmToken(data []byte) (word string, rest []byte) {
	data = skipBlanks(data)
	end := 0
	for end < len(data) && !isSpace(data[end]) && data[end] != '#' {
		end++
	}
	word, rest = string(data[:end]), data[end:]
	if len(rest) > 0 && rest[0] != '#' {
		rest = rest[1:]
	}
	return word, rest
}

func openPNM(data []byte) (pnm, error) {
	p := pnm{kind: data[1], most: 1, data: data[2:]}
	numbers := []*int{&p.width, &p.height, &p.most}
	if p.kind == '1' || p.kind == '4' {
		numbers = numbers[:2]
	}
	for _, n := range numbers {
		var word string
		word, p.data = pnmToken(p.data)
		v, err := strconv.ParseUint(word, 10, 31)
		if err != nil {
			return p, errPNM
		}
		*n = int(v)
	}
	if p.most < 1 || p.most > 65535 {
		return p, errPNM
	}
	return p, nil
}

func headerOfPNM(data []byte) (header, error) {
	p, err := openPNM(data)
	return header{Point: image.Pt(p.width, p.height), bytes: p.channels() * bytesGray}, err
}

func (p *pnm) channels() int {
	if p.kind == '3' || p.kind == '6' {
		return 3
	}
	return 1
}

// decodePNM reads all six kinds. Values of up to 8 bits are rounded to levels of 255 as Pillow
// does, larger ones are shares of the largest value.
func decodePNM(data []byte, c *clock) (Image, error) {
	p, err := openPNM(data)
	if err != nil {
		return Image{}, err
	}
	channels := p.channels()
	count, least := channels*p.height*p.width, 0 // least bytes that the values take
	switch {
	case p.kind == '4':
		least = (p.width + 7) / 8 * p.height
	case p.kind >= '5' && p.most > 255:
		least = 2 * count
	default:
		least = count
	}
	if len(p.data) < least {
		return Image{}, fmt.Errorf("it has %d bytes of pixels, %d are needed", len(p.data), least)
	}
	return fromRows(image.Pt(p.width, p.height), channels, c, func(line [][3]float32, y int) error {
		for x := range line {
			for c := range channels {
				v, err := p.value((y*p.width+x)*channels + c)
				if err != nil {
					return err
				}
				line[x][c] = p.share(v)
			}
		}
		return nil
	})
}

// value is value i in the order of the file; those of the text kinds have to be asked for one
// after the other.
func (p *pnm) value(i int) (int, error) {
	switch p.kind {
	case '4':
		y, x := i/p.width, i%p.width
		return 1 - int(p.data[y*((p.width+7)/8)+x/8]>>(7-x%8)&1), nil
	case '5', '6':
		if p.most > 255 {
			return min(int(p.data[2*i])<<8|int(p.data[2*i+1]), p.most), nil
		}
		return min(int(p.data[i]), p.most), nil
	}
	var word string
	if p.kind == '1' { // the digits need no blanks between them
		p.data = skipBlanks(p.data)
		n := min(1, len(p.data))
		word, p.data = string(p.data[:n]), p.data[n:]
	} else {
		word, p.data = pnmToken(p.data)
	}
	v, err := strconv.ParseUint(word, 10, 31)
	if err != nil || int(v) > p.most {
		return 0, fmt.Errorf("value %d is %.20q, not a number from 0 to %d", i+1, word, p.most)
	}
	if p.kind == '1' {
		return 1 - int(v), nil
	}
	return int(v), nil
}

func (p *pnm) share(v int) float32 {
	if p.most <= 255 {
		return levels[int(math.RoundToEven(float64(v)/float64(p.most)*255))]
	}
	return float32(float64(v) / float64(p.most))
}
