// Package live keeps the data current that views show beside that of their conversation:
// topics and records of the application.
//
//	publish, save ─▶ Bus ─▶ Streams: which are due ─▶ CatchUp: one event of data, if anything is new
//	a stream begins, a page is read ───────────────▶ CatchUp
//
// A topic is a conversation of the application: its newest value is the one it has
// committed. [Writer] writes data and topics by events, [Source] reads newer values
// than a state has, [Streams] knows which conversations to look at.
//
// Called by session, which runs the turns.
package live
