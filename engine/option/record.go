package option

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
	"time"
)

// Setting is one option as it was used. Name is the option's name in snake case, min_support.
// Value is a string, bool, int64, uint64, float64, or a list of these as []any; nil where nothing
// was given. Times are texts such as 6h; numbers that are not finite are nil.
type Setting struct {
	Name  string
	Value any
}

// Settings are recorded options in the order of their declaration. In JSON they are one object.
type Settings []Setting

// Record returns every setting of a pointer to a struct, defaults too, for documents and files
// about how a result was made. Later changes of the struct do not change it.
func Record(options any) Settings {
	var settings Settings
	for _, f := range Fields(options) {
		settings = append(settings, Setting{strings.ReplaceAll(f.Name, "-", "_"), f.recorded()})
	}
	return settings
}

// recorded is the value as Setting has it.
func (f Field) recorded() any {
	values := []any{}
	for _, e := range f.elements(f.value) {
		switch kind := e.Kind(); {
		case e.Type() == reflect.TypeFor[time.Duration](), kind == reflect.String:
			values = append(values, written(e))
		case kind == reflect.Bool:
			values = append(values, e.Bool())
		case e.CanInt():
			values = append(values, e.Int())
		case e.CanUint():
			values = append(values, e.Uint())
		case math.IsNaN(e.Float()) || math.IsInf(e.Float(), 0):
			values = append(values, nil)
		default:
			values = append(values, e.Float())
		}
	}
	switch {
	case f.List:
		return values
	case len(values) == 0:
		return nil
	}
	return values[0]
}

// MarshalJSON writes an object with a member for each setting, in their order.
func (s Settings) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, one := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", one.Name)
		if err := encoder.Encode(one.Value); err != nil {
			return nil, fmt.Errorf("setting %s: %w", one.Name, err)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
