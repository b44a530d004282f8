package transform

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
