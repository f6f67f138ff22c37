"use strict";
const table = document.getElementById("ledger");
const body = table.tBodies[0];
const rows = [...body.rows];
const [search, shown] = ["search", "shown"].map((id) => document.getElementById(id));
const choices = ["paper", "basis", "direction", "number"].map((id) => document.getElementById(id));

function filter() {
  const word = search.value.trim().toLowerCase();
  let n = 0;
  for (const row of rows) {
    const fits = choices.every((choice) => !choice.value || row.dataset[choice.id] === choice.value);
    row.hidden = !(fits && row.textContent.toLowerCase().includes(word));
    n += !row.hidden;
  }
  shown.value = `${n} of ${rows.length}`;
}

// Numbers are compared as numbers: 0.011 comes before 0.02, and 9 before 10. In the list that `split` returns they stand at the odd places.
function compare(a, b) {
  const [left, right] = [a, b].map((text) => text.toLowerCase().split(/(\d+(?:\.\d+)?)/));
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const order = i % 2 ? left[i] - right[i] : left[i].localeCompare(right[i], "en");
    if (order) return order;
  }
  return left.length - right.length;
}

function sort(header) {
  const column = header.cellIndex;
  const down = header.getAttribute("aria-sort") === "ascending";
  for (const other of header.parentNode.cells) other.setAttribute("aria-sort", "none");
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  const text = (row) => row.cells[column].textContent.trim();
  const order = (a, b) => compare(text(a), text(b));
  body.append(...[...body.rows].sort((a, b) => (down ? order(b, a) : order(a, b))));
}

// A count leads to the claims behind it.
for (const link of document.querySelectorAll("a[data-basis]")) {
  link.addEventListener("click", () => {
    search.value = "";
    for (const choice of choices) choice.value = link.dataset[choice.id] || "";
    filter();
  });
}
for (const control of [search, ...choices]) control.addEventListener("input", filter);
for (const header of table.tHead.rows[0].cells) header.firstElementChild.addEventListener("click", () => sort(header));
// A claim that is linked to is shown, whatever the filter says.
window.addEventListener("hashchange", () => {
  const row = document.getElementById(location.hash.slice(1));
  if (row && row.hidden) {
    for (const control of [search, ...choices]) control.value = "";
    filter();
    row.scrollIntoView();
  }
});
window.addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
