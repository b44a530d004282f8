package derive

import (
	"slices"
	"strconv"
	"strings"

	"github.com/variscope/variscope/engine/corrupt"
	"github.com/variscope/variscope/engine/option"
)

// Options say which changes are made of a suite.
type Options struct {
	Corruption []string `label:"Corruptions" help:"Corruption with its severities, fog or fog:3 or fog:1,3,5; may be repeated." placeholder:"NAME[:SEV,...]" sep:"none"`
	All        bool     `help:"All fifteen corruptions." window:"-"`
	Shift      []string `help:"Padded translation: N x N regions with hyper-parameter T, one suite for each region, or those that are named; may be repeated." placeholder:"N:T[:REGION,...]" sep:"none" window:"-"`
	Severity   []int    `label:"Severities" help:"Severities where a corruption names none (default: all five)." min:"1" max:"5"`
	Seed       uint64   `help:"Seed of everything that is drawn." default:"1"`
	Store      string   `label:"Values" help:"uint8 cuts values to steps of 1/255 by truncation, as the published data are; files hold 8 bits in any case." enum:",uint8" names:"exact|8 bits, as published data" default:""`
	Compat     bool     `help:"Copy pixels in glass_blur of RGB images, as the public code does, instead of exchanging them." window:"-"`
}

// Check says which corruption or shift is not there or not written as it should be.
func (o *Options) Check() error {
	_, err := o.Changes()
	return err
}

// Changes are the corruptions and then the shifts that are named, in their order, each once; none
// where nothing is named. The errors are those of Check.
func (o *Options) Changes() (list []Change, err error) {
	names := o.Corruption
	switch {
	case o.All && len(names) > 0:
		return nil, option.Errorf("give {all} or {corruption}, not both")
	case o.All:
		names = corrupt.Names()
	}
	for _, text := range names {
		name, severities, err := o.severities(text)
		if err != nil {
			return nil, err
		}
		for _, severity := range severities {
			s := corrupt.Setting{Name: name, Severity: severity, Seed: o.Seed, Truncate: o.Store == "uint8"}
			s.Compat = o.Compat && name == "glass_blur"
			if err := s.Check(); err != nil {
				return nil, err
			}
			list = append(list, s)
		}
	}
	for _, text := range o.Shift {
		shifts, err := shiftsOf(text)
		if err != nil {
			return nil, err
		}
		for _, s := range shifts {
			list = append(list, s)
		}
	}
	var each []Change
	for _, c := range list {
		if !slices.Contains(each, c) {
			each = append(each, c)
		}
	}
	return each, nil
}

// severities splits "fog:1,3" into the name and its severities; without any they are those of all
// corruptions.
func (o *Options) severities(text string) (name string, list []int, err error) {
	name, numbers, named := strings.Cut(text, ":")
	switch {
	case !named && len(o.Severity) > 0:
		return name, o.Severity, nil
	case !named:
		numbers = "1,2,3,4,5"
	}
	for number := range strings.SplitSeq(numbers, ",") {
		severity, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return "", nil, option.Errorf("{corruption} %s: severity %q is not a number; write %s:1,3",
				text, number, name)
		}
		list = append(list, severity)
	}
	return name, list, nil
}

// shiftsOf reads N:T, for all regions, or N:T:REGION,... .
func shiftsOf(text string) ([]Shift, error) {
	parts := strings.SplitN(text, ":", 3)
	if len(parts) < 2 {
		return nil, option.Errorf("{shift} %s: write N:T, such as 3:5, or N:T:REGION, such as 3:5:7", text)
	}
	var n [2]int
	for k := range n {
		number, err := strconv.Atoi(strings.TrimSpace(parts[k]))
		if err != nil {
			return nil, option.Errorf("{shift} %s: %q is not a whole number; write N:T, such as 3:5", text, parts[k])
		}
		n[k] = number
	}
	shifts, err := Shifts(n[0], n[1])
	if err != nil {
		return nil, option.Errorf("{shift} %s: %v", text, err)
	}
	if len(parts) == 2 {
		return shifts, nil
	}
	var some []Shift
	for number := range strings.SplitSeq(parts[2], ",") {
		region, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return nil, option.Errorf("{shift} %s: region %q is not a whole number; write N:T:REGION, such as 3:5:7",
				text, number)
		}
		s := Shift{N: n[0], T: n[1], Region: region}
		if err := s.Check(); err != nil {
			return nil, option.Errorf("{shift} %s: %v", text, err)
		}
		some = append(some, s)
	}
	return some, nil
}
