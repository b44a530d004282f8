package models

// Filtered are the hashes of the models that the filter lets through, in the order in which they are shown.
func (s *Screen) Filtered() []string {
	var hashes []string
	for at := range s.view.Len() {
		if row, ok := s.view.At(at); ok {
			hashes = append(hashes, row.Model.Hash)
		}
	}
	return hashes
}
