package main

// task is one thing that a model shows or changes in the demo application.
type task struct {
	name   string
	before string // the answer of the turn before, if the task goes on from it; not counted
	saved  string // what the user submitted earlier, by form; not counted
	// the envelope as the schema for structured outputs has it written: every key, null where there is
	// nothing
	answer string
}

// tasks are what people ask of examples/desk: every form, table, map and view it
// declares, empty and filled in, small changes of what is open, and one thing
// more beside another. They were written before anything was counted.
var tasks = []task{
	{name: "form, empty",
		answer: `{"assistant_text":"Here is the form for a new customer.","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":null}}]}`},
	{name: "form, four values",
		answer: `{"assistant_text":"I filled in what you told me about Acme.","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":[{"field":"company","value":"Acme GmbH"},{"field":"email","value":"office@acme.example"},{"field":"segment","value":"mid"},{"field":"budget","value":25000}]}}]}`},
	{name: "form, all values",
		answer: `{"assistant_text":"All of it is in the form. Please check it and save.","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":[{"field":"company","value":"Northwind Traders"},{"field":"email","value":"anna.berg@northwind.example"},{"field":"phone","value":"+46 8 123 456"},{"field":"website","value":"https://northwind.example"},{"field":"segment","value":"ent"},{"field":"interests","value":["Consulting","Training"]},{"field":"newsletter","value":true},{"field":"tags","value":["logistics","nordics"]},{"field":"since","value":"2019-03-01"},{"field":"budget","value":180000},{"field":"confidence","value":70},{"field":"call_at","value":"09:30"},{"field":"notes","value":"Anna prefers mail over calls and wants a quote before the end of the quarter."}]}}]}`},
	{name: "form, German",
		answer: `{"assistant_text":"Ich habe das Formular für die Bäckerei Müller geöffnet.","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":[{"field":"company","value":"Bäckerei Müller"},{"field":"notes","value":"Möchte ab Oktober täglich beliefert werden."}]}}]}`},
	{name: "form with an upload",
		answer: `{"assistant_text":"Upload the card here.","directives":[{"type":"ui.show_form","payload":{"name":"character","title":null,"values":[{"field":"nickname","value":"Mira"}]}}]}`},
	{name: "form, one value changed",
		before: `{"assistant_text":"","directives":[{"type":"ui.show_form","payload":{"name":"customer","title":null,"values":null}}]}`,
		answer: `{"assistant_text":"Done.","directives":[{"type":"ui.patch","payload":{"surface":"form:customer","ops":[{"op":"set","path":"/draft/email","value":"sales@acme.example","before":null,"row":null}]}}]}`},
	{name: "table, empty",
		answer: `{"assistant_text":"Please list the risks.","directives":[{"type":"ui.show_table","payload":{"name":"risks","title":null,"min_rows":null,"rows":null}}]}`},
	{name: "table, 20 rows to fill in",
		answer: `{"assistant_text":"Here is a table for your 20 stakeholders.","directives":[{"type":"ui.show_table","payload":{"name":"stakeholders","title":null,"min_rows":20,"rows":null}}]}`},
	{name: "table, three rows",
		answer: `{"assistant_text":"These are the three you named.","directives":[{"type":"ui.show_table","payload":{"name":"stakeholders","title":null,"min_rows":null,"rows":[{"id":null,"cells":[{"field":"name","value":"Ana Silva"},{"field":"role","value":"Sponsor"},{"field":"influence","value":"High"}]},{"id":null,"cells":[{"field":"name","value":"Bob Chen"},{"field":"role","value":"IT"},{"field":"influence","value":"Medium"}]},{"id":null,"cells":[{"field":"name","value":"Cleo Martin"},{"field":"role","value":"Finance"},{"field":"influence","value":"Low"}]}]}}]}`},
	{name: "table, six full rows",
		answer: `{"assistant_text":"I wrote down the six risks from the workshop.","directives":[{"type":"ui.show_table","payload":{"name":"risks","title":"Risks of the move","min_rows":6,"rows":[{"id":null,"cells":[{"field":"risk","value":"The supplier of the housing delivers late"},{"field":"impact","value":"High"},{"field":"likelihood","value":"Medium"},{"field":"owner","value":"Ana"},{"field":"due","value":"2026-12-01"}]},{"id":null,"cells":[{"field":"risk","value":"Two engineers leave before the release"},{"field":"impact","value":"High"},{"field":"likelihood","value":"Low"},{"field":"owner","value":"Bob"},{"field":"due","value":"2027-01-15"}]},{"id":null,"cells":[{"field":"risk","value":"The test lab is booked out"},{"field":"impact","value":"Medium"},{"field":"likelihood","value":"High"},{"field":"owner","value":"Cleo"},{"field":"due","value":"2026-12-10"}]},{"id":null,"cells":[{"field":"risk","value":"Certification takes longer than planned"},{"field":"impact","value":"High"},{"field":"likelihood","value":"Medium"},{"field":"owner","value":"Dan"},{"field":"due","value":"2027-02-01"}]},{"id":null,"cells":[{"field":"risk","value":"Exchange rates move against us"},{"field":"impact","value":"Low"},{"field":"likelihood","value":"Medium"},{"field":"owner","value":"Eve"},{"field":"due","value":"2027-03-31"}]},{"id":null,"cells":[{"field":"risk","value":"The data centre loses power"},{"field":"impact","value":"Medium"},{"field":"likelihood","value":"Low"},{"field":"owner","value":"Fay"},{"field":"due","value":"2026-11-30"}]}]}}]}`},
	{name: "table, twelve names",
		answer: `{"assistant_text":"I entered the twelve people you pasted; roles and influence are still open.","directives":[{"type":"ui.show_table","payload":{"name":"stakeholders","title":null,"min_rows":12,"rows":[{"id":null,"cells":[{"field":"name","value":"Ana Silva"}]},{"id":null,"cells":[{"field":"name","value":"Bob Chen"}]},{"id":null,"cells":[{"field":"name","value":"Cleo Martin"}]},{"id":null,"cells":[{"field":"name","value":"Dan Novak"}]},{"id":null,"cells":[{"field":"name","value":"Eve Okafor"}]},{"id":null,"cells":[{"field":"name","value":"Fay Lindqvist"}]},{"id":null,"cells":[{"field":"name","value":"Gil Romano"}]},{"id":null,"cells":[{"field":"name","value":"Hana Sato"}]},{"id":null,"cells":[{"field":"name","value":"Ivo Petrov"}]},{"id":null,"cells":[{"field":"name","value":"Jun Park"}]},{"id":null,"cells":[{"field":"name","value":"Kim Larsen"}]},{"id":null,"cells":[{"field":"name","value":"Lea Fontaine"}]}]}}]}`},
	{name: "table, one row added",
		before: `{"assistant_text":"","directives":[{"type":"ui.show_table","payload":{"name":"stakeholders","title":null,"min_rows":3,"rows":null}}]}`,
		answer: `{"assistant_text":"I added Dan.","directives":[{"type":"ui.patch","payload":{"surface":"table:stakeholders","ops":[{"op":"append","path":"/draft/stakeholders","value":[{"field":"name","value":"Dan Novak"},{"field":"role","value":"Legal"}],"before":null,"row":null}]}}]}`},
	{name: "map, empty",
		answer: `{"assistant_text":"Please tell me the steps.","directives":[{"type":"ui.show_map","payload":{"name":"process","title":null,"min_steps":null,"steps":null,"edges":null}}]}`},
	{name: "map, three steps",
		answer: `{"assistant_text":"This is how I understood the process.","directives":[{"type":"ui.show_map","payload":{"name":"process","title":null,"min_steps":null,"steps":[{"id":null,"name":"Review the invoice","owner":"Finance","outcome":"Checked invoice"},{"id":null,"name":"Sign off","owner":"IT","outcome":"Signed invoice"},{"id":null,"name":"Approve","owner":"CFO","outcome":"Payment"}],"edges":null}}]}`},
	{name: "map, five steps and links",
		answer: `{"assistant_text":"The hiring process, with the two interviews side by side.","directives":[{"type":"ui.show_map","payload":{"name":"process","title":"Hiring","min_steps":5,"steps":[{"id":"s1","name":"Screen the application","owner":"HR","outcome":"Shortlist"},{"id":"s2","name":"Technical interview","owner":"Team lead","outcome":"Notes"},{"id":"s3","name":"Culture interview","owner":"Team","outcome":"Notes"},{"id":"s4","name":"Approve the offer","owner":"Director","outcome":"Approved offer"},{"id":"s5","name":"Send the offer","owner":"HR","outcome":"Signed contract"}],"edges":[{"id":null,"from":"s1","to":"s2","kind":"parallel"},{"id":null,"from":"s1","to":"s3","kind":"parallel"},{"id":null,"from":"s2","to":"s4","kind":"approval"},{"id":null,"from":"s3","to":"s4","kind":"approval"},{"id":null,"from":"s4","to":"s5","kind":"sequence"}]}}]}`},
	{name: "map, eight names of steps",
		answer: `{"assistant_text":"Eight steps; owners and outcomes are yours to add.","directives":[{"type":"ui.show_map","payload":{"name":"process","title":"Returns","min_steps":8,"steps":[{"id":null,"name":"Receive the parcel","owner":null,"outcome":null},{"id":null,"name":"Scan the label","owner":null,"outcome":null},{"id":null,"name":"Inspect the goods","owner":null,"outcome":null},{"id":null,"name":"Take pictures","owner":null,"outcome":null},{"id":null,"name":"Decide on a refund","owner":null,"outcome":null},{"id":null,"name":"Book the refund","owner":null,"outcome":null},{"id":null,"name":"Restock","owner":null,"outcome":null},{"id":null,"name":"Tell the customer","owner":null,"outcome":null}],"edges":null}}]}`},
	{name: "dashboard, nothing saved",
		answer: `{"assistant_text":"This is your desk.","directives":[{"type":"ui.show_view","payload":{"name":"overview"}}]}`},
	{name: "dashboard, a customer saved",
		saved:  `{"customer":{"company":"Acme GmbH","segment":["mid"],"budget":25000,"confidence":70,"notes":"Wants a quote in March."}}`,
		answer: `{"assistant_text":"This is what we know about Acme.","directives":[{"type":"ui.show_view","payload":{"name":"overview"}}]}`},
	{name: "dashboard beside a table",
		saved:  `{"customer":{"company":"Acme GmbH","segment":["mid"],"budget":25000,"confidence":70,"notes":"Wants a quote in March."},"character":{"nickname":"Mira"}}`,
		answer: `{"assistant_text":"The overview, and a table for the risks of this customer.","directives":[{"type":"ui.show_view","payload":{"name":"overview"}},{"type":"ui.show_table","payload":{"name":"risks","title":"Risks with Acme","min_rows":null,"rows":null}}]}`},
	{name: "upload alone",
		answer: `{"assistant_text":"Please upload the list you have.","directives":[{"type":"ui.request_upload","payload":{"label":"The list of suppliers","name":"suppliers","accept":["text/csv"]}}]}`},
}
