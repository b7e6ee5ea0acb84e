package a2ui

import (
	"github.com/limn-ui/limn/a2ui/internal/wire"
	"github.com/limn-ui/limn/internal/jsonx"
)

// The neutral messages are declared in an internal package because the codecs
// below this one share them; these aliases are their public names.
type (
	// Data is a plain JSON value with exact numbers and ordered members: the
	// data model, literals and action contexts.
	Data = jsonx.Value
	// Member is one key of a Data object.
	Member = jsonx.Member

	// Message is one server→client message in neutral form, modelled on v0.9:
	// *CreateSurface, *UpdateComponents, *UpdateData, *DeleteSurface, and on
	// v1.0 *CallRenderer and *Reply.
	Message = wire.Message
	// CreateSurface{SurfaceID, CatalogID, Root, Theme, SendDataModel,
	// Components, Data, Metadata, Extra} makes a surface known and shown:
	// createSurface, on v0.8 beginRendering. Components, Data and Metadata are
	// v1.0's.
	CreateSurface = wire.CreateSurface
	// UpdateComponents{SurfaceID, Components, Extra} adds or replaces
	// components by id.
	UpdateComponents = wire.UpdateComponents
	// UpdateData{SurfaceID, Path, Value, Delete, Extra} replaces the value at
	// Path, or removes the key.
	UpdateData = wire.UpdateData
	// DeleteSurface{SurfaceID, Extra} removes a surface.
	DeleteSurface = wire.DeleteSurface

	// CallRenderer{CallID, Call, Extra} asks the client to run a function.
	CallRenderer = wire.CallRenderer
	// Reply{CallID, Value, Err, Extra} is the result of a function call, in both
	// directions.
	Reply = wire.Reply
	// CallError{Code, Message} says why a function call failed.
	CallError = wire.CallError

	// Component{ID, Type, CatalogID, Weight, Props} has its v0.9 type and property names
	// in every dialect.
	Component = wire.Component
	// Prop{Name, Value} is one property, argument or context entry.
	Prop = wire.Prop

	// Value is the value of a property: String, Bool, Literal, Path, Ref,
	// Refs, Template, Call, List, Object, Options, Tabs, Event, Local or Checks.
	Value = wire.Value
	// String is a literal string.
	String = wire.String
	// Bool is a literal boolean.
	Bool = wire.Bool
	// Literal{Data} is any other literal: numbers, lists, objects.
	Literal = wire.Literal
	// Path is a binding: an absolute JSON Pointer, or a relative one inside a
	// template.
	Path = wire.Path
	// Ref is one child component id.
	Ref = wire.Ref
	// Refs is a list of child component ids.
	Refs = wire.Refs
	// Template{Component, Path} repeats Component for each item at Path.
	Template = wire.Template
	// Call{Func, Args, ReturnType, CatalogID} is a function call.
	Call = wire.Call
	// List is a list that holds a Path, a Call or another List; plain lists are
	// Literals.
	List = wire.List
	// Object is an object that holds a Path, a Call, a List or another Object,
	// such as accessibility; plain objects are Literals.
	Object = wire.Object
	// Options are the choices of a ChoicePicker.
	Options = wire.Options
	// Option{Label, Value} is one of them.
	Option = wire.Option
	// Tabs are the tabs of a Tabs component.
	Tabs = wire.Tabs
	// Tab{Title, Child} is one of them.
	Tab = wire.Tab
	// Event{Name, Context, UserMessage} is an action that is sent to the server.
	Event = wire.Event
	// Local{Call} is an action that runs a function on the client.
	Local = wire.Local
	// Checks are validation rules of an input.
	Checks = wire.Checks
	// Check{Condition, Message} shows Message while Condition is false.
	Check = wire.Check

	// ClientMessage is one client→server message: *Action, *ClientError, and on
	// v1.0 *CallAgent and *Reply.
	ClientMessage = wire.ClientMessage
	// Action{Name, SurfaceID, Component, Timestamp, Context, UserMessage,
	// Metadata, Extra} is a user's click with its resolved context.
	Action = wire.Action
	// ClientError{Code, SurfaceID, Path, Message, CallID, Extra} is the error report of
	// a renderer.
	ClientError = wire.ClientError
	// CallAgent{SurfaceID, CallID, Call, Extra} asks the server to run a
	// function.
	CallAgent = wire.CallAgent
)
