package prose

import "strings"

// The lexicons of Spanish, French, Portuguese and Italian: numerals from 1 to
// 99, dozens, markers, core nouns, units and function words.

func spanish() *Lexicon {
	l := newLexicon(Spanish)
	l.numerals("uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
		"veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")
	for n, w := range strings.Fields("veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve") {
		l.number(21+n, 0, w)
	}
	l.number(1, 0, "un una")
	l.number(12, 0, "docena")
	l.number(100, 0, "cien ciento")
	l.add(Item|Core|Plural, "riesgos problemas interesados stakeholders incidencias")
	l.add(Item|Plural, "proveedores clientes requisitos usuarios contratos empleados tareas productos proyectos contactos")
	l.add(Process, "proceso procesos procedimiento flujo")
	l.add(Measure, "años año días día semanas meses mes horas hora minutos euros dólares veces puntos kilómetros")
	l.add(Vague, "algunos algunas varios varias muchos muchas unos unas pocos")
	l.add(Negation, "no nunca sin ningún")
	l.add(Function, "el la los las de del que y o en para con por a al se es son hay tenemos tengo nuestros nuestro muy")
	l.mark(LinkFirst, "primero")
	l.mark(LinkThen, "luego después entonces finalmente")
	return l
}

func french() *Lexicon {
	l := newLexicon(French)
	l.numerals("un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
		"vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingt-dix")
	l.number(1, 0, "une")
	l.number(12, 0, "douzaine")
	l.number(10, 0, "dizaine")
	l.number(100, 0, "cent")
	l.add(Item|Core|Plural, "risques problèmes")
	l.add(Item|Plural, "fournisseurs clients exigences utilisateurs contrats employés tâches produits projets contacts")
	l.add(Process, "processus procédure")
	l.add(Measure, "ans année années jours jour semaines mois heures heure minutes euros fois points kilomètres")
	l.add(Vague, "quelques plusieurs beaucoup certains certaines")
	l.add(Negation, "ne pas jamais sans aucun n'ai n'avons n'est")
	l.add(Function, "le la les des de du et ou en pour avec par à au on nous je il y a avons est sont nos notre dans qui que")
	l.mark(LinkFirst, "d'abord premièrement")
	l.mark(LinkThen, "ensuite puis enfin finalement après")
	return l
}

func portuguese() *Lexicon {
	l := newLexicon(Portuguese)
	l.numerals("um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove",
		"vinte trinta quarenta cinquenta sessenta setenta oitenta noventa")
	l.number(1, 0, "uma")
	l.number(2, 0, "duas")
	l.number(12, 0, "dúzia")
	l.number(100, 0, "cem cento")
	l.add(Item|Core|Plural, "riscos problemas")
	l.add(Item|Plural, "fornecedores clientes requisitos usuários contratos funcionários tarefas produtos projetos contatos")
	l.add(Process, "processo processos procedimento fluxo")
	l.add(Measure, "anos ano dias dia semanas meses mês horas hora minutos euros reais vezes pontos")
	l.add(Vague, "alguns algumas vários várias muitos muitas poucos")
	l.add(Negation, "não nunca sem nenhum")
	l.add(Function, "o os as a de do da dos das que e ou em para com por no na é são há temos tenho nossos nosso")
	l.mark(LinkFirst, "primeiro primeiramente")
	l.mark(LinkThen, "depois então seguida finalmente")
	return l
}

func italian() *Lexicon {
	l := newLexicon(Italian)
	units := strings.Fields("uno due tre quattro cinque sei sette otto nove")
	l.numerals("uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
		"venti trenta quaranta cinquanta sessanta settanta ottanta novanta")
	for t, tens := range strings.Fields("venti trenta quaranta cinquanta sessanta settanta ottanta novanta") {
		for u, unit := range units { // ventuno, ventotto lose the vowel
			stem := tens
			if u == 0 || u == 7 {
				stem = tens[:len(tens)-1]
			}
			l.number(20+10*t+u+1, 0, stem+unit)
		}
	}
	l.number(1, 0, "un una")
	l.number(12, 0, "dozzina")
	l.number(10, 0, "decina")
	l.number(100, 0, "cento")
	l.add(Item|Core|Plural, "rischi problemi")
	l.add(Item|Plural, "fornitori clienti requisiti utenti contratti dipendenti prodotti progetti contatti")
	l.add(Process, "processo processi procedura flusso")
	l.add(Measure, "anni anno giorni giorno settimane mesi mese ore ora minuti euro volte punti")
	l.add(Vague, "alcuni alcune diversi molti molte vari pochi")
	l.add(Negation, "non mai senza nessun")
	l.add(Function, "il lo la i gli le di del della dei che e o in per con a al è sono abbiamo ho ci nostri nostro da")
	l.mark(LinkFirst, "prima innanzitutto")
	l.mark(LinkThen, "poi dopo quindi infine successivamente")
	return l
}

// numerals adds 0-based lists: 1 to 19, and the tens from 20.
func (l *Lexicon) numerals(small, tens string) {
	for n, w := range strings.Fields(small) {
		l.number(n+1, 0, w)
	}
	for n, w := range strings.Fields(tens) {
		l.number(20+10*n, Tens, w)
	}
}
