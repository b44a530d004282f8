package present

// ModelNeeds says what a model that is imported must bring beside its file, for the import dialog
// and for import's help.
func ModelNeeds() string {
	return "What a model must bring: how an image becomes its input, and its class_names in the order of its outputs " +
		"(cat;dog). Both are read from " +
		"preprocessor_config.json and config.json beside the file, from its metadata, and from columns of " +
		"models.csv: mean and std, one number each or " +
		"one per channel (0.485;0.456;0.406), or recipe. Without them the model gets pixels from 0 to 1, stretched " +
		"to its input; without class names " +
		"output 0 is the suite's first class, output 1 its second, and so on."
}
