package main

import (
	"encoding/json"
	"maps"

	"github.com/limn-ui/limn/cmd/limn/modelcmd"
	"github.com/limn-ui/limn/internal/endpoint"
	"github.com/limn-ui/limn/llm"
	"github.com/limn-ui/limn/ui"
)

// modelFlags say which model answers. Keys come from the environment or a file,
// never from the command line, which others can read.
type modelFlags struct {
	Model         string `env:"LIMN_MODEL" placeholder:"NAME" help:"${model_model}"`
	ModelURL      string `env:"LIMN_MODEL_URL" placeholder:"URL" help:"${model_model_url}"`
	Provider      string `env:"LIMN_PROVIDER" placeholder:"NAME" help:"${provider}"`
	ModelKeyFile  string `env:"LIMN_MODEL_KEY_FILE" type:"path" placeholder:"FILE" help:"${model_model_key_file}"`
	ModelInsecure bool   `env:"LIMN_MODEL_INSECURE" help:"${model_model_insecure}"`
	Capabilities  string `env:"LIMN_CAPABILITIES" placeholder:"FILE" help:"${model_capabilities}"`
	ModelParams   string `env:"LIMN_MODEL_PARAMS" placeholder:"JSON" help:"${model_model_params}"`
	RouterModel   string `help:"${model_router_model}"`
	RouterURL     string `help:"${model_router_url}"`

	Undropped bool `kong:"-"` // strict: a key that the model does not have is an error
}

// open returns the model and words for who answers; nil is the scripted one.
func (f modelFlags) open(env func(string) string) (llm.Model, string, error) {
	switch {
	case f.Model == "" && f.ModelURL == "" && f.Provider == "":
		if _, err := modelcmd.Table(f.Capabilities); err != nil { // also what no model needs yet
			return nil, "", err
		}
		return nil, "by rules and a script (set LIMN_MODEL_URL and LIMN_MODEL for a model)", nil
	case f.Model == "":
		return nil, "", &ui.Error{Code: llm.CodeConfigInvalid, Path: "--model",
			Message: "LIMN_MODEL_URL or LIMN_PROVIDER is set but LIMN_MODEL is not",
			Hint:    "set it (or --model) to the model's name"}
	case f.ModelURL == "" && f.Provider == "":
		return nil, "", &ui.Error{Code: llm.CodeConfigInvalid, Path: "--model-url",
			Message: "LIMN_MODEL is set but neither LIMN_MODEL_URL nor LIMN_PROVIDER is",
			Hint:    "say where it answers (or --model-url, --provider)"}
	}
	m, err := f.ask(endpoint.Config{Provider: f.Provider, URL: f.ModelURL, Model: f.Model, Key: env("LIMN_MODEL_KEY"),
		KeyFile: f.ModelKeyFile})
	if err != nil {
		return nil, "", modelcmd.At(err, places)
	}
	who := "by " + f.Model
	if m.Entry().Source == llm.Unknown {
		who += " (unknown model: prompt only; run limn models probe)"
	}
	return m, who, nil
}

// router is the small model of --router-model, or nil. The model's key goes to
// no other endpoint than the model's.
func (f modelFlags) router(env func(string) string) (llm.Model, error) {
	c := endpoint.Config{Provider: f.Provider, URL: f.ModelURL, Model: f.RouterModel, Key: env("LIMN_ROUTER_KEY")}
	from := maps.Clone(places)
	from["model"], from["key"] = "--router-model", "LIMN_ROUTER_KEY"
	switch {
	case f.RouterModel == "" && f.RouterURL != "":
		return nil, &ui.Error{Code: llm.CodeConfigInvalid, Path: "--router-model",
			Message: "--router-url is set but --router-model is not", Hint: "set it to the model's name"}
	case f.RouterModel == "":
		return nil, nil
	case f.RouterURL == "" && f.ModelURL == "" && f.Provider == "":
		return nil, &ui.Error{Code: llm.CodeConfigInvalid, Path: "--router-url",
			Message: "--router-model is set but neither --router-url nor LIMN_MODEL_URL is",
			Hint:    "set one to its endpoint"}
	case f.RouterURL != "" && f.RouterURL != f.ModelURL:
		c.Provider, c.URL, from["url"] = "", f.RouterURL, "--router-url"
	case c.Key == "":
		c.Key, c.KeyFile, from["key"] = env("LIMN_MODEL_KEY"), f.ModelKeyFile, "LIMN_MODEL_KEY"
	}
	m, err := f.ask(c)
	if err != nil {
		return nil, modelcmd.At(err, from)
	}
	return m, nil
}

// params are the further keys of each request to the model.
func (f modelFlags) params() (keys map[string]any, err error) {
	if f.ModelParams == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(f.ModelParams), &keys); err != nil {
		return nil, &ui.Error{Code: llm.CodeConfigInvalid, Path: "--model-params", Message: "not a JSON object",
			Hint: `want one such as {"temperature": 0.2, "top_p": 0.9}`, Err: err}
	}
	return keys, nil
}

// places are the flags of what an adapter is built from.
var places = map[string]string{"provider": "--provider", "url": "--model-url", "model": "--model",
	"key": "LIMN_MODEL_KEY", "key_file": "--model-key-file"}

// ask builds the adapter, with the application's table of models.
func (f modelFlags) ask(c endpoint.Config) (m modelcmd.Model, err error) {
	c.Insecure, c.Strict = f.ModelInsecure, f.Undropped
	if c.Known, err = modelcmd.Table(f.Capabilities); err != nil {
		return nil, err
	}
	return modelcmd.Open(c)
}
