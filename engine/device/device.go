// Package device names what computes models: the processor, or a GPU through one of ONNX Runtime's
// execution providers (DESIGN.md sections 1 and 11).
package device

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Device is one of a computer's: "cpu", "webgpu", "cuda:0", "directml:0", "coreml". Empty is CPU; a
// kind without its number ("cuda") is any of that kind.
type Device string

// The devices that have no number, and what asks for one that was found.
const (
	CPU    Device = "cpu"
	WebGPU Device = "webgpu"
	CoreML Device = "coreml"
	// Auto is, per model, the first GPU that was found where it agrees with the processor, else the
	// processor.
	Auto = "auto"
)

// The kinds of devices of which a computer can have several.
const (
	CUDA     = "cuda"
	DirectML = "directml"
)

// MaxIndex is the largest number of a device of a kind.
const MaxIndex = 15

// Help lists what Parse takes.
const Help = "auto, cpu, webgpu, cuda:N, directml:N, coreml"

// Parse reads one device; "cuda" is "cuda:0".
func Parse(text string) (Device, error) {
	kind, number, numbered := strings.Cut(strings.ToLower(strings.TrimSpace(text)), ":")
	switch d := Device(kind); {
	case (d == CPU || d == WebGPU || d == CoreML) && !numbered:
		return d, nil
	case kind == CUDA || kind == DirectML:
		n, err := strconv.Atoi(cmp.Or(number, "0"))
		if err == nil && n >= 0 && n <= MaxIndex && (number != "" || !numbered) {
			return Device(fmt.Sprintf("%s:%d", kind, n)), nil
		}
	}
	return "", fmt.Errorf("%q is no device; choose from %s, or several, separated by commas", text, Help)
}

// Pick says what models are computed on.
type Pick struct {
	Device        string `help:"What models are computed on: cpu, webgpu, cuda:N, directml:N, coreml, several of them with commas, which take models in turns, or auto, a GPU that was found where it agrees with the processor (default: cpu). Signals of other devices are kept apart." label:"Device" source:"devices" placeholder:"DEVICE"`
	AnyDifference bool   `help:"Take a model on a GPU although its softmax differs there by more than 1e-3 from the processor's." label:"take results of a GPU that differ from the processor's by more than 1e-3"`
}

// Choice reads the device.
func (o Pick) Choice() (Choice, error) { return ParseChoice(o.Device) }

// Choice is what a run may compute on: Auto, or the devices of a list. Empty is the processor.
type Choice string

// ParseChoice reads a choice, in which each device stands once.
func ParseChoice(text string) (Choice, error) {
	if asked := strings.ToLower(strings.TrimSpace(text)); asked == Auto || asked == "" {
		return Choice(asked), nil
	}
	var list []string
	for part := range strings.SplitSeq(text, ",") {
		d, err := Parse(part)
		if err != nil {
			return "", err
		}
		if slices.Contains(list, string(d)) {
			return "", fmt.Errorf("device %s is named twice", d)
		}
		list = append(list, string(d))
	}
	return Choice(strings.Join(list, ",")), nil
}

// Devices are those of the list; none for Auto and for the processor alone.
func (c Choice) Devices() (list []Device) {
	if c == "" || c == Auto {
		return nil
	}
	for part := range strings.SplitSeq(string(c), ",") {
		list = append(list, Device(part))
	}
	return list
}

// IsGPU tells whether the device is not the processor.
func (d Device) IsGPU() bool { return d != "" && d != CPU }

// Kind is the device without its number, "" for the processor: what results depend on, and part of
// the key of signals (signal.Spec).
func (d Device) Kind() string {
	if !d.IsGPU() {
		return ""
	}
	kind, _, _ := strings.Cut(string(d), ":")
	return kind
}

// Index is the device's number among those of its kind.
func (d Device) Index() int {
	_, number, _ := strings.Cut(string(d), ":")
	n, _ := strconv.Atoi(number)
	return n
}

// IsKind tells whether a text is the kind of a device.
func IsKind(text string) bool {
	d, err := Parse(text)
	return text == "" || err == nil && d.Kind() == text
}

// Name is what people read.
func (d Device) Name() string {
	switch d.Kind() {
	case "":
		return "processor"
	case string(WebGPU):
		return "GPU through WebGPU"
	case CUDA:
		return fmt.Sprintf("GPU %d through CUDA", d.Index())
	case DirectML:
		return fmt.Sprintf("GPU %d through DirectML", d.Index())
	}
	return "GPU and neural engine through Core ML"
}

// Shipped stands in the place of a kind of device for signals that came with the program and were
// computed by another kind of processor or another version of the library.
const Shipped = "other device"

// Badge is a word for signals of a kind of device, or Shipped, and what it means; both are empty
// for the processor.
func Badge(kind string) (word, sentence string) {
	switch kind {
	case "":
		return "", ""
	case Shipped:
		return kind, "signals came with the program, computed by another kind of processor or library; " +
			"on 64 images this computer's softmax agrees with them within 1e-4"
	}
	return kind, "signals computed on " + kind + ", not on the processor"
}

// Found is a device that was looked for.
type Found struct {
	Device  Device
	Problem string // why it cannot be used, a sentence; empty for one that can
}

// Missing is an error that says why a device cannot be used, by those that were found.
func Missing(d Device, found []Found) error {
	var usable []string
	for _, f := range found {
		switch {
		case f.Device == d && f.Problem == "":
			return nil
		case f.Device == d:
			return errors.New(f.Problem)
		case f.Problem == "":
			usable = append(usable, string(f.Device))
		}
	}
	if !d.IsGPU() {
		return nil
	}
	return fmt.Errorf("this computer has no device %s; it has %s", d, cmp.Or(strings.Join(usable, ", "), string(CPU)))
}

// Words list what was found: "cpu, webgpu; not on cuda:0 (why)".
func Words(found []Found) string {
	var usable, not []string
	for _, f := range found {
		if f.Problem == "" {
			usable = append(usable, string(f.Device))
		} else {
			not = append(not, fmt.Sprintf("; not on %s (%s)", f.Device, f.Problem))
		}
	}
	return strings.Join(usable, ", ") + strings.Join(not, "")
}

// Candidates are the devices that a computer with this system (GOOS) may have, the one that is
// tried first for Auto first. Those with a number are looked for from 0 on, until one is missing.
func Candidates(system string) []Device {
	switch system {
	case "windows":
		return []Device{CUDA + ":0", DirectML + ":0", WebGPU}
	case "darwin":
		return []Device{CoreML, WebGPU}
	}
	return []Device{CUDA + ":0", WebGPU}
}

// Next is the device with the next number, ok is false where there can be none.
func (d Device) Next() (next Device, ok bool) {
	if kind := d.Kind(); (kind == CUDA || kind == DirectML) && d.Index() < MaxIndex {
		return Device(fmt.Sprintf("%s:%d", kind, d.Index()+1)), true
	}
	return "", false
}
