package prose

import "strings"

// The lexicons of Spanish, French, Portuguese and Italian: numerals from 1 to
// 99, dozens, markers, core nouns, units and function words.

func spanish() *Lexicon {
	l := newLexicon(Spanish)
	l.numerals("uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
		"veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa")
	for n, w := range strings.Fields(
		"veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve") {
		l.number(21+n, 0, w)
	}
	l.number(1, 0, "un una")
	l.number(21, 0, "veintiún veintiuna")
	l.number(12, 0, "docena docenas")
	l.number(20, Vague, "veintena")
	l.number(100, Vague, "centenar")
	l.add(Share, "en por")
	l.number(100, 0, "cien ciento")
	l.add(Item|Core|Plural, "riesgos problemas interesados stakeholders incidencias")
	l.add(Item|Plural,
		"proveedores clientes requisitos usuarios contratos empleados tareas productos proyectos contactos")
	l.add(Process, "proceso procesos procedimiento flujo")
	l.add(Measure, "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre h años año días día semanas meses mes horas hora minutos euros dólares veces puntos kilómetros")
	l.add(Vague, "algunos algunas varios varias muchos muchas unos unas pocos")
	l.add(Negation, "no nunca sin ningún")
	l.add(Function, "el la los las de del que y o en para con por a al se es son hay tenemos tengo nuestros nuestro muy")
	l.add(Item|Plural, `participantes miembros facturas equipos sistemas documentos empresas personas nombres sedes oficinas departamentos
		candidatos socios activos artículos pedidos hitos acciones`)
	l.add(Process, "procedimientos flujos")
	l.add(Approval, "aprobación aprobaciones autorización visto")
	l.add(Negation, "ni ningunos ninguna nadie tampoco")
	l.add(Function, `me te nos le lo mi tu su mis sus este esta estos estas ese esa todo todos todas muy más menos pero si como cuando porque sobre
		entre desde hasta sin también ya aquí ahora hoy quiero quiere queremos necesito necesitamos puedo podemos debo tengo tiene tenemos había era
		está están estoy fue ser estar hacer favor vuelvas preguntar preguntes`)
	l.add(Greet, "hola buenos buenas gracias adiós saludos")
	l.add(Yes, "sí si claro vale bueno adelante perfecto exacto dale")
	l.add(No, "no luego nunca tampoco")
	l.add(Asks, "qué cómo cuál cuáles quién cuándo dónde cuántos por")
	l.add(Explains, "explica explícame explique describe define compara traduce tradúceme cuéntame")
	l.add(Gives, "dame deme sugiere sugiéreme propón escribe escríbeme redacta recomienda recomiéndame proponme genera")
	l.add(Edits, "cambia cambie elimina borra quita renombra corrige reemplaza actualiza modifica")
	l.add(Shows, "muestra muéstrame muestres muestre mostrar abre abras abra abrir usa uses use usar utiliza utilices crea enseñes enséñame haz pongas")
	l.add(Enters, "registrar capturar anotar listar documentar introducir ingresar añadir apuntar")
	l.add(Pastes, "pegar copiar importar subir cargar")
	l.add(Listed, "lista listas listado filas datos todo")
	l.add(Sheet, "excel csv xlsx hoja planilla")
	l.add(TableTool, "tabla tablas")
	l.add(MapTool, "mapa mapas diagrama diagramas")
	l.add(AnyTool, "herramientas herramienta formularios formulario ventanas")
	l.add(Everyday, "hijos niños gatos perros ideas ejemplos consejos sugerencias frases razones preguntas cervezas cafés hermanos habitaciones goles páginas")
	l.add(Never, "nunca jamás")
	l.add(Always, "siempre")
	l.add(Closes, "cancelar cancela cancélalo cierra cerrar ciérralo olvídalo")
	l.add(Resumes, "continuar continuemos sigamos continúa reanudar")
	l.mark(LinkFirst, "primero primeramente")
	l.mark(LinkThen, "luego después entonces finalmente posteriormente")
	return l
}

func french() *Lexicon {
	l := newLexicon(French)
	l.numerals("un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
		"vingt trente quarante cinquante soixante soixante-dix quatre-vingt quatre-vingt-dix")
	l.number(1, 0, "une")
	l.number(12, 0, "douzaine douzaines")
	l.number(10, Vague, "dizaine")
	l.number(15, Vague, "quinzaine")
	l.number(20, Vague, "vingtaine")
	l.number(30, Vague, "trentaine")
	l.number(40, Vague, "quarantaine")
	l.number(50, Vague, "cinquantaine")
	l.number(100, Vague, "centaine")
	l.add(Share, "dans en")
	l.number(100, 0, "cent")
	l.add(Item|Core|Plural, "risques problèmes")
	l.add(Item|Plural, "fournisseurs clients exigences utilisateurs contrats employés tâches produits projets contacts")
	l.add(Process, "processus procédure")
	l.add(Measure, "janvier février mars avril mai juin juillet août septembre octobre novembre décembre h ans an année années jours jour semaines mois heures heure minutes euros fois points kilomètres")
	l.add(Vague, "quelques plusieurs beaucoup certains certaines")
	l.add(Negation, "ne pas jamais sans aucun n'ai n'avons n'est")
	l.add(Function, "le la les des de du et ou en pour avec par à au on nous je il y a avons est sont nos notre dans qui que")
	l.add(Item|Core|Plural, "enjeux incidents")
	l.add(Item|Plural, `participants membres factures équipements systèmes documents entreprises personnes noms sites bureaux départements services
		candidats partenaires actifs articles commandes jalons actions salariés`)
	l.add(Process, "procédures workflow flux")
	l.add(Approval, "approbation approbations validation")
	l.add(Negation, "n'y n'a n'ont n'avez rien personne aucune")
	l.add(Function, `me te se lui leur mon ma mes ton ta tes son sa ses leurs ce cette ces tout tous toutes très plus moins mais si comme quand parce sur
		entre depuis jusque sans aussi déjà ici maintenant j'ai suis es veux veut voulons voudrais dois devons peux pouvons faut besoin fait faire était ont
		il elle ils elles vous tu est-ce n'est c'est`)
	l.add(Greet, "bonjour salut bonsoir merci coucou")
	l.add(Yes, "oui ouais volontiers d'accord bien ok okay parfait allons-y vas-y")
	l.add(No, "non jamais")
	l.add(Asks, "qu'est comment pourquoi quel quelle quels quelles qui quoi combien où quand qu'est-ce")
	l.add(Explains, "explique expliquez décris décrivez définis compare traduis traduisez")
	l.add(Gives, "donne donnez suggère suggérez propose proposez rédige écris écrivez recommande génère")
	l.add(Edits, "change changez modifie supprime efface renomme corrige remplace")
	l.add(Shows, "montre montrez montrer affiche affichez ouvre ouvrez ouvrir utilise utilisez utiliser crée voir")
	l.add(Enters, "enregistrer saisir noter lister documenter ajouter renseigner entrer")
	l.add(Pastes, "coller copier importer téléverser charger")
	l.add(Listed, "liste listes lignes données tout noms")
	l.add(Sheet, "excel csv xlsx tableur")
	l.add(TableTool, "tableau tableaux")
	l.add(MapTool, "carte cartographie diagramme schéma logigramme")
	l.add(AnyTool, "outils outil formulaires formulaire fenêtres")
	l.add(Everyday, "enfants chats chiens idées exemples conseils suggestions phrases raisons questions bières cafés frères sœurs chambres buts pages")
	l.add(Never, "jamais")
	l.add(Always, "toujours")
	l.add(Closes, "annuler annule annulez ferme fermez fermer oublie")
	l.add(Resumes, "continuer continuons reprendre reprenons")
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
	l.number(12, 0, "dúzia dúzias")
	l.number(20, Vague, "vintena")
	l.number(100, Vague, "centena")
	l.add(Share, "em nos nas")
	l.number(100, 0, "cem cento")
	l.add(Item|Core|Plural, "riscos problemas")
	l.add(Item|Plural,
		"fornecedores clientes requisitos usuários contratos funcionários tarefas produtos projetos contatos")
	l.add(Process, "processo processos procedimento fluxo")
	l.add(Measure, "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro h anos ano dias dia semanas meses mês horas hora minutos euros reais vezes pontos")
	l.add(Vague, "alguns algumas vários várias muitos muitas poucos")
	l.add(Negation, "não nunca sem nenhum")
	l.add(Function, "o os as a de do da dos das que e ou em para com por no na é são há temos tenho nossos nosso")
	l.add(Item|Core|Plural, "interessados incidentes")
	l.add(Item|Plural, `participantes membros faturas equipamentos sistemas documentos empresas pessoas nomes escritórios departamentos
		candidatos parceiros ativos artigos pedidos marcos ações`)
	l.add(Process, "procedimentos fluxos")
	l.add(Approval, "aprovação aprovações autorização")
	l.add(Negation, "nem nenhuma ninguém")
	l.add(Function, `me te se lhe nos meu minha seu sua este esta isso todo todos tudo muito mais menos mas se como quando porque sobre entre desde
		até também já aqui agora hoje quero quer queremos preciso precisamos posso podemos devo tem têm está estão foi ser estar fazer eu você ele ela
		eles nós favor numa num pelo pela`)
	l.add(Greet, "olá oi bom boa obrigado obrigada tchau")
	l.add(Yes, "sim claro ok certo beleza vamos pode perfeito")
	l.add(No, "não nunca")
	l.add(Asks, "qual quais quem quando onde quantos por como")
	l.add(Explains, "explique explica descreva defina compare traduza")
	l.add(Gives, "dê sugira escreva recomende proponha gere liste")
	l.add(Edits, "mude altere exclua apague remova renomeie corrija substitua atualize")
	l.add(Shows, "mostre mostra mostrar abra abre abrir use usar utilize crie")
	l.add(Enters, "registrar cadastrar anotar listar documentar inserir adicionar lançar")
	l.add(Pastes, "colar copiar importar carregar")
	l.add(Listed, "lista listas linhas dados tudo")
	l.add(Sheet, "excel csv xlsx planilha planilhas")
	l.add(TableTool, "tabela tabelas")
	l.add(MapTool, "mapa mapas diagrama fluxograma")
	l.add(AnyTool, "ferramentas ferramenta formulários formulário janelas")
	l.add(Everyday, "filhos crianças gatos cães ideias exemplos dicas sugestões frases razões perguntas cervejas cafés irmãos quartos gols páginas")
	l.add(Never, "nunca jamais")
	l.add(Always, "sempre")
	l.add(Closes, "cancelar cancela cancele feche fechar esqueça")
	l.add(Resumes, "continuar continuemos retomar")
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
	l.number(12, 0, "dozzina dozzine")
	l.number(10, Vague, "decina")
	l.number(15, Vague, "quindicina")
	l.number(20, Vague, "ventina")
	l.number(30, Vague, "trentina")
	l.number(50, Vague, "cinquantina")
	l.number(100, Vague, "centinaio")
	l.add(Share, "in nei nelle")
	l.number(100, 0, "cento")
	l.add(Item|Core|Plural, "rischi problemi")
	l.add(Item|Plural, "fornitori clienti requisiti utenti contratti dipendenti prodotti progetti contatti")
	l.add(Process, "processo processi procedura flusso")
	l.add(Measure, "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre h anni anno giorni giorno settimane mesi mese ore ora minuti euro volte punti")
	l.add(Vague, "alcuni alcune diversi molti molte vari pochi")
	l.add(Negation, "non mai senza nessun")
	l.add(Function, "il lo la i gli le di del della dei che e o in per con a al è sono abbiamo ho ci nostri nostro da")
	l.add(Item|Core|Plural, "criticità")
	l.add(Item|Plural, `partecipanti membri fatture sistemi documenti aziende persone nomi sedi uffici reparti candidati partner beni articoli
		ordini colleghi attività`)
	l.add(Process, "procedure flussi")
	l.add(Approval, "approvazione approvazioni autorizzazione")
	l.add(Negation, "né nessuno nessuna")
	l.add(Function, `mi ti si ci vi lo me te mio mia suo sua questo questa tutto tutti molto più meno ma se come quando perché su tra fra
		fino anche già qui ora oggi voglio vuole vogliamo devo dobbiamo posso possiamo ha hanno era fu essere stare fare io tu lui lei noi voi loro
		favore vorrei nel nella alla alle dal dalla una`)
	l.add(Greet, "ciao buongiorno buonasera grazie salve")
	l.add(Yes, "sì certo ok okay volentieri va bene d'accordo perfetto")
	l.add(No, "no dopo mai")
	l.add(Asks, "cosa che come perché chi quale quali quando dove quanti cos'è")
	l.add(Explains, "spiega spiegami descrivi definisci confronta traduci")
	l.add(Gives, "dammi suggerisci suggeriscimi proponi scrivi scrivimi consiglia consigliami genera")
	l.add(Edits, "cambia modifica elimina cancella rimuovi rinomina correggi sostituisci aggiorna")
	l.add(Shows, "mostra mostrami mostrarmi mostrare apri aprire usa usare utilizza crea")
	l.add(Enters, "registrare inserire annotare elencare documentare aggiungere censire")
	l.add(Pastes, "incollare copiare importare caricare")
	l.add(Listed, "lista liste elenco elenchi righe dati tutto")
	l.add(Sheet, "excel csv xlsx foglio")
	l.add(TableTool, "tabella tabelle")
	l.add(MapTool, "mappa mappe diagramma")
	l.add(AnyTool, "strumenti strumento moduli modulo finestre")
	l.add(Everyday, "figli bambini gatti cani idee esempi consigli suggerimenti frasi ragioni domande birre caffè fratelli sorelle camere gol pagine")
	l.add(Never, "mai")
	l.add(Always, "sempre")
	l.add(Closes, "annulla annullare chiudi chiudere")
	l.add(Resumes, "continua continuare continuiamo riprendiamo")
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
