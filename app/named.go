package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// named are numbers by name, in an order of their own; in JSON an object, with null for a number
// that is undefined.
type named []namedNumber

type namedNumber struct {
	name  string
	value *float64
}

// MarshalJSON keeps the order.
func (n named) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, one := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		text, err := json.Marshal(one.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", one.name, err)
		}
		out.WriteString(strconv.Quote(one.name) + ":")
		out.Write(text)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// text is a number for people.
func (n namedNumber) text() string {
	if n.value == nil {
		return "-"
	}
	return strconv.FormatFloat(*n.value, 'g', 6, 64)
}

// defined is nil for NaN.
func defined(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	return &v
}
