package keywords

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	fynewidget "fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/screen/inspect/picture"
	"github.com/variscope/variscope/ui/widget"
)

// ruleBox asks which words are keywords.
type ruleBox struct {
	changed  func(background.Rule)
	usual    *widget.Picker // the paper's rule, that of its code, or another
	share    *widget.Entry  // in percent
	scenes   *widget.Entry
	excluded *widget.Entry
	wrong    *fynewidget.Label
	object   *fyne.Container
	quiet    bool
}

// The keys of the usual rules.
const (
	paperKey   = "paper"
	refcodeKey = "refcode"
	otherKey   = "other"
)

// newRuleBox makes the fields; changed is called with every rule that makes sense, escape when a
// field is left.
func newRuleBox(changed func(background.Rule), escape func()) *ruleBox {
	b := &ruleBox{changed: changed, share: widget.NewEntry(), scenes: widget.NewEntry(), excluded: widget.NewEntry()}
	b.usual = widget.NewPicker(b.choose)
	for _, e := range []*widget.Entry{b.share, b.scenes, b.excluded} {
		e.OnChanged = func(string) { b.edited() }
		e.OnEscape = escape
	}
	b.excluded.SetPlaceHolder("words, parted by commas")
	b.wrong = fynewidget.NewLabel("")
	b.wrong.Importance, b.wrong.Wrapping = fynewidget.WarningImportance, fyne.TextWrapWord
	b.wrong.Hide()
	numbers := container.NewBorder(nil, nil, nil, container.NewHBox(
		fynewidget.NewLabel("scenes"), picture.Wide(numberWidth, b.scenes),
	), container.NewBorder(nil, nil, fynewidget.NewLabel("pixels above %"), nil, picture.Wide(numberWidth, b.share)))
	b.object = container.NewVBox(
		container.NewBorder(nil, nil, fynewidget.NewLabel("rule"), nil, b.usual.Select), numbers,
		container.NewBorder(nil, nil, fynewidget.NewLabel("never"), nil, b.excluded), b.wrong)
	return b
}

// numberWidth is the width of a field for a short number.
const numberWidth = 54

// show shows a rule, unless a field says it already, so that what is being written stays as it is.
func (b *ruleBox) show(r background.Rule) {
	if now, err := b.rule(); err == nil && same(now, r) {
		b.name(r)
		return
	}
	b.quiet = true
	b.share.SetText(strconv.FormatFloat(math.Round(r.Share*1e8)/1e6, 'f', -1, 64))
	b.scenes.SetText(strconv.Itoa(r.Scenes))
	b.excluded.SetText(strings.Join(r.Excluded, ", "))
	b.quiet = false
	b.name(r)
	b.say(nil)
}

// name shows which of the usual rules it is.
func (b *ruleBox) name(r background.Rule) {
	key := otherKey
	list := []widget.Option{{Key: paperKey, Name: "as in the background paper [2]"}, {Key: refcodeKey, Name: "as in the published code"}}
	for k, usual := range []background.Rule{background.PaperRule(), background.RefcodeRule()} {
		if r.Share == usual.Share && r.Scenes == usual.Scenes {
			key = list[k].Key
		}
	}
	if key == otherKey {
		list = append(list, widget.Option{Key: otherKey, Name: "one's own"})
	}
	b.usual.Offer(list, key)
}

// choose takes a usual rule; excluded words stay.
func (b *ruleBox) choose(key string) {
	usual := map[string]background.Rule{paperKey: background.PaperRule(), refcodeKey: background.RefcodeRule()}[key]
	if usual.Scenes == 0 {
		return
	}
	usual.Excluded = splitWords(b.excluded.Text)
	b.show(usual)
	b.changed(usual)
}

func (b *ruleBox) edited() {
	if b.quiet {
		return
	}
	r, err := b.rule()
	b.say(err)
	if err == nil {
		b.name(r)
		b.changed(r)
	}
}

func (b *ruleBox) say(err error) {
	if err == nil {
		b.wrong.Hide()
		return
	}
	b.wrong.SetText(present.Sentence(err))
	b.wrong.Show()
}

// rule is what the fields say. The error is a sentence about them.
func (b *ruleBox) rule() (background.Rule, error) {
	return parseRule(b.share.Text, b.scenes.Text, b.excluded.Text)
}

func parseRule(share, scenes, excluded string) (r background.Rule, err error) {
	percent, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(share), ",", ".", 1), 64)
	if err != nil || !(percent >= 0 && percent < 100) {
		return r, errors.New("the share of the pixels is a number of percent, from 0 to below 100, such as 1")
	}
	r.Share = math.Round(percent*1e6) / 1e8
	if r.Scenes, err = strconv.Atoi(strings.TrimSpace(scenes)); err != nil || r.Scenes < 1 {
		return r, errors.New("the number of scene words per image is a whole number from 1 on")
	}
	r.Excluded = splitWords(excluded)
	return r, r.Check()
}

// splitWords are the words of a list that is parted by commas or semicolons, each once, in the
// order of their letters.
func splitWords(text string) []string {
	return background.Rule{}.Without(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ';' })...).Excluded
}

func same(a, b background.Rule) bool {
	return a.Share == b.Share && a.Scenes == b.Scenes && slices.Equal(a.Excluded, b.Excluded)
}
