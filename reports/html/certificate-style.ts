import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** The style rules of the first page and of the summary behind it. */
export const certificateStyle: Markup = markup`
.certificate .kind { color: var(--text); font-weight: 600; letter-spacing: 0.02em; }
.certificate h2 { font-size: 1.05rem; margin: 1.5rem 0 0.25rem; padding: 0; border: 0; }
.violated { margin: 0.5rem 0 1rem; padding-left: 1.1rem; max-width: none; } .violated li { margin: 0.1rem 0; } .violated a { white-space: nowrap; }
.certificate .facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: 0.75rem 2rem; }
.certificate .provenance .facts { grid-template-columns: 1fr; gap: 0.2rem; margin: 0 0 0.5rem; }
.certificate .provenance .facts > div { display: grid; grid-template-columns: 7.5rem 1fr; }
.certificate .provenance p { margin: 0; }
.tested table { margin-top: 0.25rem; font-variant-numeric: tabular-nums; }
.tested :is(th, td) { padding-block: 0.25rem; text-align: right; }
.tested :is(th, td):first-child { text-align: left; }
.tested tbody th { font-weight: 400; }
.tested td { color: var(--tone); }
.glanced th { white-space: nowrap; } .glanced td { min-width: 7rem; } .glanced .cause-row td { background: var(--raised); padding-left: 0.5rem; }
.print-choice { font-size: 0.95rem; }
@media screen and (max-width: 44rem) {
  .certificate .provenance .facts > div { grid-template-columns: 1fr; }
  .tested { overflow-x: auto; } .tested :is(th, td) { padding-right: 0.4rem; font-size: 0.8rem; } .tested thead th { font-size: 0.7rem; overflow-wrap: normal; } .tested tbody th { hyphens: auto; }
  .headers td::before { color: var(--quiet); font: 0.85rem system-ui, sans-serif; } .headers td:nth-of-type(1)::before { content: 'Expected: '; } .headers td:nth-of-type(2)::before { content: 'Received: '; }
  :is(.glanced, .headers) thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  :is(.glanced, .headers) tr { display: block; padding: 0.5rem 0; border-bottom: 1px solid var(--line); } :is(.glanced, .headers) :is(th, td) { display: block; width: auto; border: 0; padding: 0.1rem 0; }
}
`;
