import { colours } from '../colours.ts';
import type { Markup } from '../written.ts';
import { markup } from '../written.ts';
import { printStyle } from './print-style.ts';

/** The style sheet of the report. */
export const style: Markup = markup`${colours}* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
body > * { max-width: 66rem; margin-inline: auto; padding-inline: 1.25rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
a:focus-visible, summary:focus-visible, .wide:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: clamp(1.35rem, 1rem + 1.6vw, 1.8rem); line-height: 1.25; margin: 0.25rem 0 1.25rem; text-wrap: balance; }
h2 { font-size: 1.3rem; margin: 3rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: 0.95rem; margin: 1.25rem 0 0; font-weight: 600; }
p { margin: 0.5rem 0; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.875em; unicode-bidi: isolate; }
pre { margin: 0; padding: 0.75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
.quiet { color: var(--quiet); font-size: 0.9rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 0; padding: 0.5rem 1rem; background: var(--ground); }
.masthead { padding-top: 2.5rem; }
.masthead > p:first-child { color: var(--quiet); margin: 0; }
.outcome { border-left: 0.35rem solid currentcolor; padding-left: 1rem; }
.outcome.violates { color: var(--fail); }
.outcome.incomplete { color: var(--inconclusive); }
.outcome.conforms { color: var(--pass); }
.headline { border-left: 0.35rem solid var(--fail); padding: 0.2rem 1rem; margin: 0 0 1rem; background: var(--raised); border-radius: 6px; }
.headline p { margin: 0.5rem 0; }
.untested { border-left: 0.35rem solid var(--not-tested); padding: 0.2rem 1rem; margin: 0 0 1rem; background: var(--raised); border-radius: 6px; }
.untested p { margin: 0.5rem 0; }
.untested ul { margin: 0.5rem 0; padding-left: 1.2rem; }
.parts { display: flex; flex-wrap: wrap; margin: 0.75rem 0; }
.parts > div { flex: 0 0 100%; display: grid; grid-template-columns: 8.5rem 1fr; gap: 0 1rem; padding: 0.3rem 0; border-top: 1px solid var(--line); }
.parts dt { color: var(--quiet); font-size: 0.9rem; }
.parts dd { margin: 0; min-width: 0; }
.cause { border-left: 2px solid var(--line); padding-left: 1rem; margin: 1.5rem 0; }
.cause > h3 { font-size: 1.1rem; }
.parts > .beside dd { white-space: pre-wrap; }
.parts > .beside { display: block; flex-basis: 50%; padding-right: 1rem; }
.headers { margin: 0.75rem 0; } .headers caption { text-align: left; color: var(--quiet); font-size: 0.85rem; }
.headers :is(th, td) { padding-block: 0.25rem; } .headers th { width: 16rem; } .headers tbody th { font-weight: 400; } .headers .decisive > * { background: var(--raised); font-weight: 600; }
.command { user-select: all; cursor: copy; }
.facts { display: flex; flex-wrap: wrap; gap: 0.9rem 2.5rem; margin: 0 0 1.5rem; }
.facts dt { color: var(--quiet); font-size: 0.85rem; }
.facts dd { margin: 0; }
.counts { display: flex; flex-wrap: wrap; gap: 0.4rem 1.75rem; list-style: none; margin: 0; padding: 0; }
.counts .number { font-size: 1.15rem; font-weight: 650; font-variant-numeric: tabular-nums; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 1.25rem 0 0; padding: 0; font-size: 0.95rem; }
.badge { font-weight: 600; white-space: nowrap; }
.mark { display: inline-block; min-width: 1em; text-align: center; }
.fail { --tone: var(--fail); } .inconclusive { --tone: var(--inconclusive); } .warn { --tone: var(--warn); }
.pass { --tone: var(--pass); } .not-tested, .none { --tone: var(--not-tested); }
.badge, .counts .number { color: var(--tone); }
.level { color: var(--quiet); font-size: 0.8rem; font-weight: 500; letter-spacing: 0.03em; }
.count { color: var(--quiet); font-weight: 500; }
.finding { border: 1px solid var(--line); border-left: 0.3rem solid var(--tone); border-radius: 6px; padding: 1rem 1.25rem; margin: 1rem 0; }
.sentence { font-size: 1.05rem; font-weight: 600; }
blockquote { margin: 0.75rem 0 0; padding-left: 0.9rem; border-left: 2px solid var(--line); color: var(--quiet); }
blockquote p { margin: 0; }
blockquote + .quiet { margin-top: 0.15rem; padding-left: 1rem; }
summary { cursor: pointer; padding: 0.3rem 0; }
figure { margin: 0.75rem 0; }
figcaption { font-size: 0.8rem; color: var(--quiet); margin-bottom: 0.2rem; }
.messages { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); column-gap: 1rem; }
.messages figure { min-width: 0; }
.cited > summary { color: var(--link); }
.exchange { content-visibility: auto; contain-intrinsic-height: auto 2.2rem; border-bottom: 1px solid var(--line); padding: 0.2rem 0; }
.exchange > div { padding: 0 0 0.75rem 1rem; scroll-margin-top: 4rem; }
table { width: 100%; border-collapse: collapse; margin-top: 1rem; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); }
thead th { font-size: 0.85rem; color: var(--quiet); font-weight: 500; }
tbody th { font-weight: 600; }
.register th[scope="row"] { width: 9rem; }
.register th[scope="row"] .level { display: block; }
.register td:nth-child(2) { width: 9rem; }
.observations td:nth-child(2) { width: 32%; }
.register .exchanges { width: 7rem; padding-right: 0; }
.register td p { margin: 0.15rem 0 0; }
.chapter th { padding-top: 1.75rem; font-size: 1.05rem; }
tr:target > * { background: var(--raised); }
.meanings { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1.25rem; }
.meanings dd { margin: 0; }
footer { margin-top: 3rem; padding-block: 1.25rem 3rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: 0.9rem; }
@media screen and (max-width: 44rem) {
  body > * { padding-inline: 1rem; }
  .finding { padding: 0.8rem 0.9rem; }
  .parts > div { grid-template-columns: 1fr; }
  .parts > .beside { flex-basis: 100%; }
  .register thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .register tr { display: grid; grid-template-columns: 1fr max-content; border-bottom: 1px solid var(--line); padding: 0.6rem 0; }
  .register tr > * { border: 0; padding: 0.1rem 0; }
  .register :is(th[scope="row"], td:nth-child(2), .exchanges) { width: auto; }
  .register th[scope="row"] .level { display: inline; }
  .register td:nth-child(3), .register .exchanges, .observations td:nth-child(2), .observations th[scope="row"] { grid-column: 1 / -1; }
  .register .exchanges:not(:empty)::before { content: "Exchanges: "; color: var(--quiet); }
  .register .chapter th { grid-column: 1 / -1; padding-top: 1.25rem; }
  .meanings { grid-template-columns: 1fr; gap: 0; }
  .meanings dd { margin-bottom: 0.6rem; }
}
${printStyle}`;
