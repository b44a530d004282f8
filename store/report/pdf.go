package report
import "io"
func (d *Document) PDF(w io.Writer) error { return nil }
