package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/variscope/variscope/engine"
	"github.com/variscope/variscope/engine/device"
	"github.com/variscope/variscope/engine/model"
	"github.com/variscope/variscope/engine/signal"
	"github.com/variscope/variscope/engine/transform"
)

// orderVersion is the form of orders that is read and written.
const orderVersion = 1

// Order describes one unit of work: what engine.Task says of a model, without what belongs to the machine that has it, and the names of model
// and images.
type Order struct {
	Unit  string      `json:"unit"` // Spec.UnitKey(Chunk): the name of the result
	ID    string      `json:"id"`   // the model's id, for messages
	Spec  signal.Spec `json:"spec"`
	Chunk int         `json:"chunk"`
	// Input, Output, Tensors and Mask are engine.Feed without its path.
	Input   model.Input      `json:"input"`
	Output  string           `json:"output"`
	Tensors []string         `json:"tensors"`
	Mask    *transform.Masks `json:"mask,omitempty"`
	Classes []int            `json:"classes"` // engine.Task.Classes
	Model   Blob             `json:"model"`   // its SHA256 is Spec.Model
	Images  Blob             `json:"images"`  // the Pack of the chunk
}

// orderText is an order as it is written.
type orderText struct {
	Wire int `json:"wire"`
	Order
}

// NewOrder describes the unit of a task and chunk, whose model and images travel as these objects. Slices are the task's. Encode says whether it
// can travel.
func NewOrder(task engine.Task, chunk int, model, images Blob) Order {
	return Order{
		Unit: task.Spec.UnitKey(chunk), ID: task.ID, Spec: task.Spec, Chunk: chunk,
		Input: task.Feed.Input, Output: task.Feed.Output, Tensors: task.Feed.Tensors, Mask: task.Feed.Mask,
		Classes: task.Classes, Model: model, Images: images,
	}
}

// Task is what an engine computes the unit from, with the model's file at a path of this machine; other content than the order's model is not
// opened. It is not Probed: this machine has to try the model by itself. Of what only reports tell (Absent, MappedBy, Skipped) it knows nothing.
func (o Order) Task(modelPath string) engine.Task {
	return engine.Task{
		ID: o.ID, Spec: o.Spec, Classes: o.Classes,
		Feed: engine.Feed{Path: modelPath, SHA256: o.Model.SHA256, Input: o.Input, Output: o.Output, Tensors: o.Tensors, Mask: o.Mask, Device: device.Device(o.Spec.Device)},
	}
}

// Encode writes the order as ParseOrder reads it. The error is what ParseOrder would say.
func (o Order) Encode() ([]byte, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("unit of model %.80q cannot be computed elsewhere: %w", o.ID, err)
	}
	data, err := o.text()
	if err == nil && len(data) > MaxOrder {
		err = fmt.Errorf("its description has %d bytes; at most %d can travel", len(data), MaxOrder)
	}
	if err != nil {
		return nil, fmt.Errorf("unit of model %q cannot be computed elsewhere: %w", o.ID, err)
	}
	return data, nil
}

func (o Order) text() ([]byte, error) { return json.Marshal(orderText{orderVersion, o}) }

// ParseOrder reads an order and believes nothing of it: it has one form only (see the package), a size of MaxOrder at most, the name that its
// spec and chunk give, and values within bounds that a unit can have. A model that does not do what the order says is found by the engine.
func ParseOrder(data []byte) (Order, error) {
	o, err := parseOrder(data)
	if err != nil {
		return Order{}, fmt.Errorf("the description of a unit of work cannot be used: %w", err)
	}
	return o, nil
}

func parseOrder(data []byte) (Order, error) {
	if len(data) > MaxOrder {
		return Order{}, fmt.Errorf("it has %d bytes; at most %d are read", len(data), MaxOrder)
	}
	var version struct {
		Wire int `json:"wire"`
	}
	if err := json.Unmarshal(data, &version); err != nil {
		return Order{}, fmt.Errorf("it is no JSON object of the expected form: %w", err)
	}
	if version.Wire != orderVersion {
		return Order{}, fmt.Errorf("it has form %d, and this program reads form %d; use the same version of Variscope on all machines",
			version.Wire, orderVersion)
	}
	var text orderText
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&text); err != nil {
		return Order{}, fmt.Errorf("it is no JSON object of the expected form: %w", err)
	}
	if err := text.Order.check(); err != nil {
		return Order{}, err
	}
	again, err := text.Order.text()
	if err != nil {
		return Order{}, err
	}
	if !bytes.Equal(again, data) {
		return Order{}, errors.New("it is not written in the one form that orders have: a field comes twice, in another order or spelling")
	}
	return text.Order, nil
}
