package llm

import "slices"

// Known returns the built-in table: the capabilities of some providers' models at
// the end of 2025, and less rather than more of servers that run any model. It
// was written down, not probed. What it does not list is PromptOnly. Budgets are
// in tokens; prices are for first orientation.
//
// A provider is the host of the server or, if the server has its own dialect or can
// run on any host, the name of the adapter or preset: anthropic, ollama, vllm,
// llamacpp.
func Known() Table {
	var t Table
	add := func(provider string, c Capabilities, models ...string) {
		for _, m := range models {
			e := Entry{Provider: provider, Model: m, Capabilities: c, Source: "built in"}
			e.Keys = slices.Clone(c.Keys)
			t = append(t, e)
		}
	}
	knownOpenAI(add)
	knownAnthropic(add)
	knownGemini(add)
	knownServers(add)
	return t
}

type adder func(provider string, c Capabilities, models ...string)

// sized returns c with budgets and a price.
func sized(c Capabilities, context, output int, p Price) Capabilities {
	c.Context, c.Output, c.Price = context, output, p
	return c
}

func knownOpenAI(add adder) {
	const host, router = "*api.openai.com", "openrouter.ai"
	every := []string{"max_completion_tokens", "stream_options", "seed", "tool_choice", "service_tier", "store",
		"metadata", "safety_identifier",
		"prompt_cache_key", "user"}
	chat := Capabilities{JSONSchema: true, JSONObject: true, Tools: true, ParallelKey: true, ParallelNeedsTools: true,
		ParallelTools: true, Streaming: true, Images: true,
		Keys: slices.Concat(every, []string{"temperature", "top_p", "stop", "presence_penalty", "frequency_penalty",
			"logit_bias", "logprobs", "top_logprobs"})}
	reason := chat
	reason.Keys = slices.Concat(every, []string{"reasoning_effort", "verbosity"})
	o := reason // one call at a time, and no key that says so
	o.ParallelKey, o.ParallelNeedsTools, o.ParallelTools = false, false, false
	o.Keys = slices.Concat(every, []string{"reasoning_effort"})

	old := sized(chat, 128_000, 4096, Price{In: 5, Out: 15})
	old.JSONSchema = false
	add(host, old, "gpt-4o-2024-05-13")
	chats := []struct {
		name string
		c    Capabilities
	}{
		{"gpt-4o", sized(chat, 128_000, 16_384, Price{In: 2.5, CachedIn: 1.25, Out: 10})},
		{"gpt-4o-mini", sized(chat, 128_000, 16_384, Price{In: 0.15, CachedIn: 0.075, Out: 0.6})},
		{"gpt-4.1", sized(chat, 1_047_576, 32_768, Price{In: 2, CachedIn: 0.5, Out: 8})},
		{"gpt-4.1-mini", sized(chat, 1_047_576, 32_768, Price{In: 0.4, CachedIn: 0.1, Out: 1.6})},
		{"gpt-4.1-nano", sized(chat, 1_047_576, 32_768, Price{In: 0.1, CachedIn: 0.025, Out: 0.4})},
	}
	for _, m := range chats {
		add(host, m.c, m.name, m.name+"-20*")
	}
	add(host, sized(reason, 400_000, 128_000, Price{In: 1.25, CachedIn: 0.125, Out: 10}), "gpt-5", "gpt-5-20*",
		"gpt-5.1", "gpt-5.1-20*")
	add(host, sized(reason, 400_000, 128_000, Price{In: 0.25, CachedIn: 0.025, Out: 2}), "gpt-5-mini", "gpt-5-mini-20*")
	add(host, sized(reason, 400_000, 128_000, Price{In: 0.05, CachedIn: 0.005, Out: 0.4}), "gpt-5-nano",
		"gpt-5-nano-20*")
	add(host, sized(o, 200_000, 100_000, Price{In: 2, CachedIn: 0.5, Out: 8}), "o3", "o3-20*")
	add(host, sized(o, 200_000, 100_000, Price{In: 1.1, CachedIn: 0.275, Out: 4.4}), "o4-mini", "o4-mini-20*")
	add(host, Capabilities{Keys: []string{"max_completion_tokens"}}, "*") // newer models refuse max_tokens
	for _, m := range chats {
		m.c.Keys = []string{"temperature", "top_p", "max_tokens", "stream_options", "seed", "stop", "presence_penalty",
			"frequency_penalty", "tool_choice"}
		m.c.ParallelNeedsTools = false
		add(router, m.c, "openai/"+m.name)
	}
	add(router, Capabilities{Keys: []string{"temperature", "top_p", "max_tokens", "stream_options", "stop"},
		Streaming: true}, "*")
}

func knownAnthropic(add adder) {
	const native, compatible = "anthropic", "api.anthropic.com"
	plain := Capabilities{Keys: []string{"temperature", "top_p", "top_k", "stop_sequences", "tool_choice", "thinking",
		"metadata", "service_tier", "max_tokens"},
		Tools: true, ParallelKey: true, ParallelNeedsTools: true, ParallelTools: true, Streaming: true, Images: true}
	schema := plain
	schema.JSONSchema = true
	add(native, sized(schema, 200_000, 64_000, Price{In: 5, CachedIn: 0.5, Out: 25}), "claude-opus-4-5*")
	add(native, sized(schema, 200_000, 32_000, Price{In: 15, CachedIn: 1.5, Out: 75}), "claude-opus-4-1*")
	add(native, sized(schema, 200_000, 64_000, Price{In: 3, CachedIn: 0.3, Out: 15}), "claude-sonnet-4-5*")
	add(native, sized(schema, 200_000, 64_000, Price{In: 1, CachedIn: 0.1, Out: 5}), "claude-haiku-4-5*")
	add(native, sized(plain, 200_000, 64_000, Price{In: 3, CachedIn: 0.3, Out: 15}), "claude-sonnet-4-0",
		"claude-sonnet-4-20*")
	add(native, sized(plain, 200_000, 32_000, Price{In: 15, CachedIn: 1.5, Out: 75}), "claude-opus-4-0",
		"claude-opus-4-20*")
	add(native, sized(plain, 200_000, 8192, Price{In: 0.8, CachedIn: 0.08, Out: 4}), "claude-3-5-haiku*")
	// Its OpenAI-compatible endpoint takes response_format and ignores it.
	add(compatible, Capabilities{Keys: []string{"temperature", "top_p", "max_tokens", "stop", "tool_choice"},
		Tools: true, ParallelKey: true,
		ParallelNeedsTools: true, ParallelTools: true, Streaming: true, Context: 200_000}, "claude-*")
}

func knownGemini(add adder) {
	const host = "generativelanguage.googleapis.com"
	c := Capabilities{Keys: []string{"temperature", "top_p", "max_tokens", "stop", "reasoning_effort", "tool_choice"},
		JSONSchema: true, JSONObject: true, Tools: true, Streaming: true, Images: true}
	add(host, sized(c, 1_048_576, 65_536, Price{}), "gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite")
	c.Keys = []string{"temperature", "top_p", "max_tokens", "stop", "tool_choice"}
	add(host, sized(c, 1_048_576, 8192, Price{In: 0.1, CachedIn: 0.025, Out: 0.4}), "gemini-2.0-flash",
		"gemini-2.0-flash-001")
}

// knownServers holds servers that run any model: they force an answer into a
// grammar whatever the model, but whether it can call tools is for a probe.
func knownServers(add adder) {
	keys := []string{"temperature", "top_p", "max_tokens", "stream_options", "seed", "stop", "presence_penalty",
		"frequency_penalty"}
	c := Capabilities{Keys: keys, JSONSchema: true, JSONObject: true, Streaming: true}
	add("ollama", c, "*")
	c.Keys = append(slices.Clone(keys), "top_k", "min_p", "repetition_penalty")
	add("vllm", c, "*")
	c.Keys = append(slices.Clone(keys), "top_k", "min_p", "repeat_penalty")
	add("llamacpp", c, "*")
}
