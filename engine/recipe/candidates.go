package recipe

// Candidate is what a model is tried with of which nothing says range or channels. Its text says
// these alone, so that a resize that something says stays.
type Candidate struct {
	Name string // for people: "0..255"
	Part
}

// Candidates are those of spec section 3 for an input of so many channels, the default first,
// whose text is empty. An input of whole numbers takes pixels of one range.
func Candidates(channels int, whole bool) []Candidate {
	list := []Candidate{
		{"0..1", Part{}},
		{"0..255", Part{Recipe{Range: Range{Scale: 255}}, OfRange}},
		{"-1..1", Part{Recipe{Range: Range{Scale: 2, Shift: -1}}, OfRange}},
	}
	if whole {
		list = []Candidate{{"0..255", Part{}}}
	}
	if channels == 3 && !whole {
		torch := Recipe{Range: Range{Mean: imagenetMean, Std: imagenetStd}}
		list = append(list, Candidate{"ImageNet's mean and std", Part{torch, OfRange}})
	}
	if channels == 3 {
		list = append(list, Candidate{"blue, green, red", Part{Recipe{Channels: BGR}, OfChannels}})
	}
	return list
}
