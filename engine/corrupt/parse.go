package corrupt

import (
	"fmt"
	"strconv"
	"strings"
)

// prefix is how the text of every corruption begins.
const prefix = "corruption"

// Parse reads "corruption:NAME:SEVERITY;seed=N", with ";store=uint8" and ";compat=copy" where asked
// for, in any order. Without a seed it is 1. The error says what is wrong with the text.
func Parse(text string) (Setting, error) {
	s, err := parse(text)
	if err != nil {
		return Setting{}, fmt.Errorf("corruption %q: %w", text, err)
	}
	return s, nil
}

func parse(text string) (Setting, error) {
	options := strings.Split(text, ";")
	parts := strings.Split(options[0], ":")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	if len(parts) != 3 || parts[0] != prefix {
		return Setting{}, fmt.Errorf("write it as %s:NAME:SEVERITY, like %s:fog:3;seed=1", prefix, prefix)
	}
	severity, err := strconv.Atoi(parts[2])
	if err != nil {
		return Setting{}, fmt.Errorf("severity %q is not a number; severities are 1 to %d", parts[2], Severities)
	}
	s := Setting{Name: parts[1], Severity: severity, Seed: 1}
	if err := s.setOptions(options[1:]); err != nil {
		return Setting{}, err
	}
	return s, s.Check()
}

func (s *Setting) setOptions(options []string) error {
	seen := map[string]bool{}
	for _, option := range options {
		key, value, _ := strings.Cut(option, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if seen[key] {
			return fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		if err := s.setOption(key, value); err != nil {
			return err
		}
	}
	return nil
}

func (s *Setting) setOption(key, value string) error {
	switch {
	case key == "seed":
		seed, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			return fmt.Errorf("seed %q is not a whole number from 0 to 2^64-1", value)
		}
		s.Seed = seed
	case key == "store" && value == "uint8":
		s.Truncate = true
	case key == "compat" && value == "copy":
		s.Compat = true
	default:
		return fmt.Errorf("unknown option %q; known are seed=N, store=uint8, compat=copy", key+"="+value)
	}
	return nil
}
