// Package shards lets a run be computed without a server: a plan is a folder that holds everything
// that the missing units of a run need, cut into shards. Each shard is computed by a process of
// its own, on any machine that sees the folder or a copy of it, and the results are collected into
// the workspace afterwards. Slurm, GNU parallel and a loop of a shell can all start the shards.
//
//	manifest.json        what is computed, and in how many shards (Plan)
//	models/HASH.onnx     every model, once
//	images/HASH.pack     the images of every chunk, once (package engine/wire)
//	results/UNIT.result  what was computed, by the unit's key: "variscope VERSION" in a line, then
//	                     a result of engine/wire
//	results/UNIT.failed  why a unit could not be computed
//	job.sh, README.txt   how the shards are started
//
// The manifest is one line of JSON in one form only: its last field is the SHA-256 of the manifest
// without it. Of each model it holds the order of its first unit as a text of package engine/wire;
// the orders of the others differ in chunk and pack only. Nothing in it is a path.
//
// A plan belongs to one version of the program: workers and collections of others are refused,
// with mixed processors as well, and so are their results. A plan that was written stays as it is;
// who plans its run again into its folder brings files of it back.
//
// What lies in the folder is not believed: models and packs are held against their hashes before
// they are used, results against the unit that they are named by. A result appears whole or not at
// all, and every process that computes a unit writes the same bytes, so that shards may be
// interrupted, repeated and started twice.
package shards
