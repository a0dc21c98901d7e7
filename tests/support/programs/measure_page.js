// SPDX-License-Identifier: BSD-3-Clause
// Appended to a copy of a page: writes what a reader would stumble over, as JSON in an element of its own.
"use strict";
window.addEventListener("load", () => {
  const tolerance = 1;  // pixels
  const boxOf = element => element.getBoundingClientRect();
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const nameOf = element => element.tagName + "." + (element.getAttribute("class") || "") + " " + element.textContent.trim().slice(0, 40);

  // Boxes of texts reach above and below their letters.
  function inkOf(text) {
    const box = boxOf(text);
    const margin = 0.18 * box.height;
    return {left: box.left, right: box.right, top: box.top + margin, bottom: box.bottom - margin};
  }
  function overlap(left, right) {
    return Math.min(left.right, right.right) - Math.max(left.left, right.left) > tolerance &&
           Math.min(left.bottom, right.bottom) - Math.max(left.top, right.top) > tolerance;
  }
  function isWithin(inner, outer) {
    return inner.left >= outer.left - tolerance && inner.right <= outer.right + tolerance &&
           inner.top >= outer.top - tolerance && inner.bottom <= outer.bottom + tolerance;
  }
  function overlapsIn(svg) {
    const texts = all("text", svg).map(text => ({name: nameOf(text), ink: inkOf(text)}));
    const nodes = all(".node", svg).map(node => ({name: nameOf(node), ink: boxOf(node)}));
    const found = [];
    texts.forEach((text, k) => {
      for (const other of texts.slice(k + 1).concat(nodes)) {
        if (overlap(text.ink, other.ink)) { found.push(text.name + " | " + other.name); }
      }
    });
    return found;
  }

  function luminance(color) {
    const largest = color.startsWith("color(") ? 1 : 255;  // color(srgb 0.5 ...) or rgb(128, ...)
    const parts = color.match(/[\d.]+/g).slice(0, 3).map(part => {
      const value = Number(part) / largest;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  }
  function groundOf(element) {
    const color = getComputedStyle(element).backgroundColor;
    return color === "rgba(0, 0, 0, 0)" ? groundOf(element.parentElement) : color;
  }
  // As the Web Content Accessibility Guidelines define it.
  function contrastOf(element) {
    const style = getComputedStyle(element);
    const ink = luminance(element.tagName === "text" ? style.fill : style.color);
    const ground = luminance(groundOf(element.closest("svg") || element));
    return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
  }

  // What a column of the table of all runs is sorted by, after a click on its head.
  function valuesAfterClick(column) {
    const table = document.querySelector(".all-runs table");
    if (!table) { return []; }
    table.tHead.rows[0].cells[column].querySelector("button").click();
    return Array.from(table.tBodies[0].rows, row => Number(row.cells[column].dataset.value));
  }

  const svgs = all("svg:not(.key)");
  const result = {
    ready: document.documentElement.dataset.ready || "",
    error: document.documentElement.dataset.error || "",
    darkGround: luminance(getComputedStyle(document.body).backgroundColor) < 0.2,
    pageIsTooWide: document.documentElement.scrollWidth > window.innerWidth + tolerance,
    sections: all("section").length,
    charts: svgs.length,
    spans: all(".marks rect").length,
    nodes: all(".node").length,
    withoutSize: all("section, h1, h2, p, svg, table, .legend span, .mark, .node, .swatch").filter(element => boxOf(element).width === 0 || boxOf(element).height === 0).map(nameOf)
      .concat(all(".runs path").filter(line => boxOf(line).width === 0).map(nameOf)),  // the heights of lines do not count as theirs
    outside: svgs.flatMap(svg => all("text, .mark, .node", svg).filter(text => !isWithin(boxOf(text), boxOf(svg))).map(nameOf)),
    overlaps: svgs.flatMap(overlapsIn),
    overlappingSections: all("section").filter((section, k, sections) => k > 0 && overlap(boxOf(section), boxOf(sections[k - 1]))).map(nameOf),
    cellsThatAreTooNarrow: all("td, th").filter(cell => cell.scrollWidth > cell.clientWidth + tolerance).map(nameOf),
    paleTexts: all("h1, h2, p, td, th, text, figcaption").filter(element => contrastOf(element) < 4.5).map(nameOf),
    risingTimes: valuesAfterClick(4),
    fallingTimes: valuesAfterClick(4),
  };
  const output = document.createElement("pre");
  output.id = "measured";
  output.textContent = JSON.stringify(result);
  document.body.append(output);
});
