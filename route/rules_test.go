package route_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/limn-ui/limn/route"
	"github.com/limn-ui/limn/ui"
)

// Own sentences per rule; in each group about half are near misses. want is the
// action, for tools with the tool and the count: "table 12", "map 3", "table",
// "clarify table", "clarify map", "chat".
var sentences = []struct{ message, want string }{
	// R-40 list size
	{"We have 14 suppliers to onboard.", "table 14"},
	{"I need to document 35 contracts by Friday.", "table 35"},
	{"there are 8 unresolved customer complaints", "table 8"},
	{"Our 22 branch managers need to be listed.", "table 22"},
	{"9 open vacancies and counting", "table 9"},
	{"Please capture the following 6 milestones.", "table 6"},
	{"We have one supplier.", "chat"},
	{"I only manage two contracts.", "chat"},
	{"The 3rd supplier was late.", "chat"},
	{"My daughter turned 7 yesterday.", "chat"},
	{"We had 4 meetings about this.", "chat"},
	{"He is number 5 on my list of worries.", "chat"},
	// R-41 number grammar
	{"Half a dozen vendors replied.", "table 6"},
	{"We have two dozen laptops to track.", "table 24"},
	{"one hundred and five employees need badges", "table 105"},
	{"Between 8 and 12 risks need an owner.", "table 8"},
	{"We collected 20–25 requirements.", "table 20"},
	{"There are 14, maybe 15 suppliers in scope.", "table 14"},
	{"1.5k customers should be recorded", "table 1500"},
	{"At least thirty contracts have to be listed.", "table 30"},
	{"Up to 40 attendees will register.", "table 3"},
	{"I have a hundred and twenty assets.", "table 120"},
	{"A pair of risks came up.", "chat"},
	{"A handful of stakeholders replied.", "clarify table"},
	{"Various issues were raised.", "clarify table"},
	{"A few risks remain.", "clarify table"},
	// R-42 head noun
	{"We track 18 risks across 4 projects.", "table 18"},
	{"There are 5 departments with 4 people each.", "table 20"},
	{"60 customers in 12 countries have to be listed", "table 60"},
	{"We work across 3 time zones.", "chat"},
	{"The team sits in 4 offices.", "chat"},
	// R-43 never a list size
	{"The meeting starts at 10:30.", "chat"},
	{"It took 6 weeks.", "chat"},
	{"We paid 3,500 dollars.", "chat"},
	{"Revenue grew by 12 percent.", "chat"},
	{"See section 4 of page 41.", "chat"},
	{"It's a catch-22.", "chat"},
	{"We run 24/7.", "chat"},
	{"On 5 March we go live.", "chat"},
	{"A 14-day notice applies.", "chat"},
	{"We get 200 calls per hour.", "chat"},
	{"Room 12 is free.", "chat"},
	{"The code is `retry 5 times`.", "chat"},
	{"Python 3 is required.", "chat"},
	{"Order 66 was cancelled.", "chat"},
	// R-44 inferred list
	{"Vendors: Acme, Globex, Initech", "table 3"},
	{"Our risks are fraud, outage, data loss and churn.", "table 4"},
	{"The departments include Sales, Legal, Finance and HR.", "table 4"},
	{"Here are our tools:\n- Jira\n- Slack\n- Notion", "table 3"},
	{"Ana: CFO\nBen: Head of Legal\nCho: CISO", "table 3"},
	{"Item;Qty;Price\nDesk;12;80\nChair;3;40\nLamp;7;15", "table 3"},
	{"The stakeholders are nervous, tired and unhappy.", "clarify table"},
	{"It was cold, wet and windy.", "chat"},
	{"Hi team,\nthanks for the update.\nBest,\nAnna", "chat"},
	{"- one thing\n- another thing", "chat"},
	{"I came, I saw, I conquered.", "chat"},
	// R-45 lines with verbs
	{"1. Receive the order\n2. Pick the goods\n3. Pack the box\n4. Ship it", "map 4"},
	{"- Draft the contract\n- Review it\n- Sign it", "map 3"},
	{"1. Berlin\n2. Paris\n3. Rome", "table 3"},
	// R-46 bulk
	{"It's all in a spreadsheet.", "table"},
	{"Can we bulk upload the users?", "table"},
	{"I'd rather paste a list of names.", "table"},
	{"I have a Google Sheet with all of them.", "table"},
	{"Here is the export as CSV.", "table"},
	{"How does a spreadsheet work?", "chat"},
	{"I don't want to use a spreadsheet.", "chat"},
	{"We buy paper in bulk.", "chat"},
	{"No Excel please.", "chat"},
	// R-47 workflow markers
	{"First the nurse examines the patient, then the doctor decides.", "map 2"},
	{"Sales qualifies the lead and then marketing sends the offer.", "map 2"},
	{"Collect -> Check -> Archive", "map 3"},
	{"Once the invoice is approved, finance pays it.", "map 2"},
	{"QA tests the release before ops deploys it.", "map 2"},
	{"The clerk registers the claim. After that, the adjuster inspects it. Finally, finance pays.", "map 3"},
	{"Step 1: collect the data. Step 2: clean it. Step 3: publish it.", "map 3"},
	{"Intake, then triage, then treatment.", "map 3"},
	{"First of all, sorry for the delay.", "chat"},
	{"See you next month.", "chat"},
	{"I was tired before lunch.", "chat"},
	{"After the holidays everything is different.", "chat"},
	{"Then again, maybe not.", "chat"},
	{"At first I was sceptical.", "chat"},
	{"Before I go, any news?", "chat"},
	{"Call me after 5.", "chat"},
	{"Back then nobody cared.", "chat"},
	{"Legal reviewed the contract back then while finance approved it.", "chat"},
	{"Back then finance approved the invoices, legal checked the contracts.", "chat"},
	// R-48 nouns that stand alone
	{"Our sales pipeline is chaotic.", "map"},
	{"The approval process takes forever.", "map"},
	{"I have to describe the migration steps.", "map"},
	{"It's not a pipeline.", "chat"},
	{"Why is an approval process useful?", "chat"},
	// R-49 explicit
	{"Show me a table.", "table"},
	{"I want a process map.", "map"},
	{"Please open a grid.", "table"},
	{"Let's map the hiring process.", "map"},
	{"The table is made of oak.", "chat"},
	{"Check the road map.", "chat"},
	{"Put your cards on the table.", "chat"},
	// soft
	{"Our invoicing process is slow.", "clarify map"},
	{"The returns workflow annoys everyone.", "clarify map"},
	{"Stakeholders keep calling.", "clarify table"},
	{"Some issues came up in testing.", "clarify table"},
	{"HR, finance and the line manager all touch the leave process.", "clarify map"},
	{"We process payments.", "chat"},
	{"I'm in the process of moving.", "chat"},
	{"The stakeholder workshop was fun.", "chat"},
	{"There is no process for that.", "chat"},
	// R-55 chat only
	{"Hello!", "chat"},
	{"Thanks a lot for your help.", "chat"},
	{"Give me 10 ideas for a team event.", "chat"},
	{"Suggest 5 names for the project.", "chat"},
	{"Can you explain the approval process?", "chat"},
	{"Rename row 4 to Vendors.", "chat"},
	{"Remove the third risk.", "chat"},
	{"Is 20 stakeholders a lot?", "chat"},
	{"How do I paste my list of 30 vendors?", "table 30"},
	{"What now? We have 12 suppliers.", "table 12"},
	// quotation and negation
	{`She wrote "we have 30 vendors" in the chat.`, "chat"},
	{"> we have 30 vendors\nNo comment.", "chat"},
	{"We don't have 20 suppliers.", "chat"},
	{"There aren't 15 risks.", "chat"},
	{"No table please, we have 9 vendors.", "chat"},
	{"I can't type all 14 vendors one by one.", "table 14"},
	{"No problem, we have 12 risks.", "table 12"},
	// R-58 other languages
	{"Wir haben fünfundzwanzig Lieferanten.", "table 25"},
	{"Nous avons quatre-vingt-dix clients.", "table 90"},
	{"Tenemos treinta y dos contratos.", "table 32"},
	{"Abbiamo ventuno fornitori.", "table 21"},
	{"Wij hebben twaalf leveranciers.", "table 12"},
	{"Temos vinte e cinco clientes.", "table 25"},
	{"我们有12个供应商。", "table 12"},
	{"会議は15時です。", "chat"},
	{"Das dauert 3 Jahre.", "chat"},
	{"우리는 15개 공급업체가 있습니다.", "table 15"},
}

func describe(d route.Decision) string {
	switch d.Action {
	case route.ActionTool:
		if d.Params.Table != nil {
			if d.Params.Table.Stated == 0 {
				return "table"
			}
			return "table " + strconv.Itoa(d.Params.Table.MinRows)
		}
		if d.Params.Map.Stated == 0 {
			return "map"
		}
		return "map " + strconv.Itoa(d.Params.Map.MinSteps)
	case route.ActionClarify:
		if d.Candidate == ui.ToolMap {
			return "clarify map"
		}
		return "clarify table"
	}
	return "chat"
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for _, s := range sentences {
		d := route.Decide(s.message, ui.Router{}, route.Prefs{}, time.Time{})
		if got := describe(d); got != s.want {
			t.Errorf("%q: %s (%s), want %s", s.message, got, d.Rationale, s.want)
		}
	}
}
