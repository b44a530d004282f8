// Package background joins what background invariance needs of a workspace (spec/background.md):
// from keyword tables to ontologies, from ontologies to selections of testing scenes, from
// selections to runs, and from their signals to clouds and matrices.
package background
