// Tables that sort: a button in a column's head sorts by it, and once more the other way round.
"use strict";

// Numbers by their value, all else as words; what has no number comes last either way.
function compareCells(one, other) {
  const [a, b] = [one, other].map((text) => {
    const plain = text.replace(/,/g, "").replace("−", "-").trim();
    return /^[-+]?[\d.]/.test(plain) ? parseFloat(plain) : NaN;
  });
  if (!isNaN(a) && !isNaN(b)) return a - b;
  if (isNaN(a) && isNaN(b)) return one.localeCompare(other);
  return isNaN(a) ? Infinity : -Infinity;
}

// Call sortBy(column, direction) when a head's button is pressed, and show what is sorted how.
function makeSortable(table, sortBy) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    head.querySelector("button.sort")?.addEventListener("click", () => {
      const isAscending = head.getAttribute("aria-sort") === "ascending";
      const isFirst = !head.hasAttribute("aria-sort");
      const direction = (isFirst ? head.classList.contains("text") : !isAscending) ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
      sortBy(column, direction);
    });
  });
}

for (const table of document.querySelectorAll("table.sorts")) {
  makeSortable(table, (column, direction) => {
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row) => [row.cells[column].textContent, row]);
    rows.sort(([one], [other]) => {
      const order = compareCells(one, other);
      return Number.isFinite(order) ? direction * order : order;
    });
    body.append(...rows.map(([, row]) => row));
  });
}
