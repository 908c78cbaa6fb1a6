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
@media (max-width: 44rem) { .bar { display: none; } .figures { display: block; overflow-x: auto; } .figures :is(th, td) { padding-right: 0.4rem; } }
`;
