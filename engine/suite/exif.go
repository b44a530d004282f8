package suite

import (
	"bytes"
)

// The functions here find the EXIF orientation in a file: 1 (upright) to 8. Whatever is damaged or
// absent is 1: a picture is not refused for its metadata.

const exifMark = "Exif\x00\x00"

// jpegOrientation looks into the APP1 segments before the image data.
func jpegOrientation(data []byte) int {
	const app1 = 0xe1
	for marker, segment := range jpegSegments(data) {
		if marker == app1 && bytes.HasPrefix(segment, []byte(exifMark)) {
			return tiffOrientation(segment[len(exifMark):])
		}
	}
	return 1
}

// webpOrientation looks for an EXIF chunk.
func webpOrientation(data []byte) int {
	for _, c := range webpChunks(data[min(12, len(data)):]) {
		if c.name == "EXIF" {
			return tiffOrientation(bytes.TrimPrefix(c.data, []byte(exifMark)))
		}
	}
	return 1
}

// tiffOrientation reads tag 274 of the first directory of a TIFF structure, the form of all EXIF
// data.
func tiffOrientation(data []byte) int {
	d, _ := readDirectory(data) // what comes before the damage counts
	if v := d.number(tagOrientation, 1); v >= 1 && v <= 8 {
		return int(v)
	}
	return 1
}
