package prose

import "strings"

// english is the complete lexicon.
func english() *Lexicon {
	l := newLexicon(English)
	l.add(Item|Core, "stakeholder risk issue")
	l.add(Item, `vendor supplier customer client contact contract requirement user employee person attendee participant member
		team department application app system project product asset invoice dependency control action task item milestone
		decision assumption constraint deliverable bug defect incident ticket feature story epic question location office site
		branch store country region market partner competitor lead prospect candidate applicant student volunteer guest speaker
		sponsor server device laptop license policy document report file record account sku part order payment expense cost
		objective goal target kpi metric benefit lesson finding recommendation change request objection complaint test case
		scenario persona channel campaign event course module skill training position vacancy role responsibility resource
		budget category tag article url link domain certificate integration interface api database environment workstream
		initiative opportunity threat hazard gap subscription invitee colleague reviewer approver owner manager
		engineer developer analyst consultant contractor auditor agency bank branch centre center entity regulation clause
		obligation exception audit warehouse shipment property room vehicle machine sensor drawing permit claim entry row line
		name address email number field topic idea option criterion kind thing school hospital clinic patient nurse doctor
		recipient donor tenant unit asset cabinet form release service process step subcontractor provider dealer reseller`)
	l.add(Measure, `year month week day hour minute second quarter decade century weekend sprint km kilometre kilometer mile metre meter
		kg kilo gram tonne ton litre liter percent percentage degree dollar euro pound cent usd eur gbp buck point star time
		o'clock am pm mb gb tb kb hz fold inch foot feet word character pixel night mph sec min hr hrs mins secs secs yr yrs`)
	l.add(Named, `ticket row step item page version iso phase chapter section level tier line table figure room floor gate flight issue
		invoice order case number no article option part release sprint ref reference building question slide stage clause
		appendix annex apollo windows area route bus track pier terminal day week year since until form rfc id room`)
	l.add(Process, "process workflow procedure")
	l.add(Role, `finance legal it hr ops operations procurement marketing sales engineering security compliance audit purchasing logistics
		manager director lead owner cfo ceo cto cio coo vp ciso analyst sponsor officer approver reviewer controller buyer seller
		customer client supplier vendor support qa developer designer architect accountant clerk nurse doctor board committee
		supervisor coordinator administrator admin treasurer auditor team department recruiter assistant agent applicant employee
		leadership management warehouse payroll accounting secretary planner tester editor author underwriter adjuster`)
	l.add(Negation, `not no never without nor neither none nothing hardly barely don't doesn't didn't isn't aren't wasn't weren't hasn't haven't hadn't
		won't wouldn't shouldn't can't cannot couldn't ain't dont doesnt didnt cant wont isnt arent`)
	l.add(Function|Det,
		"the a an our my your their his her its these those this that each every all any both another other")
	l.add(Function|Prep,
		"of for with from by to on about into onto as under over between among via than without against")
	l.add(Function|Prep|Share, "across at in within per throughout inside amongst")
	l.add(Function|Subject, "i we you he she it they who someone everyone anybody nobody there one")
	l.add(Function|Aux, `is are was were be been being am have has had do does did will would shall should can could may might must
		i'm i've i'd i'll we're we've we'd we'll im ive weve theyve theres thats youre it's they're they've that's there's let's you're he's she's what's here's need needs
		needed want wants going gonna got gets get`)
	l.add(Function, `and or but so if because while when where which whose what why how then than also too just only even still
		already yet again here there now not very please me us them him maybe perhaps well up down out off back away left who
		that whether until since`)
	l.add(Vague, "some several few many handful various multiple numerous loads lots plenty tons bunch")
	l.add(Quality, `fast cheap reliable good bad big small easy hard clear simple safe secure happy unhappy angry tired nervous confused ready
		late early high low slow quick strong weak open closed urgent critical important new old stuck great fine ok busy upset
		unclear missing complex expensive flexible robust scalable lean modern friendly honest smart funny kind nice clever polite rude lazy
		calm quiet loud bright dark warm cold hot wet dry windy sunny huge tiny young tall short long brave loyal rich poor fair tough rough
		smooth proud sad glad mad sick healthy wise shy bold keen patient pleasant worried excited upset annoyed helpful skilled sceptical
		skeptical curious serious boring bored interesting exciting dirty tidy messy hungry thirsty sleepy alive dead aware unaware
		competent experienced junior senior local global remote flaky brittle legacy obsolete outdated crowded lonely lovely ugly pretty`)
	l.add(Approval, "approval approvals sign-off signoff")
	l.add(Greet, "hi hello hey good morning afternoon evening thanks thank bye goodbye cheers welcome greetings thx ty")
	l.add(Yes, "yes yeah yep yup sure ok okay please absolutely definitely certainly alright alrighty fine gladly indeed affirmative yea aye go")
	l.add(No, "no nope nah not later don't dont never neither")
	l.add(Sheet, "spreadsheet spreadsheets excel csv xlsx xls tsv")
	l.add(TableTool, "table tables grid grids spreadsheet spreadsheets sheet")
	l.add(MapTool, "map maps diagram diagrams flowchart flowcharts swimlane swimlanes")
	l.add(AnyTool, "tool tools form forms popup popups pop-ups widget widgets ui uis window windows")
	l.add(Shows, `show showing shown open opening opened pop popping display displaying use using send sending bring bringing give giving offer
		offering push pushing launch launching ask asking put putting suggest suggesting with start starting create creating make making draw drawing`)
	l.add(Everyday, `kid kids child children cat cats dog dogs kitten kittens puppy puppies baby babies son sons daughter daughters brother brothers
		sister sisters sibling siblings friend friends wife wives husband husbands beer beers coffee coffees tea teas drink drinks cup cups glass
		glasses bottle bottles pizza pizzas cookie cookies cake cakes egg eggs apple apples banana bananas slice slices sandwich sandwiches meal
		meals movie movies film films song songs novel novels episode episodes bedroom bedrooms bathroom bathrooms door doors wheel
		wheels leg legs eye eyes hand hands finger fingers chance chances try tries attempt attempts lap laps side sides half halves
		floor floors storey storeys block blocks lane lanes stop stops exit exits language languages degree degrees way ways reason reasons
		opinion opinions sentence sentences paragraph paragraphs bit bits thought thoughts dream dreams joke jokes game games match matches
		round rounds holiday holidays trip trips vacation vacations night nights morning mornings evening evenings party parties birthday
		birthdays pushups push-ups squats reps laps mistake mistakes feather feathers tree trees flower flowers star
		stars planet planets season seasons choices decade decades generation generations digit digits letter letters syllable syllables
		inch inches cents dimension dimensions semester semesters nap naps hug hugs kiss kisses meetings calls visit visits acts pages chapters verses muffin muffins croissant croissants snacks feet paws tails`)
	l.mark(LinkFirst, "first firstly initially")
	l.mark(LinkThen,
		"then next afterwards afterward subsequently thereafter secondly thirdly finally lastly second third")
	l.mark(LinkBefore, "before")
	l.mark(LinkAfter, "after once")
	l.mark(LinkWhile, "meanwhile simultaneously concurrently")
	l.mark(LinkIf, "if otherwise unless")
	for n, w := range strings.Fields(
		"zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen") {
		l.number(n, 0, w)
	}
	for n, w := range strings.Fields("twenty thirty forty fifty sixty seventy eighty ninety") {
		l.number(20+10*n, Tens, w)
	}
	l.number(40, Tens, "fourty")
	l.number(100, 0, "hundred")
	l.number(1000, 0, "thousand")
	l.number(12, 0, "dozen")
	l.verbs()
	for form, base := range l.base { // "issues", "orders", "processes" are both: verbs and plural nouns
		if e, n := l.words[form], l.words[base]; e.class&VerbS != 0 && n.class&(Item|Process) != 0 {
			e.class |= n.class&(Item|Core|Process|Role) | Plural
			l.words[form] = e
		}
	}
	return l
}

// actionVerbs are what people and systems do in processes. Everyday verbs (go,
// have, talk, call) are left out on purpose: they tell stories.
const actionVerbs = `accept acknowledge activate add address adjust allocate analyse analyze announce apply appoint approve archive arrange
	assemble assess assign attach audit authorise authorize award bill book brief budget build calculate cancel capture
	categorise categorize certify check choose classify clean clear close code collect combine communicate compare compile complete
	compute configure confirm connect consolidate construct contact convert coordinate copy create deactivate debug decide decline
	decommission define deliver deploy design determine develop diagnose discharge dispatch distribute document download draft
	edit email enable enrol enroll enter escalate establish estimate evaluate examine execute export extract fetch file fill filter
	finalise finalize fix flag forward fulfil fulfill gather generate grant greenlight group handle hand hire identify implement import
	inform initiate input inspect install instruct integrate interview investigate invite invoice isolate issue label launch
	level list load log maintain mail make manage manufacture map measure merge migrate monitor move negotiate notify obtain onboard
	open order organise organize pack package park pass pay perform pick place plan post prepare present price print prioritise prioritize
	process procure produce provision publish pull purchase push qualify quote raise rate receive reconcile record recruit refund
	refer register reject release remediate remind remove repair replace reply report request research reserve resolve respond restore
	retest retire return review revise revoke roll route run sample save scan schedule score screen select send set ship sign simulate
	sort source specify stage start stock stop store submit summarise summarize supply switch tag test track train transcode transfer
	translate transport triage triages unpack update upgrade upload validate vet verify vote weigh withdraw write
	fail finish happen hold inspect intake ingest transform normalise cleanse index render cut weld paint grind polish bake mix harvest
	onboard offboard settle deposit debit credit reimburse freeze lock unlock encrypt restart reboot rollback redeploy`

// verbs adds every form of the action verbs with the way back to the base.
func (l *Lexicon) verbs() {
	put := func(form, base string, c Class) {
		l.add(c, form)
		if _, ok := l.base[form]; !ok {
			l.base[form] = base
		}
	}
	for _, v := range strings.Fields(actionVerbs) {
		put(v, v, VerbBase)
		put(thirdPerson(v), v, VerbS)
		past, ing := pastAndIng(v)
		put(past, v, VerbPast)
		put(ing, v, VerbIng)
	}
	for _, f := range strings.Fields(
		"sent:send paid:pay built:build wrote:write written:write made:make chose:choose chosen:choose held:hold ran:run withdrew:withdraw withdrawn:withdraw") {
		form, base, _ := strings.Cut(f, ":")
		put(form, base, VerbPast)
	}
}

func thirdPerson(v string) string {
	switch last := v[len(v)-1]; {
	case last == 'y' && !vowel(v[len(v)-2]):
		return v[:len(v)-1] + "ies"
	case last == 's' || last == 'x' || last == 'z' || strings.HasSuffix(v, "ch") || strings.HasSuffix(v, "sh"):
		return v + "es"
	}
	return v + "s"
}

func pastAndIng(v string) (past, ing string) {
	n := len(v)
	switch last := v[n-1]; {
	case last == 'e':
		return v + "d", v[:n-1] + "ing"
	case last == 'y' && !vowel(v[n-2]):
		return v[:n-1] + "ied", v + "ing"
	case strings.Contains(" plan ship stop set log tag map submit cut scan refer run vet debug flag transfer ",
		" "+v+" "):
		return v + v[n-1:] + "ed", v + v[n-1:] + "ing"
	}
	return v + "ed", v + "ing"
}

func vowel(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }

// VerbBaseOf returns the base form of an English action verb in any form.
func VerbBaseOf(form string) (string, bool) {
	b, ok := lexicons[English].base[form]
	return b, ok
}
