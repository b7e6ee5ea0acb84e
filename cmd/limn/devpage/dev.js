// Shows the problems of the application file above the page, as long as there are any. A
// page that waits for the application opens it when it is there.
const waiting = "limnWaiting" in document.body.dataset;
const banner = document.createElement("section");
banner.id = "limn-dev";
banner.setAttribute("role", "alert");
const style = document.createElement("link");
style.rel = "stylesheet";
style.href = new URL("dev.css", import.meta.url).href;
document.head.append(style);

/** @param {string} tag @param {string} text */
function part(tag, text) {
  const e = document.createElement(tag);
  e.textContent = text;
  return e;
}

let shown = "[]";

async function look() {
  try {
    const answer = await fetch(new URL("problems", import.meta.url));
    if (waiting && answer.ok) return location.reload();
    const text = (await answer.text()).trim();
    if (text !== shown) show(JSON.parse(text));
    shown = text;
  } catch {
    // the server starts again
  }
  setTimeout(look, 1000);
}

function show(list) {
  banner.replaceChildren();
  if (list.length === 0) return banner.remove();
  const [what, them] = list.length === 1 ? ["a problem", "it"] : [`${list.length} problems`, "them"];
  banner.append(part("h2", `${list[0].file} has ${what}. ` + (waiting ?
    `Fix ${them} and save: the application opens here.` :
    `This page shows the last version that worked. Fix ${them} and save: this note goes away.`)));
  for (const p of list) {
    banner.append(part("p", `${p.at}: ${p.message}`));
    if (p.line) banner.append(part("pre", p.line + "\n" + " ".repeat(p.caret) + "^"));
    if (p.hint) banner.append(part("p", p.hint));
  }
  document.body.prepend(banner);
}

look();

// A form that was declared anew has expired: it is opened again as it is now.
const expired = () => [...document.querySelectorAll("turbo-frame:has(> .limn-expired)")];
const known = new Set(expired().map((card) => card.id));
new MutationObserver(() => {
  for (const card of expired()) {
    if (known.has(card.id)) continue;
    known.add(card.id);
    card.querySelector("form button")?.click();
  }
}).observe(document.body, { childList: true, subtree: true });
addEventListener("limn-expired", (event) => event.detail.again()); // in the drawings that have no cards
