package main

import (
	"github.com/limn-ui/limn/app"
	"github.com/limn-ui/limn/cmd/limn/term"
)

// schemaCommand is the command "limn schema".
type schemaCommand struct{}

// Help is shown below the options.
func (schemaCommand) Help() string {
	return `Prints the JSON Schema (draft 2020-12) of application files. With it an editor completes keys, shows what
they mean and underlines what is wrong. For editors with a YAML language server, such as VS Code with its
YAML extension, write the second line at the top of the application file:

  limn schema > limn.schema.json
  # yaml-language-server: $schema=limn.schema.json`
}

// Run prints the schema.
func (schemaCommand) Run(t term.Terminal) error {
	_, err := t.Out.Write(app.FileSchema())
	return err
}
