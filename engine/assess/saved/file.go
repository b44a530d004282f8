package saved

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/variscope/variscope/engine/outside"
)

// Format is the newest number of the file's form that this program reads: 3 has the features of the
// models that were learned from, which 2, of interpolated matrices, and 1, of variance matrices, do
// not have.
const Format = 3

// format is the oldest form that holds the file.
func (f File) format() int {
	switch {
	case f.keepsFeatures():
		return Format
	case f.Layout.OfBackground():
		return 2
	}
	return 1
}

// MaxBytes bounds what Decode reads.
const MaxBytes = 64 << 20

// kind is the first entry of every assessor file.
const kind = "variscope assessor"

// envelope is the form of the file. SHA256 is over the content as compact JSON.
type envelope struct {
	Kind    string          `json:"kind"`
	Format  int             `json:"format"`
	SHA256  string          `json:"sha256"`
	Content json.RawMessage `json:"content"`
}

// Hash is the SHA-256 of the content, in hexadecimal: what Encode writes into the file and Decode
// compares.
func (f File) Hash() (string, error) {
	content, err := f.content()
	if err != nil {
		return "", err
	}
	return sum(content), nil
}

// Encode writes the file; equal files give equal bytes.
func (f File) Encode() ([]byte, error) {
	if err := f.Validate(); err != nil {
		return nil, fmt.Errorf("assessor %s cannot be saved: %w", f.Name, err)
	}
	content, err := f.content()
	if err != nil {
		return nil, err
	}
	data, err := json.MarshalIndent(envelope{Kind: kind, Format: f.format(), SHA256: sum(content), Content: content},
		"", " ")
	if err != nil {
		return nil, fmt.Errorf("save assessor %s: %w", f.Name, err)
	}
	if len(data) >= MaxBytes {
		return nil, fmt.Errorf("assessor %s takes %d MiB as a file and %d are the most; train it with fewer trees",
			f.Name, len(data)>>20, MaxBytes>>20)
	}
	return append(data, '\n'), nil
}

// content is the file's content as compact JSON, the same bytes for equal files.
func (f File) content() ([]byte, error) {
	f.Created = f.Created.UTC()
	content, err := json.Marshal(f)
	if err != nil {
		return nil, fmt.Errorf("save assessor %s: %w", f.Name, err)
	}
	return content, nil
}

func sum(content []byte) string {
	hash := sha256.Sum256(content)
	return hex.EncodeToString(hash[:])
}

// Decode reads and checks a file; name is for errors. One sentence each: not an assessor file, cut
// short, changed after it was saved (the hash), made by a newer Variscope, and what does not fit
// together inside.
func Decode(name string, data []byte) (File, error) {
	if len(data) > MaxBytes {
		return File{}, fmt.Errorf("%s is larger than %d MiB and no assessor file", name, MaxBytes>>20)
	}
	content, err := open(name, data)
	if err != nil {
		return File{}, err
	}
	var f File
	if err := outside.JSON(content, &f, true); err != nil {
		return File{}, fmt.Errorf("%s is damaged: %w; take another copy of the assessor, or train it again", name, err)
	}
	if err := f.Validate(); err != nil {
		return File{}, fmt.Errorf("%s does not fit together: %w; train the assessor again", name, err)
	}
	return f, nil
}

// open takes the content out of its envelope.
func open(name string, data []byte) ([]byte, error) {
	if !begins(data) {
		return nil, fmt.Errorf("%s is not an assessor file; variscope assess train --out NAME%s writes one",
			name, Extension)
	}
	var e envelope
	decoder := json.NewDecoder(bytes.NewReader(data))
	err := decoder.Decode(&e)
	if err == nil {
		if _, end := decoder.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("there is something behind its end")
		}
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s is cut short; copy the whole file again", name)
	case e.Format > Format:
		return nil, fmt.Errorf("%s was made by a newer Variscope (format %d, this one reads up to %d); "+
			"update this program", name, e.Format, Format)
	case err != nil:
		return nil, changed(name, err)
	case e.Format < 1:
		return nil, changed(name, fmt.Errorf("it has the format %d", e.Format))
	}
	var content bytes.Buffer
	if err := json.Compact(&content, e.Content); err != nil || sum(content.Bytes()) != e.SHA256 {
		return nil, changed(name, errors.New("its hash is another"))
	}
	return content.Bytes(), nil
}

func changed(name string, why error) error {
	return fmt.Errorf("%s was changed after it was saved (%w); take the file as it was, or train the assessor again",
		name, why)
}

// begins tells whether the data start as every assessor file does, be it whole or not.
func begins(data []byte) bool {
	const longest = 64 // bytes, with the spaces that an editor may have put in
	start := strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, string(data[:min(len(data), longest)]))
	whole := `{"kind":"` + strings.ReplaceAll(kind, " ", "") + `"`
	return strings.HasPrefix(start, whole)
}
