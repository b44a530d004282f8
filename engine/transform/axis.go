package transform

import "math"

// Axis is the name and the unit of what stands along a figure over the transformations of a family
// or set with this canonical text.
func Axis(text string) (name, unit string) {
	f, err := ParseAny(text)
	switch {
	case err == nil && f.Name() == Rot90:
		return "turned by", "°"
	case err == nil && f.Name() == ShiftSet:
		return "shifted to region", ""
	case err != nil || f.IsSet():
		return "transformation", ""
	}
	return "V: " + f.Name(), f.Unit()
}

// AxisAt is where a transformation, by its number and the value of its sampling variable, stands on
// that axis: at the value, at its degrees for turns, else, and where the value is NaN, at its
// number.
func AxisAt(text string, v float64, number int) float64 {
	switch {
	case !math.IsNaN(v):
		return v
	case text == Rot90:
		return 90 * float64(number)
	}
	return float64(number)
}
