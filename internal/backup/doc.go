// Package backup writes all that a store keeps to a file, and reads it back.
//
// In: a [store.Store]. Out: one stream, the same for every kind of store, so a
// backup of one kind can be restored into another.
// Called by the commands "limn backup" and "limn restore".
//
// # The file
//
// gzip, in it lines of JSON, each an object with one member that names its kind:
//
//	{"limn":{"version":2,"at":1772366400123456}}            first
//	{"conversation":{"id":…,"log":…,"owner":…,"seq":4,"floor":1,…}}
//	{"frame":{"seq":2,"body":…,"trace":…,"said":…}}         floor+1 … seq
//	{"snapshot":{"seq":2,"body":…}}
//	{"record":{"event":…,"notes":[…],…}}                    in order of arrival
//	{"job":{…}}
//	{"file":{…}}
//	{"conversation":…                                       and so on
//	{"app_record":{"name":…,"id":…,"version":1,…}}          ascending
//	{"app_record":{"name":…,"id":…,"version":2,"terms":[…],…}}
//	{"app_record":…                                         and so on
//	{"end":{"conversations":2,"records":2,"lines":18,"sha256":…}} last
//
// A record here is a received event; an app_record is a record that a form, table or
// map of the application saved. Version 1 of the format has no app_records. They are
// read after the conversations, at a later moment: one may be newer than its frame.
//
// Times are microseconds since 1970. Ids, names and bodies are any bytes: a string
// where they are UTF-8, else {"base64":…}. The closing line counts the lines before
// it and has the SHA-256 of their bytes, so that a file which was cut off, damaged
// or edited is refused. A program refuses a version above its own,
// and whatever it does not know; it reads the versions below its own.
//
// # Memory
//
// Both directions hold one conversation at a time, with its files, or the versions of one record.
package backup
