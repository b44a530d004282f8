package present

import (
	"fmt"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/ui/words"
)

// Corruption is the name of a corruption, or of another kind of change (derive.Change), for people; one that is not known here is
// shown as the engine writes it.
func Corruption(name string) string {
	switch name {
	case "gaussian_noise":
		return words.T("gaussian noise")
	case "shot_noise":
		return words.T("shot noise")
	case "impulse_noise":
		return words.T("impulse noise")
	case "defocus_blur":
		return words.T("defocus blur")
	case "glass_blur":
		return words.T("glass blur")
	case "motion_blur":
		return words.T("motion blur")
	case "zoom_blur":
		return words.T("zoom blur")
	}
	return weather(name)
}

func weather(name string) string {
	switch name {
	case "snow":
		return words.T("snow")
	case "frost":
		return words.T("frost")
	case "fog":
		return words.T("fog")
	case "brightness":
		return words.T("brightness")
	case "contrast":
		return words.T("contrast")
	case "elastic":
		return words.T("elastic")
	case "pixelate":
		return words.T("pixelate")
	case "jpeg":
		return words.T("jpeg")
	}
	var n, again, t int
	if k, err := fmt.Sscanf(name, "shifted %dx%d t%d", &n, &again, &t); err == nil && k == 3 {
		return words.F("shifted %d × %d, t = %d", n, n, t)
	}
	return corrupt.Title(name)
}
