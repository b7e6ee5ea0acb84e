// Package html draws surfaces as HTML: the second drawing of the ui nodes,
// beside A2UI.
//
// In: a ui.Surface or two ui.States and the Frame between them. Out: HTML
// bytes, complete and escaped, without a raw line end. AppendSurface draws one surface,
// AppendSnapshot all of a conversation. Update returns the changes from the page of one
// State to the page of the next, as Turbo stream elements. Transport web calls all
// three. The package is pure; the same input gives the same bytes.
//
// # Invariants
//
//   - Everything in a State is untrusted. It becomes text or a quoted attribute
//     through one escape, never a tag; images load from http and https only.
//   - A page works without script: POST, 303, GET. All panels of tabs are shown.
//   - Every control has a name for assistive technology, every error is
//     beside its control, is linked from the summary, and the first invalid
//     control has autofocus.
//   - A stream never clears the text a user typed, except when the server writes
//     that value, or the field gets new options or a new type.
//   - Ids of permanent elements are CSS identifiers: Turbo looks them up with an
//     unescaped selector, and one bad id would break every stream of the page.
//
// # The page
//
// Surfaces are in <section id="limn-surfaces">. A surface is
//
//	turbo-frame#{wire id}[target=_top]
//	  section.limn-surface.limn-open > h2.limn-title
//	    form.limn-form                       POST to Options.Action
//	      input limn_surface, limn_nonce     hidden
//	      button.limn-default                what Enter presses; hide it visually
//	      div.limn-summary[role=alert]       empty without errors
//	      … the nodes …
//	      input limn_rev                     hidden, last
//
// A control's name is its Path (/draft/name, /draft/people/r1/name); a button's
// name is limn_component and its value the component id. Checkboxes and lists
// have a hidden companion in front, so that "false" and "none" are sent: the
// last value of a checkbox counts, the empty value of a list does not. An
// form with an upload is multipart: a chosen file and the id of a stored one are
// sent under the upload's Path, and the button limn.detach removes the file. A
// script may upload at once: limn_surface, limn_nonce, limn_path and file, to
// Options.Uploads, which is in data-uploads of the input.
// The name shown for an id is the text at /ui_state/uploads/<id>, else the id.
// An expired surface sends limn_action=limn.regenerate.
//
// A surface that takes no more input is a card, section.limn-done: its end with the time,
// up to five values in dl.limn-lines, and all of them in details.limn-all. data-seq is the
// frame of its end: a page can put the card into its conversation there.
//
// # Pages of tables
//
// A table is drawn a page at a time, of ui.PageRows rows. Where it has several,
// div.limn-pager follows its rows: it says in data-first, data-last and data-count
// which rows of how many are drawn, and has the buttons that turn the page. In the
// summary an error of another page is button.limn-show, which turns to it and
// has the id of the control in data-target. Errors of such a table say in data-at and
// data-row which table and row they are about.
// A script can draw more rows: div.limn-scroll has Options.Rows in data-rows, the
// Path in data-path and the key path in data-at (see AppendRows). Such a script
// has to leave out streams that add, remove or move rows of the tbody, and ask
// again after each; streams inside a row are right wherever the row is drawn.
//
// # Updates
//
// Each control is alone in div.limn-input[data-turbo-permanent]. The
// wrapper's id holds surface, path, type, a hash of the options and, last, the
// rev of the server's last write to the leaf. Labels, help, error slots,
// numbers of rows, bound content, stored uploads and the hidden rev are outside.
// While the tree stays, Update streams only what differs of these, single rows,
// and wrappers whose id changed; the rev is the last stream. When the tree or
// the status changed it replaces the frame, and Turbo carries wrappers with the
// same id over. Node attributes inside a kept wrapper (placeholder, bounds,
// aria-required) stay as they were until the page is loaded again; the server
// checks everything anyway.
//
// # What the page script must do
//
//  1. After every stream, for each .limn-error whose data-for names an element
//     of the page: set aria-invalid="true" on that element if the slot has
//     text, else remove it. aria-describedby needs nothing: it names the slot
//     from the beginning.
//  2. On every change of a select, reflect the choice into the selected
//     attributes of its options. When a frame is replaced Turbo carries permanent
//     elements over as clones: a clone has the typed text and the checked boxes,
//     but of a select only what attributes say. A chosen file that was not yet
//     uploaded is lost to a replaced frame: no clone has it.
//  3. After a refused submit move the focus to Target(outcome path), else to the
//     first [aria-invalid=true].
//  4. Optional: turn .limn-tabs into tabs (hide .limn-panel, keep aria-selected,
//     arrow keys; open the panel of an invalid control and of a followed #link;
//     set the state again after a stream), and copy a range's value into its
//     output.limn-output.
//  5. Where the drafts of several people are shared, keep the wrapper of an input
//     although its rev is another one, and let the shared draft write there. The new
//     wrapper would drop letters that the user types.
//
// # Classes
//
//	surface   limn-surface limn-open limn-submitted limn-canceled limn-expired limn-title
//	          limn-form limn-default limn-summary
//	card      limn-done limn-when limn-answered limn-lines limn-all limn-value
//	layout    limn-column limn-row limn-card limn-section limn-fold limn-tabs
//	          limn-tablist limn-tab limn-panel limn-divider
//	content   limn-heading limn-text limn-small limn-image limn-image-missing limn-icon
//	          limn-stat limn-figure limn-note limn-progress limn-progress-text
//	          limn-notice limn-info limn-success limn-warning limn-error
//	inputs    limn-field limn-check limn-choice limn-option limn-label limn-required
//	          limn-help limn-input limn-output limn-error limn-stored limn-file limn-limit limn-detach
//	pictures  limn-picture limn-caption limn-canvas limn-words, and in the SVG of package
//	          picture: limn-svg limn-svg-1…3 (wide) limn-step-box limn-step-name
//	          limn-step-owner limn-edge limn-edge-sequence …-approval …-parallel
//	          limn-edge-head limn-edge-label limn-edge-text limn-chart-grid
//	          limn-chart-text limn-series limn-series-mark limn-series-0…
//	rows      limn-table limn-scroll limn-add limn-row-buttons limn-up limn-down
//	          limn-remove limn-steps limn-caption limn-step limn-edges
//	actions   limn-button limn-primary
//	hidden    limn-hidden: visually hidden, still read aloud
//
// limn-error is both the slot (p) and a tone (div.limn-notice); p.limn-error:empty
// takes no room. limn-default must be hidden visually and not by display:none,
// or some browsers ignore Enter. Icons refer to symbols of a sprite: Options.Icons
// and the name, by default #limn-icon-<name> in the page.
//
// # Where it differs from A2UI
//
// Tags are plain text (chips are the script's); the edges of Steps are listed in words,
// the picture of a process is a separate node. Cells are named by aria-labelledby,
// column title and row number, not by separate texts, which would be wrong as soon as a
// row above is removed.
package html
