package shipped

import (
	"fmt"
	"strings"
)

// topic is a class of messages: what they are about, and what they say of it.
type topic struct {
	name  string
	about []string
	says  []string
}

var topics = []topic{
	{"billing", []string{"the invoice", "my last payment", "the monthly charge", "your bill", "the refund", "my credit card"},
		[]string{"was charged twice", "shows the wrong amount", "has not been refunded", "includes tax I do not owe",
			"was declined by the bank", "does not match the price on your page"}},
	{"delivery", []string{"my parcel", "the package", "the order", "the courier", "the shipment", "the tracking number"},
		[]string{"has not arrived", "is three days late", "went to the wrong address", "was left in the rain",
			"says delivered but nothing came", "is stuck at the depot"}},
	{"returns", []string{"the shoes", "the jacket", "this lamp", "the headphones", "the order", "the keyboard"},
		[]string{"arrived broken and I want to send it back", "does not fit, how do I return it",
			"is the wrong colour, please exchange it", "stopped working after a day", "has a scratch, I would like a label",
			"is not as described and goes back"}},
	{"account", []string{"my password", "the login", "my account", "the confirmation mail", "the app", "my user name"},
		[]string{"does not work any more", "is locked after three attempts", "was never sent", "cannot be changed",
			"forgets my settings", "asks for a code that I do not get"}},
}

var (
	openings = []string{"Hello,", "Hi,", "Good morning,", "Dear team,", "Please help:", "Second attempt:", "", "", ""}
	closings = []string{"What should I do?", "Thanks.", "This is urgent.", "I have written twice.", "Please reply today.",
		"Can somebody call me?", "My neighbour has the same problem.", "", "", ""}
	since = []string{"since", "for the second time since", "although you promised otherwise on", "as I told you on",
		"and nobody has answered since", "in spite of your message of"}
	days = []string{"Monday", "Tuesday morning", "last Wednesday", "Thursday night", "Friday", "the weekend", "Easter",
		"the first of May", "our holidays", "the move to Lyon", "the strike", "my birthday"}
	asides = []string{"I bought it for my sister in %s", "We live in %s now", "Your shop in %s could not help",
		"I am writing from %s, where the connection is bad", "A friend from %s recommended you", "In %s this never happened",
		"I shall be in %s until further notice"}
	places = []string{"Leeds", "Porto", "Malmö", "Kraków", "Ghent", "Lyon", "Turin", "Galway", "Graz", "Tartu", "Nantes",
		"Bergen"}
)

// aside draws a sentence that says nothing of the topic.
func (m maker) aside() string { return fmt.Sprintf(m.pick(asides...), m.pick(places...)) + "." }

// addTexts adds messages to a help desk by topic. One in eight has a second topic in its last sentence; messages.csv
// has the first alone, messages-topics.tsv all.
func addTexts(m maker) {
	var first, all strings.Builder
	first.WriteString("id,label,text\n")
	for i := range 480 {
		t := topics[i%len(topics)]
		names := t.name
		message := m.pick(openings...) + " " + m.pick(t.about...) + " " + m.pick(t.says...) + " " + m.pick(since...) + " " +
			m.pick(days...) + ". " + m.aside() + " " + m.pick(closings...)
		if m.IntN(8) == 0 {
			other := topics[(i+1+m.IntN(3))%len(topics)]
			names += "," + other.name
			message += " Also, " + m.pick(other.about...) + " " + m.pick(other.says...) + "."
		}
		if at := 1 + m.IntN(len(message)-2); message[at] < 0x80 && m.IntN(2) == 0 { // a slip of the pen
			message = message[:at] + message[at+1:]
		}
		message = strings.Join(strings.Fields(message), " ")
		fmt.Fprintf(&first, "m%d,%s,\"%s\"\n", i+1, t.name, message)
		fmt.Fprintf(&all, "%s\t%s\n", names, message)
	}
	m.files["text/messages.csv"], m.files["text/messages-topics.tsv"] = first.String(), all.String()
}

// noun draws a noun phrase, some with an adjective or a place.
func (m maker) noun() string {
	if m.IntN(3) == 0 {
		return fmt.Sprintf("(NP (NNP %s))", m.pick("Ada", "Noether", "Darwin", "Curie", "Turing", "Mendel", "Hypatia", "Euler",
			"Humboldt", "Galois", "Franklin", "Boole", "Ampère", "Linnaeus", "Kovalevskaya", "Dürer"))
	}
	noun := fmt.Sprintf("(NN %s)", m.pick("engine", "theorem", "element", "machine", "pea", "comet", "bridge", "pendulum",
		"library", "glacier", "violin", "battery", "vaccine", "telescope", "alphabet", "orchid"))
	if m.IntN(2) == 0 {
		noun = fmt.Sprintf("(JJ %s) %s", m.pick("old", "first", "famous", "missing", "broken", "wooden", "smallest", "blue",
			"secret", "northern", "heavy", "modern"), noun)
	}
	phrase := fmt.Sprintf("(NP (DT %s) %s)", m.pick("the", "a", "this", "that"), noun)
	if m.IntN(4) == 0 {
		return fmt.Sprintf("(NP %s (PP (IN %s) (NNP %s)))", phrase, m.pick("of", "in", "from", "near"), m.pick(places...))
	}
	return phrase
}

// addTrees adds questions with their parse trees: who, where and when stand in several frames, so that order and
// structure tell more than words.
func addTrees(m maker) {
	var b strings.Builder
	for range 300 {
		person := m.noun()
		thing := m.noun()
		verb := fmt.Sprintf("(VB %s)", m.pick("find", "prove", "publish", "describe", "name", "build", "patent", "refuse",
			"measure", "paint", "collect", "sell", "translate", "lose", "repair", "invent", "forget", "plant"))
		question := []string{"person", "place", "time", "thing"}[m.IntN(4)]
		word := map[string]string{
			"person": "(WP who)", "place": "(WRB where)", "time": "(WRB when)", "thing": "(WP what)"}[question]
		tree := fmt.Sprintf("(SQ (VBD did) %s (VP %s %s))", person, verb, thing)
		switch question {
		case "person":
			tree = fmt.Sprintf("(SQ (VP %s %s))", verb, thing)
		case "thing":
			tree = fmt.Sprintf("(SQ (VBD did) %s (VP %s))", person, verb)
		}
		if m.IntN(4) == 0 { // an indirect question, whose first word says nothing
			aside := m.pick("(WP who)", "(WRB where)", "(WRB when)", "(WP what)")
			tree = fmt.Sprintf("(SQ (VBP know) (SBAR %s (S %s %s)))", word, person, tree)
			word = aside
		}
		fmt.Fprintf(&b, "%s\t(SBARQ (WH %s) %s)\n", question, word, tree)
	}
	m.files["text/questions.tsv"] = b.String()
}

// addTags adds sentences with names of genes and diseases: a token and its tag per line.
func addTags(m maker) {
	var b strings.Builder
	say := func(tag string, words ...string) {
		for _, w := range words {
			fmt.Fprintf(&b, "%s\t%s\n", w, tag)
			if tag != "O" {
				tag = "I" + tag[1:]
			}
		}
	}
	gene := func() {
		say("B-gene", m.pick("BRC", "TP", "MYC", "KRA", "EGF", "PTE", "RB")+m.pick("", "R", "S", "L")+m.pick("1", "2", "53", "N"))
	}
	disease := func() {
		say("B-disease", strings.Fields(m.pick("breast", "ovarian", "Wilms", "familial colon", "small cell lung")+" "+
			m.pick("cancer", "tumour", "carcinoma"))...)
	}
	for range 300 {
		switch m.IntN(4) {
		case 0:
			say("O", "Mutations", "in")
			gene()
			say("O", strings.Fields(m.pick("cause", "are frequent in", "were found in families with"))...)
			disease()
		case 1:
			disease()
			say("O", strings.Fields(m.pick("is linked to", "depends on the loss of", "often carries changes of"))...)
			gene()
		case 2:
			gene()
			say("O", strings.Fields(m.pick("binds the promoter of", "interacts with", "is not"))...)
			gene()
		default:
			say("O", strings.Fields(m.pick("We studied", "Of all patients", "The cohort had"))...)
			fmt.Fprintf(&b, "%d\tO\n", 2+m.IntN(90))
			say("O", strings.Fields(m.pick("cases of", "families with", "controls without"))...)
			disease()
		}
		say("O", ".")
		b.WriteString("\n")
	}
	m.files["text/sentences.tsv"] = b.String()
}
