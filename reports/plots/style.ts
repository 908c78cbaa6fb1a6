import type { Markup } from '../written.ts';
import { markup } from '../written.ts';

/** The style rules of marks; they use the colours of reports (`colours`), so they follow the scheme. */
export const markStyle: Markup = markup`
.canvas, .panel, .stretched, .at { overflow: visible; }
.stretched * { vector-effect: non-scaling-stroke; }
.canvas text, .legend { font: 12px/1.3 system-ui, sans-serif; }
.canvas .tick { fill: var(--quiet); font-variant-numeric: tabular-nums; }
.canvas .label { fill: var(--text); font-weight: 600; }
.grid { stroke: var(--line); stroke-width: 1; } .grid.faint { opacity: 0.45; }
.line { fill: none; stroke: var(--link); stroke-width: 1.6; stroke-linejoin: round; }
.line.strong { stroke-width: 2.4; } .line.dashed { stroke: var(--warn); stroke-dasharray: 6 4; } .line.dotted { stroke: var(--inconclusive); stroke-width: 2.2; stroke-dasharray: 1.5 3.5; stroke-linecap: round; }
.line.quiet { stroke: var(--quiet); stroke-width: 1.1; }
.canvas .end { fill: var(--link); font-weight: 600; } .canvas .end.dashed { fill: var(--warn); } .canvas .end.dotted { fill: var(--inconclusive); }
.band { fill: var(--link); opacity: 0.18; }
.level { stroke: var(--fail); stroke-width: 1.4; stroke-dasharray: 2 3; }
.rule { stroke: var(--inconclusive); stroke-width: 1.3; } .rule.dashed { stroke-dasharray: 4 3; }
.span { fill: var(--quiet); opacity: 0.16; } .span.striking { fill: var(--warn); opacity: 0.28; }
.accepted { --mark: var(--pass); } .rate-limited { --mark: var(--warn); } .rejected { --mark: var(--link); }
.failed { --mark: var(--fail); } .no-response { --mark: var(--inconclusive); }
.point { fill: var(--mark); } .dots { fill: none; stroke: var(--mark); stroke-width: 5.4; stroke-linecap: round; }
.point.failed { fill: none; stroke: var(--mark); stroke-width: 2.4; } .point.no-response { fill: none; stroke: var(--mark); stroke-width: 2; }
.layer { fill: var(--mark); opacity: 0.7; }
`;

/** The style rules of plots on a page. */
export const plotStyle: Markup = markup`${markStyle}
.plot { margin: 1rem 0 1.75rem; } .plot figure { margin: 0; }
.canvas { display: block; margin: 0 32px 0 46px; width: calc(100% - 78px); }
.plot .legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; list-style: none; margin: 0.6rem 0 0.4rem; padding: 0; color: var(--text); }
.plot .legend li { display: flex; align-items: center; gap: 0.4rem; }
.plot figcaption { font-size: 0.9rem; max-width: 48rem; }
.plot details { margin-top: 0.3rem; font-size: 0.9rem; } .plot summary { color: var(--quiet); }
@media print { .plot details { display: none; } }
`;
