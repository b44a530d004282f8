// Package desk lets people at several computers label one round without a server (DESIGN.md
// section 6). It writes and opens round packages, writes the labels of a desk into one file, and
// merges such files.
//
// Both kinds of file are zip archives whose first member, manifest.json, lists all others with
// size and SHA-256. The same workspace gives the same bytes. Files come from other people: a
// reader takes exactly the members that belong there, no more bytes than are listed, and changes
// nothing before everything was checked.
//
//	NAME.vround
//	├── manifest.json
//	├── round.json                the round
//	├── suite.json                what the suite is; labels and files only in a full package
//	├── base.json                 the same for the suite that a derived one is made from
//	├── guideline.md              the guideline again, for people
//	├── models/HASH.json          record, curves, graph
//	├── evidence/HASH.bin         matrices and accuracies over all images (store.Evidence)
//	├── evidence/HASH.round.bin   the same over the round's images, where that is another choice
//	├── thumbnails/HASH.png       the matrices as a picture, for people and file browsers
//	├── onnx/HASH.onnx            full packages: the model files
//	└── images/...                full packages: the suite's files, or its base's
//
//	NAME.vlabels
//	├── manifest.json
//	└── events.jsonl              a label event per line, as the workspace keeps it, ordered by id
//
// Merging labels is the union by ULID, so neither order nor repetition changes what comes out.
// labels_long.csv files are merged in the same way; they lack the colour ranges that were seen.
package desk
