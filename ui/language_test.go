package ui

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/widget"

	"github.com/variscope/variscope/ui/present"
	"github.com/variscope/variscope/ui/stage"
	"github.com/variscope/variscope/ui/words"
)

// invented is a language in which every text stands in brackets.
const invented = "eo"

const opening, closing = "⟦", "⟧"

// bracket puts a text in brackets and leaves the values in it outside.
func bracket(text string) string {
	for from, at := 0, []int(nil); ; from = at[1] {
		found := valueVerb.FindStringIndex(text[from:])
		if found == nil {
			return opening + text + closing
		}
		at = []int{from + found[0], from + found[1]}
		if value := text[at[0]:at[1]]; value != "%%" {
			text = text[:at[0]] + closing + value + opening + text[at[1]:]
			at[1] += len(closing) + len(opening)
		}
	}
}

var valueVerb = regexp.MustCompile(`%%|` + verb.String())

// speakInvented gives Fyne a translation of every text into the invented language and makes it the desktop's, until the
// test ends.
func speakInvented(t *testing.T) {
	t.Helper()
	texts := readWords(t, baseFile)
	for key, one := range texts {
		if one.Forms == nil {
			texts[key] = text{Text: bracket(one.Text)}
			continue
		}
		forms := map[string]string{}
		for form, words := range one.Forms {
			forms[form] = bracket(words)
		}
		texts[key] = text{Forms: forms}
	}
	data, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // when the desktop speaks its own language again, so that Fyne does too
		if err := lang.AddTranslationsForLocale([]byte(`{"Models": "Models"}`), "en"); err != nil {
			t.Error(err)
		}
	})
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"} {
		t.Setenv(name, invented)
	}
	if err := loadTranslations(); err != nil {
		t.Fatal(err)
	}
	if err := lang.AddTranslationsForLocale(data, invented); err != nil {
		t.Fatal(err)
	}
	languages[invented] = true
	t.Cleanup(func() {
		delete(languages, invented)
		words.Use(nil)
	})
}

func TestTextsComeFromTheTranslation(t *testing.T) {
	speakInvented(t)
	if err := speak(); err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		words.T("Models"):                     "⟦Models⟧",
		words.T("Id"):                         "⟦Id⟧", // a word that the files keep for themselves
		words.T("no such text"):               "no such text",
		present.Counted(1, "model"):           "⟦⟧1⟦ model⟧",
		present.Counted(1234, "model"):        "⟦⟧1,234⟦ models⟧",
		present.Counted(2, "class"):           "⟦⟧2⟦ classes⟧",
		words.F("%s has no key", "Redo"):      "⟦⟧Redo⟦ has no key⟧",
		words.Error("Models").Error():         "⟦Models⟧",
		words.E("%s has no key", "x").Error(): "⟦⟧x⟦ has no key⟧",
	} {
		if got != want {
			t.Errorf("%s instead of %s", got, want)
		}
	}
	for _, name := range []string{"LC_ALL", "LANGUAGE"} {
		t.Setenv(name, "de")
	}
	// Fyne knows German words, the window does not
	if err := speak(); err != nil {
		t.Fatal(err)
	}
	if got := words.T("Cancel"); got != "Cancel" {
		t.Errorf("%s in a language without a translation", got)
	}
}

// data is what is shown as it is: what the samples are called and hold, and the words of files and formulas.
var data = regexp.MustCompile(`\b(` + strings.Join([]string{
	`m\d\d(\.onnx)?|r\d|sample|shapes|first look|bird|boat|bridge|vgg6|Adam|regular`,                                              // the samples
	`[A-Z0-9]{6}|[a-z]+/\d+\.png|(png|svg|pdf)|pytorch|conv\d|Conv|models\.csv|vround|input, NCHW|[0-9a-f]{12}|line|go1[.0-9]+`,   // their files
	`architecture|augmentation[_ ]range|augmentation|batch[_ ]size|epochs|fold|learning[_ ]rate|optimizer|output[_ ]kind|anomaly`, // their records
	`train[_ ]size|(test|train)[_ ](loss|accuracy)`,
	`(max|mean|min|std)(_(max|mean|std|abs))?|(max|mean|[a-z_]+)@(CONF|CONV-\d|HEAD)|CONF|CONV-\d|HEAD|V|V_[ij]|logits|probabilities|log-probabilities`,
	`(svm|mean|std|asv|ssty|[hvd]g_(mean|std|rstd|cstd)|g_overall|dctny|asymm)`, // features
	`rotation|scaling|shear|brightness|contrast|translation-[xy]|plain|rot90|grayscale|shift|mask|layers auto|\d+x\d+|t\d+|identity|interpolation|bilinear|border|zero`,
	`SAMME(\.R)?|png|svg|pdf|Yes|No|viridis|cividis|gray|green|[kKMG]?i?B|stretch|crop`,
	`[A-Z]|F\d+|Backspace|End|Enter|Escape|Home|Left|PageDown|PageUp|Return|Right|Space|Up|Down|Delete|Tab`, // keys,
}, "|") + `)\b`)

// guideline begins the text that a new round has; like all of the round it is in the workspace and not in the window.
const guideline = "Call a model invariant when "

// spoken takes away what is in brackets; brackets that open or close outside of the text reach to its end.
func spoken(text string) string {
	var rest strings.Builder
	depth := 0
	for _, r := range text {
		switch string(r) {
		case opening:
			depth++
		case closing:
			rest.WriteByte(' ')
			if depth > 0 {
				depth--
			} else {
				rest.Reset()
			}
		default:
			if depth == 0 {
				rest.WriteRune(r)
			}
		}
	}
	return rest.String()
}

// foreign tells whether a text has words that are neither translated nor data. A text is looked at once: a tour shows most of them often.
func foreign(text string) bool {
	known, ok := foreigners[text]
	if !ok {
		rest := spoken(text)
		known = strings.ContainsFunc(rest, unicode.IsLetter) && strings.ContainsFunc(data.ReplaceAllString(rest, ""), unicode.IsLetter)
		foreigners[text] = known
	}
	return known
}

var foreigners = map[string]bool{}

// untranslated are the visible texts below some objects that are neither translated nor data. Diagnostics are for those who
// mend the program, and errors of the engine and the store are those of the command line.
func untranslated(roots ...fyne.CanvasObject) []string {
	found := map[string]bool{}
	check := func(texts ...string) {
		for _, text := range texts {
			if foreign(text) {
				found[text] = true
			}
		}
	}
	for _, root := range roots {
		visible(root, func(object fyne.CanvasObject) bool {
			switch o := object.(type) {
			case *canvas.Text:
				check(o.Text)
			case *widget.Label:
				check(o.Text)
				return false
			case *widget.RichText:
				check(o.String())
				return false
			case *widget.Entry:
				check(o.PlaceHolder)
				return false
			case *widget.SelectEntry:
				check(o.PlaceHolder)
				return false
			case *widget.Select:
				check(o.Options...)
				if o.Selected == "" {
					check(o.PlaceHolder)
				}
				return false
			}
			return true
		})
	}
	maps.DeleteFunc(found, func(text string, _ bool) bool {
		return strings.Contains(text, "\nOn disk ") || strings.HasPrefix(text, guideline) || text == "A round needs a name." ||
			strings.Contains(text, "training needs models of two classes")
	})
	return slices.Sorted(maps.Keys(found))
}

// visible visits the visible objects below one as long as visit answers yes for what they are in.
func visible(root fyne.CanvasObject, visit func(fyne.CanvasObject) bool) {
	var below []fyne.CanvasObject
	stage.Walk(root, func(object fyne.CanvasObject) {
		below = append(below, object)
	})
	hidden := map[fyne.CanvasObject]bool{}
	for _, object := range below {
		if !hidden[object] && !visit(object) {
			stage.Walk(object, func(inner fyne.CanvasObject) { hidden[inner] = true })
		}
	}
}

// everything is what the window shows, the dialog or menu on top of it included.
func (o *opened) everything() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{o.Window.Window().Content()}, o.Window.Window().Canvas().Overlays().List()...)
}

// check reports what is not translated on the screen or in the dialog that is shown.
func (o *opened) check(t *testing.T, where string) {
	t.Helper()
	o.settle()
	for _, text := range untranslated(o.everything()...) {
		t.Errorf("%s: %q", where, text)
	}
}

// TestEverythingIsTranslated looks through the screens and dialogs in the invented language for texts that are not in it.
func TestEverythingIsTranslated(t *testing.T) {
	speakInvented(t)
	o := openLabelled(t)
	o.Window.Window().Resize(fyne.NewSize(1280, 800))
	o.tour(t, func(where string) { o.check(t, where) })
	for _, menu := range o.menu.Items {
		for _, item := range menu.Items {
			if !item.IsSeparator && foreign(entryText(item)) {
				t.Errorf("menu: %q", item.Label)
			}
		}
	}
}
