package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/variscope/variscope/engine/outside"
)

// synsetFiles name the classes of ImageNet by the numbers that its folders bear: the first two
// have a line "n01440764 tench, Tinca tinca" each, the last is Keras' {"0": ["n01440764",
// "tench"]}.
var synsetFiles = []string{"synset_words.txt", "LOC_synset_mapping.txt", "imagenet_class_index.json"}

var synsetLine = regexp.MustCompile(`^(n\d{8})[ \t]+(\S.*)$`)

var synsetID = regexp.MustCompile(`^n\d{8}$`)

// synsets are the numbers and names of lines like "n01440764 tench, Tinca tinca"; nil where a line
// is none.
func synsets(lines []string) (ids []string, names map[string]string) {
	names = map[string]string{}
	for _, line := range lines {
		match := synsetLine.FindStringSubmatch(line)
		if match == nil {
			return nil, nil
		}
		ids, names[match[1]] = append(ids, match[1]), match[2]
	}
	return ids, names
}

// nameSynsets sets the names of the classes: those of the folders, or where the folders are
// ImageNet's (n01440764), the names that a file in the suite's folder or beside it gives to them.
func (f *found) nameSynsets(path string, folders []string) error {
	f.classes = folders
	if slices.ContainsFunc(folders, func(c string) bool { return !synsetID.MatchString(c) }) {
		return nil
	}
	for _, name := range besideClasses {
		for _, folder := range []string{path, filepath.Dir(path)} {
			file := filepath.Join(folder, name)
			names, err := readSynsets(file)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			if len(names) > 0 {
				count := map[string]int{}
				for _, folder := range folders {
					count[names[folder]]++
				}
				list := make([]string, len(folders))
				for i, folder := range folders {
					switch name := names[folder]; {
					case name == "":
						list[i] = folder
					case count[name] > 1:
						list[i] = fmt.Sprintf("%s (%s)", name, folder)
					default:
						list[i] = name
					}
				}
				f.classes = list
				f.note("classes named by " + name)
				return nil
			}
		}
	}
	return nil
}

// readSynsets reads one of synsetFiles; nothing where it holds other things.
func readSynsets(path string) (map[string]string, error) {
	if filepath.Ext(path) != ".json" {
		lines, err := readNames(path)
		_, names := synsets(lines)
		return names, err
	}
	data, err := readSmall(path)
	if err != nil {
		return nil, err
	}
	var index map[string][]string
	if err := outside.JSON(data, &index, false); err != nil {
		return nil, fmt.Errorf("class names: %s: %w", path, err)
	}
	names := map[string]string{}
	for _, entry := range index {
		if len(entry) == 2 && synsetID.MatchString(entry[0]) && strings.TrimSpace(entry[1]) != "" {
			names[entry[0]] = strings.TrimSpace(entry[1])
		}
	}
	return names, nil
}

// ClassLines are the lines of a classes.txt for a copy of a folder suite's images: the classes,
// each with the number of its folder in front where the suite has ImageNet's folders under other
// names.
func (m Manifest) ClassLines() []string {
	lines := slices.Clone(m.Classes)
	for i, label := range m.Labels {
		folder, _, _ := strings.Cut(m.Files[i].Path, "/")
		if label >= 0 && folder != m.Classes[label] && synsetID.MatchString(folder) {
			lines[label] = folder + " " + m.Classes[label]
		}
	}
	return lines
}
