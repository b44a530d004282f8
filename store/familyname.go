package store

import "github.com/variscope/variscope/engine/transform"

// FamilyName is a family or transformation set as people read it: "rotation -15..15°", "scenes
// Example: keywords" for the scenes of a selection that is there. What cannot be read stays as it
// is.
func (w *Workspace) FamilyName(text string) string {
	return FamilyName(text, func(hash string) string {
		list, _ := w.Selections() // without them the text names the hash
		for _, r := range list {
			if r.Hash == hash {
				return r.Name
			}
		}
		return ""
	})
}

// FamilyName is Workspace.FamilyName where selection gives the name of a selection by its hash, ""
// for an unknown one.
func FamilyName(text string, selection func(hash string) string) string {
	f, err := transform.ParseAny(text)
	if err != nil {
		return text
	}
	if hash, _, scened := f.Scened(); scened {
		if name := selection(hash); name != "" {
			return transform.ScenesSet + " " + name
		}
	}
	return f.Short()
}
