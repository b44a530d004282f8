package words_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/variscope/variscope/ui/words"
)

// loud is a language of capitals that knows one plural.
func loud() *words.Language {
	return &words.Language{
		Text: func(key string) string { return strings.ToUpper(key) },
		Count: func(key string, n int) string {
			if key == "%d files" && n == 2 {
				return "A PAIR OF FILES%[2]s"
			}
			return key
		},
	}
}

var errGone = error(words.Error("the file is gone"))

func TestWithoutALanguageTheTextsAreThoseOfTheCode(t *testing.T) {
	words.Use(nil)
	for got, want := range map[string]string{
		words.T("95 % interval"):                     "95 % interval",
		words.F("%s on %s", "a", "b"):                "a on b",
		words.N(1, "%d file", "%d files", 1):         "1 file",
		words.N(-1, "%d file", "%d files", -1):       "-1 file",
		words.N(0, "%d file", "%d files", 0):         "0 files",
		words.N(1234, "%d file", "%d files", 1234):   "1234 files",
		words.E("read %s: %w", "x", errGone).Error(): "read x: the file is gone",
	} {
		if got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
}

func TestALanguageIsAskedEachTime(t *testing.T) {
	words.Use(loud())
	defer words.Use(nil)
	for got, want := range map[string]string{
		words.T("models"):                           "MODELS",
		fmt.Sprint(errGone):                         "THE FILE IS GONE",
		words.N(2, "%d file", "%d files", 2, "!"):   "A PAIR OF FILES!",
		words.N(3, "%d file of %s", "%d %s", 3, ""): "3 ",
	} {
		if got != want {
			t.Errorf("%q instead of %q", got, want)
		}
	}
	if !errors.Is(errGone, words.Error("the file is gone")) || errors.Is(errGone, words.Error("another")) {
		t.Error("errors are compared by their text in the code")
	}
}

func TestNamesAvoidTheWordsOfTheFormat(t *testing.T) {
	for key, want := range map[string]string{"Id": "Id:", "other": "other:", "hash": "hash:", "models": "models", "hash of": "hash of"} {
		if got := words.Name(key); got != want {
			t.Errorf("%q is named %q", key, got)
		}
	}
}

func TestTheBaseIsThere(t *testing.T) {
	data, err := words.Translations.ReadFile("translations/en.json")
	if err != nil || !strings.Contains(string(data), `"Settings…": "Settings…"`) {
		t.Fatal(err, len(data))
	}
}
