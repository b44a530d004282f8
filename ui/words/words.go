// Package words holds the window's own texts, so that the window can be read in other languages. The key of a text is the
// text in English; it is looked up with Fyne's lang.L, which falls back to the key. A language is added by a file
// translations/LANGUAGE.json that maps the keys of en.json, the base, to its own texts.
package words

import (
	"embed"
	"sync"

	"fyne.io/fyne/v2/lang"
)

//go:embed translations
var translations embed.FS

// Load hands the texts to Fyne; it may be called again and does so once.
var Load = sync.OnceValue(func() error { return lang.AddTranslationsFS(translations, "translations") })
