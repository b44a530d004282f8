package database

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/variscope/variscope/engine/background"
	"github.com/variscope/variscope/engine/label"
)

// Short is the beginning of a hash or key, for people.
func Short(key string) string {
	const shown = 12
	if IsHash(key) {
		return key[:shown]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(key, Separator, " "), "?")
}

func checkModelID(_ string, value []byte) error {
	if !IsHash(string(value)) {
		return errors.New("it names no model")
	}
	return nil
}

func checkIndexKey(key string, _ []byte) error {
	if _, _, _, _, ok := SplitIndexKey(key); !ok {
		return errors.New("its key has not four parts")
	}
	return nil
}

func checkUnit(key string, value []byte) error {
	var unit UnitRecord
	if err := json.Unmarshal(value, &unit); err != nil {
		return err
	}
	if !IsHash(key) || !IsHash(unit.Set) || unit.XXH3 == "" && !IsHash(unit.SHA256) || unit.Size <= 0 ||
		unit.Chunk < 0 {
		return errors.New("it names no set and file")
	}
	return nil
}

func checkSummary(key string, value []byte) error {
	_, err := decodeSummary(key, value, WithMatrices)
	return err
}

func checkEvidence(key string, value []byte) error {
	e, err := DecodeEvidence(value)
	if err == nil && evidenceKey(e) != key {
		err = errors.New("it belongs to another model or round")
	}
	return err
}

func checkImageLabel(key string, value []byte) error {
	var l ImageLabel
	if err := json.Unmarshal(value, &l); err != nil {
		return err
	}
	suite, _, _ := strings.Cut(key, Separator)
	if string(KeyOfImage(suite, l.Image)) != key || suite == "" {
		return fmt.Errorf("it is of image %d", l.Image)
	}
	return nil
}

func checkScenes(key string, value []byte) error {
	var s background.Selection
	if err := unpack(value, &s); err != nil {
		return err
	}
	if err := s.Check(); err != nil {
		return err
	}
	if s.Hash() != key {
		return errors.New("its scenes are not those that it was kept with")
	}
	return nil
}

// CheckEvent reads a label event that lies under its own key. There it is what it calls itself
// whatever its ids look like: older programs took rounds from packages without looking at their
// ids, and nobody labels again what is set aside.
func CheckEvent(key string, value []byte) error {
	var ev label.Event
	if err := json.Unmarshal(value, &ev); err != nil {
		return err
	}
	if ev.ID == "" || ev.Round == "" {
		return errors.New("it has no id or round")
	}
	if string(KeyOfEvent(ev.Round, ev.ID)) != key {
		return fmt.Errorf("it calls itself %s", ev.ID)
	}
	return nil
}

// IsHash tells whether text is a SHA-256 in hexadecimal digits.
func IsHash(text string) bool {
	return len(text) == 64 && strings.Trim(text, "0123456789abcdef") == ""
}

// IsULID tells whether text is a ULID as this program writes them.
func IsULID(text string) bool {
	id, err := ulid.ParseStrict(text)
	return err == nil && id.String() == text
}
