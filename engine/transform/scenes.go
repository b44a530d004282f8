package transform

// ScenesSet is the name of the set of composites: scenes:HASH:N puts an image's foreground on its scene 1..N of the selection with that hash
// (spec/background.md section 8). The images are made by an engine.Composer; a plan of the set copies.
const ScenesSet = "scenes"

// Scenes is the set scenes:HASH:N; hash is 64 hexadecimal digits, n from 1 to 1000.
func Scenes(hash string, n int) (Family, error) { panic("not built yet") }

// Scened gives the selection's hash and n of a set scenes:HASH:N; ok is false for everything else.
func (f Family) Scened() (hash string, n int, ok bool) { panic("not built yet") }
