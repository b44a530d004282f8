package images

import (
	"fmt"
	"image"
	"path"
	"strconv"

	"fyne.io/fyne/v2/theme"

	"github.com/variscope/variscope/engine/result"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
)

// cards is the look of the cards: the pair that differs, what the model says about both, and how
// much that counts.
var cards = picture.Style{Pictures: 2, Side: 84, Pad: 5, Below: 2, Close: 1, Words: 6, Room: 13}

// content is what the card of an entry shows.
func (d Details) content(pictures [2]image.Image) (f picture.Content) {
	for side, guess := range d.Guesses {
		lines := []picture.Text{{Words: d.V[side]}}
		if guess.Class != "" {
			lines[0].Words += "   " + result.Share.Say(guess.Confidence, 0)
			lines = append(lines, picture.Text{Words: guess.Class + guess.Verdict.Mark(), Colour: guess.Verdict.Colour()})
		}
		f.Sides = append(f.Sides, picture.Side{Picture: pictures[side], Lines: lines})
	}
	say := func(words string, faint bool) {
		text := picture.Text{Words: words, Bold: len(f.Words) == 0}
		if faint {
			text.Colour = theme.ColorNamePlaceHolder
		}
		f.Words = append(f.Words, text)
	}
	say("# "+strconv.Itoa(d.Image), false)
	if d.Class != "" {
		say(d.Class, true)
	} else {
		say(path.Base(d.Name), true)
	}
	say(fmt.Sprintf("dif %s", result.Significant(d.D, 3)), false)
	if !d.Excluded {
		say(shareText(d.Share), false)
		say(fmt.Sprintf("Σ %s", result.Share.Say(d.Sum, 0)), true)
	}
	remark := ""
	switch {
	case d.Excluded:
		remark = "excluded"
	case d.Flagged:
		remark = "extreme"
	default:
		return f
	}
	f.Words = append(f.Words, picture.Text{Words: remark, Colour: theme.ColorNameWarning, Bold: true})
	return f
}
