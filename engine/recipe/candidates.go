package recipe

// Candidate is a recipe that a model of which nothing says one is tried with.
type Candidate struct {
	Name string // for people: "0..255"
	Recipe
}

// Candidates are those of spec section 3 for an input of so many channels, the default first. They
// differ from it by range and order of channels alone.
func Candidates(channels int) []Candidate {
	list := []Candidate{
		{"0..1", Recipe{}},
		{"0..255", Recipe{Range: Range{Scale: 255}}},
		{"-1..1", Recipe{Range: Range{Scale: 2, Shift: -1}}},
	}
	if channels == 3 {
		list = append(list,
			Candidate{"ImageNet's mean and std", Recipe{Range: Range{Mean: imagenetMean, Std: imagenetStd}}},
			Candidate{"blue, green, red", Recipe{Channels: BGR}})
	}
	for k := range list {
		list[k].Geometry = Default()
	}
	return list
}
