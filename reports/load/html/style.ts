import { plotStyle } from '../../plots/style.ts';
import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';

/** Style rules of the load report, besides those shared with other reports. */
export const loadStyle: Markup = markup`${plotStyle}
.outcome.fail { color: var(--fail); } .outcome.inconclusive { color: var(--inconclusive); } .outcome.pass { color: var(--pass); }
section > h3 { margin-top: 2rem; }
.next { max-width: 46rem; margin-bottom: 1rem; }
.bar { width: 14rem; } .bar svg { display: block; width: 100%; height: 0.9rem; }
.bar rect { fill: var(--tone); } .bar .unsent { fill: var(--line); }
@media screen and (max-width: 44rem) { .bar { display: none; } .figures :is(th, td) { padding-right: 0.4rem; } }
#glance ~ .glanced p { margin: 0; }
@media print {
  .next { max-width: none; } .certificate > .facts { margin-bottom: 0.75rem; }
  .certificate ul { margin: 0.25rem 0; padding-left: 1.1rem; }
  .run > h2 { margin-top: 0.75rem; padding-top: 0.5rem; } .run .plot { margin: 0.5rem 0; }
  .phases table { margin-top: 0.25rem; } .phases :is(th, td) { padding-block: 0.15rem; } .phases td:last-child { white-space: normal; }
}
`;
