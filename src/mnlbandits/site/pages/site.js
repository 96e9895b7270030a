"use strict";

const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

function showDurations() {
  for (const place of all("[data-duration]")) {
    const seconds = DURATIONS[place.dataset.duration];
    place.textContent = seconds === undefined ? "" : `${seconds} s of computing`;
  }
}

function sortBy(head) {
  const table = head.closest("table"), body = table.tBodies[0], place = head.cellIndex;
  const down = head.getAttribute("aria-sort") === "ascending";
  for (const other of all("th", table)) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", down ? "descending" : "ascending");
  const value = (row) => row.cells[place].dataset.value;
  const order = (a, b) => (isNaN(a) || isNaN(b) ? (a < b ? -1 : a > b ? 1 : 0) : a - b);
  const rows = [...body.rows].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === "" || b === "") return (a === "") - (b === "");  // what is missing stays last
    return down ? order(b, a) : order(a, b);
  });
  body.append(...rows);
}

function filterClaims() {
  const words = document.getElementById("filter-text").value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = all("[data-filter]").filter((select) => select.value);
  const claims = all("article.claim");
  for (const claim of claims) {
    const text = `${claim.textContent} ${claim.dataset.source}`.toLowerCase();
    const fits = ({ dataset, value }) => {
      const own = claim.dataset[dataset.filter];
      return dataset.filter === "theorem" ? own.split(" ").includes(value) : own === value;
    };
    claim.hidden = !(wanted.every(fits) && words.every((word) => text.includes(word)));
  }
  for (const part of all("section.part")) part.hidden = !part.querySelector("article:not([hidden])");
  const shown = claims.filter((claim) => !claim.hidden).length;
  document.getElementById("count").textContent = `${shown} of ${claims.length} claims`;
}

function letKeysScroll() {
  for (const text of all(".claim p")) {
    if (text.scrollWidth > text.clientWidth) text.tabIndex = 0;
    else text.removeAttribute("tabindex");
  }
}

function followLink() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("article.claim")) return;
  if (target.hidden) {
    document.getElementById("filters").reset();
  }
  for (const details of all("details", target)) details.open = true;
  target.scrollIntoView();
}

showDurations();
for (const button of all("table.sortable th button")) button.addEventListener("click", () => sortBy(button.parentElement));
const filters = document.getElementById("filters");
if (filters) {
  filters.addEventListener("input", filterClaims);
  filters.addEventListener("submit", (event) => event.preventDefault());
  filters.addEventListener("reset", () => queueMicrotask(filterClaims));
  filterClaims();
}
window.addEventListener("hashchange", followLink);
window.addEventListener("resize", letKeysScroll);
document.addEventListener("toggle", letKeysScroll, true);  // of details, which does not bubble
letKeysScroll();
followLink();
