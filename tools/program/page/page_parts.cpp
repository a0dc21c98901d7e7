// SPDX-License-Identifier: BSD-3-Clause
// Writes the markup around charts. Colours after Okabe and Ito 2008, "Color universal design"; on dark ground the dark ones among
// them are lighter.
#include "tools/program/page/page_parts.hpp"

#include <fmt/format.h>

#include "tools/program/page/human_figures.hpp"

namespace frond {
namespace {

// Colours for light and dark screens and for paper; colours that carry meaning are distinguishable with any kind of colour vision.
std::string_view page_styles() {
  return R"(:root {
  color-scheme: light dark;
  --paper: #f6f7f8; --panel: #ffffff; --ink: #1b2126; --soft: #57626c; --grid: #e3e7ea; --edge: #9aa5ae; --idle: #f1f3f5; --best: #e2f3ec;
  --blue: #0072b2; --orange: #e69f00; --green: #009e73; --red: #d55e00; --sky: #7cc4ee; --pink: #b8578f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14181b; --panel: #1c2226; --ink: #e7ebee; --soft: #a3aeb7; --grid: #323a40; --edge: #6d7982; --idle: #242b30; --best: #173f33;
    --blue: #2f8fce; --orange: #f0b432; --green: #1fb98c; --red: #ee7a33; --sky: #8cc8ee; --pink: #de8dbb;
  }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --panel: #ffffff; --ink: #000000; --soft: #333333; --grid: #d5d9dc; --edge: #888888; --idle: #f4f4f4; --best: #e2f3ec;
    --blue: #0072b2; --orange: #e69f00; --green: #009e73; --red: #d55e00; --sky: #7cc4ee; --pink: #b8578f;
  }
}
* { box-sizing: border-box; }
html { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 2.2em 1.2em 3em; }
h1 { margin: 0; font-size: 2em; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 0 0 0.2em; font-size: 1.25em; }
p { margin: 0.3em 0; max-width: 76em; }
.eyebrow { color: var(--soft); font-size: 0.85em; letter-spacing: 0.06em; }
.facts { color: var(--soft); overflow-wrap: anywhere; }
.facts span + span::before { content: "\00b7"; margin: 0 0.5em; }
.note { color: var(--soft); font-size: 0.9em; }
section, .card { background: var(--panel); border: 1px solid var(--grid); border-radius: 10px; }
section { padding: 1.1em 1.3em; margin-top: 1.1em; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20em, 100%), 1fr)); gap: 1.1em; margin-top: 1.3em; }
.card { padding: 0.9em 1.3em; border-left: 5px solid var(--blue); }
.card.memory { border-left-color: var(--green); }
.card h2 { color: var(--soft); font-size: 0.9em; font-weight: 600; }
.card .figure { font-size: 2em; font-weight: 650; line-height: 1.25; }
.card .figure small { font-size: 0.5em; font-weight: 400; color: var(--soft); }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26em, 100%), 1fr)); gap: 0.6em 1.6em; }
figure { margin: 0.5em 0 0; min-width: 0; max-width: 560px; }
.single figure { max-width: none; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(26em, 100%), 1fr)); gap: 0 1.6em; }
figcaption { font-weight: 600; font-size: 0.92em; margin-bottom: 0.3em; }
svg { display: block; max-width: 100%; height: auto; font-size: 12px; fill: var(--ink); }
.wide { overflow-x: auto; }
.wide.chart svg { min-width: 820px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.15em 1.5em; font-size: 0.88em; margin: 0.5em 0; }
.legend span { white-space: nowrap; }
.legend b { font-weight: 600; color: var(--soft); margin-left: 0.2em; }
svg.key { display: inline-block; max-width: none; vertical-align: -0.12em; margin-right: 0.2em; }
.swatch { display: inline-block; width: 1em; height: 0.8em; border-radius: 2px; background: currentColor; margin-right: 0.2em; }
.swatch.idle { background: var(--idle); border: 1px solid var(--edge); }
.grid { stroke: var(--grid); } .axis { stroke: var(--edge); } .axis-title { fill: var(--soft); }
.guide { stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 2 4; stroke-linecap: round; }
.line { fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linejoin: round; }
.mark { fill: currentColor; }
.phase0 { color: var(--sky); } .phase1 { color: var(--blue); } .phase2 { color: var(--red); } .phase3 { color: var(--orange); }
.phase4 { color: var(--green); } .phase5 { color: var(--pink); }
.memory-line { fill: none; stroke: currentColor; stroke-width: 1.6; } .predicted { stroke: var(--ink); stroke-dasharray: 6 4; }
.part0 { color: var(--orange); } .part1 { color: var(--blue); } .part2 { color: var(--green); }
.curve0 { color: var(--pink); } .curve1 { color: var(--blue); } .curve2 { color: var(--red); } .curve3 { color: var(--green); }
.curve1 .line { stroke-dasharray: 9 4; } .curve2 .line { stroke-dasharray: 3 3; } .curve3 .line { stroke-dasharray: 10 3 2 3; }
.role-subtree, .run-subtree { color: var(--sky); } .role-sequential, .run-sequential { color: var(--blue); }
.role-master, .run-master { color: var(--red); } .role-slave, .run-slave { color: var(--orange); } .role-grid, .run-grid { color: var(--green); }
path[class^="role-"], rect[class^="part"], rect.mark, .node, .key[class*="role-"] { fill: currentColor; }
g.runs path { stroke: currentColor; fill: none; }
.idle { fill: var(--idle); }
.edge { fill: none; stroke: var(--edge); } .stub { stroke: var(--edge); stroke-width: 1.5; stroke-dasharray: 1.5 2.5; }
.master-rank { font-size: 11px; fill: var(--soft); }
.mark:hover, .node:hover { filter: brightness(1.25); }
table { border-collapse: collapse; font-size: 0.82em; font-variant-numeric: tabular-nums; min-width: 100%; }
.table { max-height: 36em; overflow-y: auto; margin-top: 0.6em; }
td, th { padding: 0.25em 0.38em; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--grid); }
td.text { text-align: left; }
.failed td:last-child { white-space: normal; min-width: 20em; }
th { font-weight: 600; vertical-align: bottom; }
.sortable th { position: sticky; top: 0; background: var(--panel); padding: 0; z-index: 1; }
th button { width: 100%; padding: 0.3em 0.38em; border: 0; background: none; color: inherit; font: inherit; font-weight: inherit; text-align: inherit; line-height: 1.25; cursor: pointer; }
th small { font-weight: 400; color: var(--soft); }
.sortable th:nth-child(2), .sortable th:nth-child(3), .sortable th:nth-child(4), .failed th, .failed td { text-align: left; }
th[aria-sort] button { color: var(--blue); }
th[aria-sort="ascending"] button::after { content: " \2191"; } th[aria-sort="descending"] button::after { content: " \2193"; }
tbody tr:hover { background: var(--idle); }
.comparison { min-width: 0; font-size: 0.82em; margin-top: 0.6em; } .comparison th, .comparison td { padding: 0.15em 0.5em; }
.comparison th { color: var(--soft); } th.text { text-align: left; }
.ratio { background: color-mix(in srgb, var(--orange) var(--tint), var(--panel)); } .absent { color: var(--soft); } .strong { font-weight: 650; }
.best { background: var(--best); font-weight: 600; }
tr.shown td:first-child { box-shadow: inset 4px 0 var(--orange); }
@media (max-width: 640px) { main { padding: 1.2em 0.6em; } section { padding: 0.9em 0.8em; } h1 { font-size: 1.5em; } }
@media print {
  body { font-size: 11px; } main { padding: 0; max-width: none; }
  section { border: 0; padding: 0.5em 0; } figure, .card, tr { break-inside: avoid; } h2, section p { break-after: avoid; }
  .wide, .table { overflow: visible; max-height: none; } .wide.chart svg { min-width: 0; } .sortable th { position: static; }
  table { font-size: 6.5pt; } td, th button { padding: 0.1em 0.25em; } th button { white-space: normal; }
}
)";
}

// Sorts tables by the column whose head is clicked. Sets data-ready on the root element when it has finished, data-error if
// something went wrong.
std::string_view page_script() {
  return R"(
"use strict";
const root = document.documentElement;
window.addEventListener("error", event => { root.dataset.error = event.message; });
function keyOf(row, column) {
  const cell = row.cells[column];
  return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent;
}
function compare(left, right) {
  return typeof left === "number" ? left - right : left.localeCompare(right);
}
function sortBy(table, head) {
  const descends = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) { other.removeAttribute("aria-sort"); }
  head.setAttribute("aria-sort", descends ? "descending" : "ascending");
  const body = table.tBodies[0];
  const sign = descends ? -1 : 1;
  const rows = Array.from(body.rows);
  rows.sort((left, right) => sign * compare(keyOf(left, head.cellIndex), keyOf(right, head.cellIndex)));
  body.append(...rows);
}
for (const table of document.querySelectorAll("table.sortable")) {
  for (const head of table.tHead.rows[0].cells) {
    head.addEventListener("click", () => sortBy(table, head));
  }
}
root.dataset.ready = "yes";
)";
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string plural(double count, std::string_view noun) {
  const std::string_view ending = count == 1 ? "" : noun.ends_with('s') ? "es" : "s";
  return fmt::format("{} {}{}", format_count(count), noun, ending);
}

std::string page_header(std::string_view maker, std::string_view matrix, const std::vector<std::string>& facts) {
  std::string items;
  for (const std::string& fact : facts) {
    items += "<span>" + escape_markup(fact) + "</span>";
  }
  return fmt::format("<header>\n<p class=\"eyebrow\">{}</p>\n<h1>{}</h1>\n<p class=\"facts\">{}</p>\n</header>\n",
                     escape_markup(maker), escape_markup(matrix), items);
}

std::string card(std::string_view style, std::string_view heading, std::string_view figure, std::string_view unit,
                 std::string_view text) {
  return fmt::format("<div class=\"card {}\"><h2>{}</h2><div class=\"figure\">{} <small>{}</small></div><p>{}</p></div>\n", style,
                     escape_markup(heading), escape_markup(figure), escape_markup(unit), escape_markup(text));
}

std::string section(std::string_view style, std::string_view heading, const std::string& text, const std::string& body) {
  return fmt::format("<section class=\"{}\">\n<h2>{}</h2>\n<p>{}</p>\n{}</section>\n", style, heading, text, body);
}

std::string wide_chart(const std::string& drawing) { return "<div class=\"wide chart\">\n" + drawing + "</div>\n"; }

std::string whole_page(std::string_view title, const std::string& content, bool has_script) {
  const std::string script = has_script ? fmt::format("<script>{}</script>\n", page_script()) : "";
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\"/>\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}"
      "</main>\n{}</body>\n</html>\n",
      escape_markup(title), page_styles(), content, script);
}

}  // namespace frond
