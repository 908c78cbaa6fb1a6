import { colours } from '../badge.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** Where a screen is narrower than this, labels stand above what they name. */
const NARROW = markup`@media screen and (max-width: 44rem)`;

export const style: Markup = markup`${colours}* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
body > * { max-width: 66rem; margin-inline: auto; padding-inline: 1.25rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: clamp(1.35rem, 1rem + 1.6vw, 1.8rem); line-height: 1.25; margin: 0.25rem 0 0.75rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 2.5rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
main > section:first-child > h2 { margin-top: 1rem; }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: 0.95rem; margin: 1.25rem 0 0; font-weight: 600; }
p { margin: 0.5rem 0; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; unicode-bidi: isolate; }
pre { margin: 0; padding: 0.75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
.whole, a[href^="#finding-"] { white-space: nowrap; }
.quiet { color: var(--quiet); font-size: 0.9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 0; padding: 0.5rem 1rem; background: var(--ground); }

.masthead { padding-top: 2rem; }
.kind { margin: 0; font-weight: 600; letter-spacing: 0.02em; }
.outcome { border-left: 0.35rem solid currentcolor; padding-left: 1rem; color: var(--tone); }
.headline { border-left: 0.35rem solid var(--fail); padding: 0.2rem 1rem; margin: 0.5rem 0 1rem; background: var(--raised); border-radius: 6px; }
.counts { display: flex; flex-wrap: wrap; gap: 0.3rem 1.75rem; list-style: none; margin: 0.75rem 0 0; padding: 0; }
.counts .number { font-size: 1.15rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.badge, .counts .number, .tested strong { color: var(--tone); }
.fail, .violates { --tone: var(--fail); } .inconclusive, .incomplete { --tone: var(--inconclusive); } .warn { --tone: var(--warn); }
.pass, .conforms { --tone: var(--pass); } .not-tested { --tone: var(--not-tested); } .none { color: var(--quiet); }
nav { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.25rem; margin-top: 1rem; font-size: 0.875rem; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 0.9rem; list-style: none; margin: 0; padding: 0; }
nav p { margin: 0 0 0 auto; }

.badge { font-weight: 600; white-space: nowrap; }
.mark { display: inline-block; min-width: 1em; text-align: center; }
.level { color: var(--quiet); font-size: 0.8rem; font-weight: 500; letter-spacing: 0.03em; }
.count { color: var(--quiet); font-weight: 500; }
.cause { margin: 1.25rem 0; }
.cause > h3 { font-size: 1.1rem; } .cause > p { margin: 0.25rem 0; }
.finding { border: 1px solid var(--line); border-left: 0.3rem solid var(--tone); border-radius: 6px; padding: 0.7rem 1.1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(27rem, 100%), 1fr)); gap: 0.75rem; margin: 0.75rem 0; align-items: start; }
.finding:has(details[open], .plot) { grid-column: 1 / -1; }
.finding > p { margin: 0.4rem 0; }
.parts, .untested { margin: 0.4rem 0; }
.parts > div { display: grid; grid-template-columns: 6.6rem minmax(0, 1fr); gap: 0 0.5rem; padding: 0.15rem 0; }
.parts dt { color: var(--quiet); font-size: 0.9rem; padding-top: 0.1em; }
.untested { display: grid; grid-template-columns: fit-content(14rem) minmax(0, 1fr); gap: 0.3rem 1.25rem; } .untested > div { display: contents; } .untested dt { font-weight: 600; }
dd { margin: 0; white-space: pre-line; }
.parts dd code { background: var(--raised); border-radius: 3px; padding: 0.05em 0.1em; }
.finding summary { color: var(--link); font-size: 0.95rem; }
blockquote { margin: 0.75rem 0 0; padding-left: 0.9rem; border-left: 2px solid var(--line); color: var(--quiet); }
blockquote p { margin: 0; }
blockquote + .quiet { margin-top: 0.15rem; padding-left: 1rem; }
summary { cursor: pointer; padding: 0.2rem 0; }
figure { margin: 0.75rem 0; }
figcaption { font-size: 0.8rem; color: var(--quiet); margin-bottom: 0.2rem; }
.messages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); column-gap: 1rem; }
.messages figure { min-width: 0; }
.command { user-select: all; cursor: copy; }
.exchange { content-visibility: auto; contain-intrinsic-height: auto 2.2rem; border-bottom: 1px solid var(--line); padding: 0.2rem 0; }
.exchange > div { padding: 0 0 0.75rem 1rem; scroll-margin-top: 4rem; }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(6.2rem, 1fr)); gap: 0.6rem; margin: 1rem 0; }
.tiles > div { display: flex; flex-direction: column-reverse; border: 1px solid var(--line); border-radius: 6px; padding: 0.4rem 0.7rem; }
.tiles dt { color: var(--quiet); font-size: 0.85rem; } .tiles dd { font-size: 1.3rem; font-weight: 650; white-space: nowrap; font-variant-numeric: tabular-nums; color: var(--tone, inherit); }
main > section > h3 { margin-top: 1.5rem; }
.bar { width: 14rem; height: 0.9rem; } .bar rect { fill: var(--tone, var(--line)); }

table { width: 100%; border-collapse: collapse; margin-top: 0.5rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); }
thead th { font-size: 0.85rem; color: var(--quiet); font-weight: 500; }
tbody th { font-weight: 600; }
.figures :is(td, th) { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; padding-block: 0.25rem; }
.figures :is(th, td):first-child { text-align: left; }
.wide { overflow-x: auto; }
.wide::before { content: 'Scroll sideways to see the whole table →'; display: block; height: 0; overflow: hidden; position: sticky; left: 0; width: max-content; color: var(--quiet); font-size: 0.85rem; animation: scrolls linear both; animation-timeline: scroll(nearest inline); }
@keyframes scrolls { from, to { height: 1.5em; } }
.matrix :is(td, th) { min-width: 7rem; overflow-wrap: break-word; }
.register th[scope="row"], .register td:nth-child(2) { width: 9rem; }
.register th[scope="row"] .level { display: block; }
.observations td:nth-child(2) { width: 32%; }
.register .exchanges { width: 7rem; padding-right: 0; }
.register td p { margin: 0.15rem 0 0; }
.chapter th { padding-top: 1.75rem; font-size: 1.05rem; }
tr:target > * { background: var(--raised); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 0.75rem 2rem; margin: 0.5rem 0 1rem; }
.facts > :has(code) { grid-column: span 2; }
.facts dt { color: var(--quiet); font-size: 0.85rem; }
.meanings { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1.25rem; }
main { padding-bottom: 3rem; }
${NARROW} {
  body > * { padding-inline: 1rem; }
  .finding { padding: 0.7rem 0.8rem; }
  .parts > div, .untested { grid-template-columns: minmax(0, 1fr); gap: 0; } .untested dd { margin-bottom: 0.6rem; }
  .tiles dd { font-size: 1.1rem; }
  .facts > :has(code) { grid-column: auto; }
  .register thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .register tr { display: grid; grid-template-columns: 1fr max-content; border-bottom: 1px solid var(--line); padding: 0.6rem 0; }
  .register tr > * { border: 0; padding: 0.1rem 0; width: auto; }
  .register th[scope="row"] .level { display: inline; }
  .register td:nth-child(3), .register .exchanges, .observations :is(td:nth-child(2), th[scope="row"]), .register .chapter th { grid-column: 1 / -1; }
  .register .exchanges:not(:empty)::before { content: "Exchanges: "; color: var(--quiet); }
  .register .chapter th { padding-top: 1.25rem; }
  .bar { display: none; } .figures :is(th, td) { padding-right: 0.6rem; }
  .meanings { grid-template-columns: 1fr; gap: 0; }
  .meanings dd { margin-bottom: 0.6rem; }
}
@supports not (animation-timeline: scroll()) { ${NARROW} { .wide::before { height: 1.5em; } } }
`;

/**
 * How every page is printed: as a summary, without what is marked as `more`, unless a reader asks for all of it. No
 * text is smaller than 8 pt. Findings are in two columns and keep their first lines; where there are many, the picture
 * gives way to them; that of a load run is larger, and stands first, so that two pages suffice. A browser that does not
 * know `:has` prints everything.
 */
export const printStyle: Markup = markup`
@page { size: A4; margin: 13mm 14mm 15mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; } }
@media print {
  :root { font-size: 9pt; }
  body { font-size: 8.5pt; line-height: 1.35; }
  body > * { max-width: none; padding-inline: 0; }
  :is(.quiet, code, pre, .level, .count, .canvas, summary, figcaption, caption, dt, thead th) { font-size: 8pt !important; }
  nav, .skip, .filter, summary, .wide::before { display: none; }
  .masthead { padding-top: 0; } h1 { font-size: 14pt; } h2 { font-size: 10.5pt; margin: 0.6rem 0 0.25rem; padding-top: 0.4rem; } h3, .cause > h3 { font-size: 9pt; }
  thead, h2, h3, figcaption, .cause > p { break-after: avoid; }
  .finding h3 { break-after: auto; }
  tr, .counts, .finding, .untested dd, .facts > div, .plot { break-inside: avoid; }
  .wide { overflow: visible; } main { padding: 0; } .cause > p { break-inside: avoid; }
  .finding { padding: 0.05rem 0 0.05rem 0.4rem; margin: 0.2rem 0; border-width: 0 0 0 2pt; border-radius: 0; }
  .finding > p, .parts { margin: 0.1rem 0; } .parts > div { grid-template-columns: 4.4rem minmax(0, 1fr); gap: 0 0.4rem; padding: 0; }
  .findings { columns: 2; column-gap: 1.2rem; } .findings > :is(h2, p) { column-span: all; }
  .cards { display: block; margin: 0; }
  .cause { margin: 0.3rem 0; } .cause > p { margin: 0.1rem 0; } .finding .sentence { font-weight: 400; }
  .figures :is(th, td) { padding-block: 0.1rem; }
  .facts { grid-template-columns: repeat(4, 1fr); gap: 0.35rem 1rem; margin: 0.25rem 0; }
  .tiles { grid-template-columns: repeat(7, 1fr); gap: 0.3rem; margin: 0.4rem 0; } .tiles dd { font-size: 11pt; } .tiles > div { padding: 0.1rem 0.4rem; }
  .phases td:last-child { white-space: normal; }
  .canvas { zoom: 0.8; } .canvas text { font-size: 13.4px; }
  .exchange { content-visibility: visible; }
  :is(details.more, .exchange)::details-content { content-visibility: visible; block-size: auto; }
  body:not(:has(#print-all:checked)) {
    & :is(.more, .run .plot + .plot, .finding .plot) { display: none; }
    & main:has(.cards > :nth-child(4), .findings ~ .findings) .run { display: none; }
    & main:has(.timeline) { display: flex; flex-direction: column; } & .timeline { order: -1; }
    & :is(.finding h3, .finding > p, .parts dd, .untested dd, .remarks li, .facts dd, .headline p) { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
    & .cause :is(.finding h3, .parts dd) { -webkit-line-clamp: 1; }
    & .finding h3 { -webkit-line-clamp: 2; }
    & .phases:has(tr:nth-child(13)), & main:has(.cards > :nth-child(16)) .timeline, & main:has(.cards > :nth-child(16), .findings ~ .findings ~ .findings) .tested { display: none; }
    & .findings:has(.cards > :nth-child(40)) { columns: 3; }
    & main:has(.cards > :nth-child(16)) :is(.finding h3, .finding > p, .parts dd, .remarks li, .untested dd, .facts dd) { -webkit-line-clamp: 1; }
  }
}
`;
