package llm

// Named is a Model that says which one it is, for traces.
type Named interface {
	// Name returns who serves the model, such as a host, and the model's name there.
	Name() (provider, model string)
}
