import type { Markup } from '../../written.ts';
import { markup } from '../../written.ts';

/** Style rules of the load report, besides those shared with other reports. */
export const chartStyle: Markup = markup`
.outcome.fail { color: var(--fail); } .outcome.inconclusive { color: var(--inconclusive); } .outcome.pass { color: var(--pass); }
.next { max-width: 46rem; margin-bottom: 1rem; }
.chart, .wide { overflow-x: auto; }
.chart svg { display: block; width: 100%; min-width: 34rem; height: auto; background: var(--raised); border: 1px solid var(--line); border-radius: 6px; }
.chart text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
.chart .grid { stroke: var(--line); stroke-width: 0.6; }
.chart .window-end { stroke: var(--link); stroke-width: 1; stroke-dasharray: 4 3; }
.chart .wait { fill: var(--line); opacity: 0.55; }
.chart .remaining { fill: none; stroke: var(--quiet); stroke-width: 0.8; opacity: 0.6; }
.chart circle, .chart path.warn { fill: var(--tone); }
.chart .cross { stroke: var(--tone); stroke-width: 2.2; }
.chart .curve { fill: none; stroke: var(--link); stroke-width: 2; }
.chart .from-sent { stroke: var(--quiet); stroke-dasharray: 5 4; }
.legend span { color: var(--tone); font-weight: 600; margin-right: 1.25rem; }
.figures td, .figures th { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.figures :is(th, td):first-child { text-align: left; }
.bar { width: 14rem; } .bar svg { display: block; width: 100%; height: 0.9rem; }
.bar rect { fill: var(--tone); } .bar .unsent { fill: var(--line); }
@media (max-width: 44rem) { .bar { display: none; } .figures { display: block; overflow-x: auto; } .figures :is(th, td) { padding-right: 0.4rem; } }
@media print { .chart { overflow: visible; } .chart svg { min-width: 0; } .chart, .finding { break-inside: avoid; } }
`;
