package suite

import (
	"bytes"
	"encoding/binary"
)

// The functions here find the EXIF orientation in a file: 1 (upright) to 8. Whatever is damaged or absent is 1: a picture
// is not refused for its metadata.

const exifMark = "Exif\x00\x00"

// jpegOrientation looks into the APP1 segments before the image data.
func jpegOrientation(data []byte) int {
	const app1, scan, end = 0xe1, 0xda, 0xd9
	for at := 2; at+4 <= len(data) && data[at] == 0xff; {
		marker := data[at+1]
		if marker == 0xff { // padding
			at++
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if marker == scan || marker == end || size < 2 || at+2+size > len(data) {
			return 1
		}
		segment := data[at+4 : at+2+size]
		if marker == app1 && bytes.HasPrefix(segment, []byte(exifMark)) {
			return tiffOrientation(segment[len(exifMark):])
		}
		at += 2 + size
	}
	return 1
}

// pngOrientation looks for an eXIf chunk.
func pngOrientation(data []byte) int {
	for at := 8; at+12 <= len(data); {
		size := int(binary.BigEndian.Uint32(data[at:]))
		if size > len(data)-at-12 {
			return 1
		}
		if string(data[at+4:at+8]) == "eXIf" {
			return tiffOrientation(data[at+8 : at+8+size])
		}
		at += 12 + size
	}
	return 1
}

// webpOrientation looks for an EXIF chunk.
func webpOrientation(data []byte) int {
	for at := 12; at+8 <= len(data); {
		size := int(binary.LittleEndian.Uint32(data[at+4:]))
		if size > len(data)-at-8 {
			return 1
		}
		if string(data[at:at+4]) == "EXIF" {
			return tiffOrientation(bytes.TrimPrefix(data[at+8:at+8+size], []byte(exifMark)))
		}
		at += 8 + size + size%2
	}
	return 1
}

// tiffOrientation reads tag 274 of the first directory of a TIFF structure, the form of all EXIF data.
func tiffOrientation(data []byte) int {
	const entry, tag, short = 12, 274, 3
	if len(data) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(data[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 1
	}
	at := uint64(order.Uint32(data[4:]))
	if at+2 > uint64(len(data)) {
		return 1
	}
	count := uint64(order.Uint16(data[at:]))
	for i := range count {
		from := at + 2 + i*entry
		if from+entry > uint64(len(data)) {
			return 1
		}
		e := data[from : from+entry]
		if order.Uint16(e) != tag {
			continue
		}
		if v := int(order.Uint16(e[8:])); order.Uint16(e[2:]) == short && v >= 1 && v <= 8 {
			return v
		}
		return 1
	}
	return 1
}
