package label

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is the longest own word for a label, in characters: it stands on a button.
const maxWord = 24

// key is the letter that stands for a label where one types: i, b or v.
func (v Value) key() string { return string(v[:1]) }

// Word is what the round calls a label for people. Files have the label itself.
func (r Round) Word(v Value) string {
	if word, ok := r.Words[v]; ok {
		return word
	}
	return string(v)
}

// Spoken are the round's labels in their order, each as it is and, where the round has one, with
// its own word: "robust (invariant)".
func (r Round) Spoken() []string {
	words := Words(r.Classes)
	for k, v := range Values(r.Classes) {
		if own, ok := r.Words[v]; ok {
			words[k] = own + " (" + words[k] + ")"
		}
	}
	return words
}

// ParseWord reads a label of the round: its own word for it, the label itself, or the letter i, b
// or v, in capitals or not.
func (r Round) ParseWord(text string) (Value, error) {
	text = strings.TrimSpace(text)
	var words []string
	for _, v := range Values(r.Classes) {
		if strings.EqualFold(text, r.Word(v)) {
			return v, nil
		}
		words = append(words, r.Word(v))
	}
	for _, v := range Values(r.Classes) {
		if strings.EqualFold(text, string(v)) || strings.EqualFold(text, v.key()) {
			return v, nil
		}
	}
	return "", fmt.Errorf("%q is no label of round %q; use %s", text, r.Name, either(words))
}

// either lists words as a choice: "robust, borderline or variant".
func either(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// checkWords returns what is wrong with the round's own words, "" when nothing is. No word may be
// taken for another label.
func (r Round) checkWords() string {
	count := 0
	for _, v := range Values(r.Classes) {
		word, own := r.Words[v]
		if !own {
			continue
		}
		count++
		switch {
		case word == "" || strings.TrimSpace(word) != word || strings.ContainsFunc(word, unicode.IsControl):
			return fmt.Sprintf("the word %q for %s is empty, or has spaces around it or control characters", word, v)
		case strings.Contains(word, "="):
			return fmt.Sprintf("the word %q for %s has an =, "+
				"which stands between words and labels where these are asked for", word, v)
		case utf8.RuneCountInString(word) > maxWord:
			return fmt.Sprintf("the word %q for %s has more than %d characters", word, v, maxWord)
		}
		for _, other := range Values(3) {
			if other == v {
				continue
			}
			for _, taken := range []string{r.Words[other], string(other), other.key()} {
				if strings.EqualFold(word, taken) {
					return fmt.Sprintf("the word %q for %s stands for %s already", word, v, other)
				}
			}
		}
	}
	if count != len(r.Words) {
		return fmt.Sprintf("it has words for labels other than %s", either(Words(r.Classes)))
	}
	return ""
}
