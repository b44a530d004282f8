// Variscope shows how invariant image classifiers are, and lets annotators agree on it.
package main

import (
	"os"

	"github.com/variscope/variscope/app"
)

func main() {
	os.Exit(app.Run(os.Args[1:], os.Stdout, os.Stderr))
}
