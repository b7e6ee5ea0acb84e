// Search: every section of the documentation that has all words of the query, those
// with the words in their headings first.
const form = document.querySelector("#search");
const input = form.querySelector("input");
const list = form.querySelector("ol");
let index; // a promise of the sections

const load = () => (index ??= fetch(form.dataset.root + "search.json").then((answer) => answer.json()));

function rank(section, words) {
  const title = section.t.toLowerCase();
  const page = section.p.toLowerCase();
  const text = section.x.toLowerCase();
  let points = 0;
  for (const word of words) {
    if (!title.includes(word) && !page.includes(word) && !text.includes(word)) return 0;
    points += 1 + (title.includes(word) ? 8 : 0) + (page.includes(word) ? 4 : 0);
  }
  return section.u.includes("/adr/") ? points / 3 : points;
}

function excerpt(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 50);
  return (at > 0 ? "…" : "") + text.slice(at, at + 150) + (at + 150 < text.length ? "…" : "");
}

function line(section, words) {
  const item = document.createElement("li");
  const link = item.appendChild(document.createElement("a"));
  link.href = form.dataset.root + section.u;
  link.append(section.t === section.p ? section.p : section.p + " › " + section.t);
  link.appendChild(document.createElement("small")).append(excerpt(section.x, words[0]));
  return item;
}

function say(text) {
  const item = document.createElement("li");
  item.appendChild(document.createElement("p")).append(text);
  list.replaceChildren(item);
}

async function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  if ((list.hidden = words.length === 0)) return;
  let sections;
  try { sections = await load(); } catch { return say("The search works when the site is served over HTTP."); }
  const found = sections.map((s) => [rank(s, words), s]).filter(([points]) => points > 0);
  found.sort(([a], [b]) => b - a);
  if (found.length === 0) return say("Nothing has all of these words.");
  list.replaceChildren(...found.slice(0, 12).map(([, s]) => line(s, words)));
}

form.hidden = false;
document.querySelector(".pages [aria-current]")?.scrollIntoView({ block: "nearest" }); // in a long list
input.value = new URLSearchParams(location.search).get("q") ?? ""; // an address can ask, too
if (input.value) search();
input.addEventListener("input", search);
form.addEventListener("keydown", (event) => { if (event.key === "Escape") { input.value = ""; search(); input.focus(); } });
form.addEventListener("submit", (event) => { event.preventDefault(); list.querySelector("a")?.click(); });
document.addEventListener("click", (event) => { if (!form.contains(event.target)) list.hidden = true; });
