//go:build !unix

package outside

// neverWait is nothing: here pipes have no place among files.
const neverWait = 0
