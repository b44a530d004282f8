// Package subject declares what rows of most tables are about: a model, a suite and a family of
// transformations, with the keys that they have in all files (DESIGN.md section 8).
package subject

import (
	"cmp"
	"slices"

	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/result"
)

// Subject is what a row is about. A part of it may be empty.
type Subject struct {
	Model, ModelHash   string // ID and SHA-256 of the file
	Suite, SuiteHash   string // name and content hash
	Family, FamilyName string // canonical text, and the text for people
}

// Columns are model_id, model_hash, suite, suite_hash and family. People see names, files have
// also hashes, and the canonical text of the family.
var Columns = []result.Column[Subject]{
	result.Texts("model_id", "model", "name of the model", func(s Subject) string { return s.Model }),
	hash("model_hash", "model hash", "SHA-256 of the model's file", func(s Subject) string { return s.ModelHash }),
	result.Texts("suite", "suite", "name of the test suite", func(s Subject) string { return s.Suite }),
	hash("suite_hash", "suite hash", "content hash of the suite", func(s Subject) string { return s.SuiteHash }),
	result.Texts("family", "transformations", "family of transformations or set; files have its canonical text",
		func(s Subject) string { return s.Family }).Told(func(s Subject) string { return s.FamilyName }),
}

// Device is the column of what has computed a row's signals, where some row is of a GPU: kind is
// that of the device (device.Device.Kind).
func Device[R any](rows []R, kind func(R) string) []result.Column[R] {
	if !slices.ContainsFunc(rows, func(r R) bool { return kind(r) != "" }) {
		return nil
	}
	return []result.Column[R]{result.Texts("device", "device",
		"that has computed the signals: cpu, the kind of GPU, or "+
			device.Shipped+" where they came with the program",
		func(r R) string { return cmp.Or(kind(r), string(device.CPU)) })}
}

func hash(key, title, help string, of func(Subject) string) result.Column[Subject] {
	return result.Column[Subject]{
		Key: key, Title: title, Help: help, Format: result.ID, Show: result.FileOnly, Text: of,
	}
}
