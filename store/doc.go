// Package store keeps a workspace on disk: a folder NAME.variscope that one process at a time owns
// (DESIGN.md sections 1 and 6). It holds everything that must survive: models, suites, signals,
// runs, rounds and label events.
//
// The folder:
//
//	NAME.variscope/
//	├── workspace.db            bbolt; everything but signals, models and copied images
//	├── labels.jsonl            the journal: rounds and label events again, as text (journal.go)
//	├── workspace.db.vN.backup  the database as it was before a migration from schema N
//	├── backups/TIME-N.db       the last five databases, N being the transaction;
//	│                           TIME-replaced.db is what Restore put aside
//	├── owner.json              who has the workspace open: process, host, since when
//	├── owner.sock              where that process hands out copies of the database (share.go)
//	│                           to those who read meanwhile (reading.go)
//	├── models/HASH.onnx        model files, named by SHA-256; models of round packages have none
//	├── signals/xx/KEY.npz      one file per unit of work; xx are the first two digits of its key
//	├── assessors/NAME.vassessor    saved assessors, which no backup of the database holds
//	├── predictions/ID.npz      tables of predictions that were made elsewhere
//	├── suites/HASH/...         images of suites that were copied inside
//	├── masks/HASH/...          foreground masks of suites that are kept inside
//	├── queue/                  what other machines join with, and packs of images for them
//	│                           (package cluster); never copied
//	├── set-aside/TIME/...      what Repair took out: files under their own paths, records as
//	│                           lines of records.jsonl
//	└── thumbs/HASH.png         thumbnails, named by what they depend on; they may be removed
//
// Package database says what is in workspace.db, package doctor repairs it, package backup restores
// it.
//
// Files are written as ID.part in the topmost folder on the way to their place, fsynced, renamed,
// and their directory is fsynced (package durable); only then the database names them. A crash in
// between leaves a file that nothing names and that the repeated work replaces, or a draft, which
// goes at the next opening.
//
// A change of rounds or label events is appended to the journal and fsynced before the database
// commits it, so each of the two has every label that a screen has confirmed. Opening a workspace
// adds to each what the other lacks.
//
// What something rests on stays: suites are never removed, a mask set or keyword table that an
// ontology or a selection names is refused by what removes it, and so is a selection that signals
// were computed with or that a round has.
//
// Who finds a workspace open elsewhere may read it: the owner copies its database by one read
// transaction and sends the copy, which the reader checks as if it had come from anywhere, and
// opens as its own. Files are read where they lie; they never change, and those that came later
// nothing names. What the owner removes meanwhile is missing, and said to be. The reader changes
// nothing.
package store
