import type { Environment, LoadRecord } from '../model/record.ts';

/** What became of one figure from the first run to the second. */
export type Change = 'same' | 'better' | 'worse' | 'inconclusive';

/** One figure of both runs. */
export interface ComparedFigure {
  readonly what: string;
  readonly a: string;
  readonly b: string;
  readonly change: Change;
  /** Why it cannot be compared, in a clause; empty otherwise. */
  readonly because: string;
}

/** Two load runs side by side. */
export interface Comparison {
  readonly schemaVersion: 1;
  /** `regression` where anything is worse, else `inconclusive` where anything cannot be compared, else `none`. */
  readonly outcome: 'none' | 'regression' | 'inconclusive';
  /** By how much a figure may be worse, as a share of the first one's. */
  readonly tolerance: number;
  readonly figures: readonly ComparedFigure[];
  /** What is different about the circumstances, one sentence each. */
  readonly remarks: readonly string[];
}

/** Differences of latency below this are nobody's doing, in milliseconds. */
const NOISE_MS = 1;

/**
 * Compares two runs of one profile: verdicts, counts and latencies. Runs of
 * other profiles, limits or sizes cannot be compared, runs that did not finish only by what failed in them, and
 * latencies only from one machine and one version of k6. Pure.
 * @param tolerance by how much a figure may be worse, as a share (0.1 is a tenth).
 */
export function compareLoads(a: LoadRecord, b: LoadRecord, tolerance: number): Comparison {
  const [questions, cuts] = [otherQuestions(a, b), unfinished(a, b)];
  const elsewhere = differencesOf(a.environment, b.environment);
  const remarks = [...questions, ...cuts, ...elsewhere, ...told(a, b)];
  const verdict = (because: string): ComparedFigure =>
    figure('verdict', a.verdict, b.verdict, 'inconclusive', because);
  const figuresOf = (): readonly ComparedFigure[] => {
    if (questions.length > 0) return [verdict('the runs are not alike')];
    // What failed before a run was cut short, by a ban or an outage perhaps, has failed all the same.
    const failed = verdicts(a, b).filter(({ change }) => change === 'worse');
    if (cuts.length > 0) return [verdict('a run did not finish'), ...failed];
    return [
      ...verdicts(a, b),
      ...counts(a, b, tolerance),
      ...latencies(a, b, tolerance, elsewhere.length > 0),
    ];
  };
  const figures = figuresOf();
  const has = (change: Change): boolean => figures.some((one) => one.change === change);
  const unclear = has('inconclusive') ? 'inconclusive' : 'none';
  return {
    schemaVersion: 1,
    outcome: has('worse') ? 'regression' : unclear,
    tolerance,
    figures,
    remarks,
  };
}

const figure = (what: string, a: string, b: string, change: Change, because = ''): ComparedFigure => ({
  ...{ what, a, b, change, because },
});

/** What makes two runs different questions, one sentence each. */
function otherQuestions(a: LoadRecord, b: LoadRecord): readonly string[] {
  const plannedBy = ({ keys }: LoadRecord): string =>
    keys.map(({ key, planned }) => `${key} ${planned}`).join(', ');
  const limitsBy = ({ limits }: LoadRecord): string =>
    `${limits.perMinute} in ${limits.minuteSeconds} s and ${limits.perDay} in ${limits.daySeconds} s`;
  const alike = [
    ['The profiles differ', a.profile, b.profile],
    ['The limits differ', limitsBy(a), limitsBy(b)],
    ['The planned requests differ', plannedBy(a), plannedBy(b)],
  ] as const;
  return alike.flatMap(([what, one, other]) => (one === other ? [] : [`${what}: ${one}, and ${other}.`]));
}

/** Which of two runs ended before their time, one sentence each. */
const unfinished = (a: LoadRecord, b: LoadRecord): readonly string[] =>
  [a, b].flatMap(({ ended }, i) =>
    ended.how === 'finished'
      ? []
      : [`The ${i === 0 ? 'first' : 'second'} run did not finish: ${ended.because}`],
  );

function differencesOf(a: Environment, b: Environment): readonly string[] {
  const pairs = [
    ['k6', a.k6, b.k6],
    ['platform', a.platform, b.platform],
    ['number of CPUs', String(a.cpus), String(b.cpus)],
  ] as const;
  return pairs.flatMap(([what, one, other]) =>
    one === other ? [] : [`The ${what} differs: ${one}, and ${other}. Latencies cannot be compared.`],
  );
}

/** What is worth knowing and decides nothing. */
function told(a: LoadRecord, b: LoadRecord): readonly string[] {
  const { baseUrl, plan } = a.target;
  return [
    ...(baseUrl === b.target.baseUrl ? [] : [`The targets differ: ${baseUrl}, and ${b.target.baseUrl}.`]),
    ...(plan === b.target.plan ? [] : [`The plans have other names: ${plan}, and ${b.target.plan}.`]),
    ...(a.suite.version === b.suite.version
      ? []
      : [`The suites differ: ${a.suite.version}, and ${b.suite.version}.`]),
  ];
}

/** Every expectation by its verdict: one that fails and did not fail before is a regression. */
function verdicts(a: LoadRecord, b: LoadRecord): readonly ComparedFigure[] {
  return b.findings.map(({ id, verdict }) => {
    const before = a.findings.find((one) => one.id === id)?.verdict ?? 'inconclusive';
    if (verdict === before && verdict !== 'inconclusive') return figure(id, before, verdict, 'same');
    if (verdict === 'fail') return figure(id, before, verdict, 'worse');
    if (verdict === 'inconclusive')
      return figure(id, before, verdict, 'inconclusive', 'the second run proves nothing about it');
    return figure(id, before, verdict, 'better');
  });
}

function counts(a: LoadRecord, b: LoadRecord, tolerance: number): readonly ComparedFigure[] {
  const sum = ({ keys }: LoadRecord, field: 'planned' | 'accepted' | 'rateLimited' | 'failed'): number =>
    keys.reduce((total, one) => total + one[field], 0);
  const margin = tolerance * sum(a, 'planned');
  const row = (field: 'accepted' | 'rateLimited' | 'failed', good: 1 | -1): ComparedFigure => {
    const [one, other] = [sum(a, field), sum(b, field)];
    const gained = good * (other - one);
    const moved = gained > 0 ? 'better' : 'worse';
    return figure(field, String(one), String(other), Math.abs(gained) > margin ? moved : 'same');
  };
  return [row('accepted', 1), row('rateLimited', -1), row('failed', -1)];
}

/** The latencies that are compared, with the share of answers that each leaves beyond it. */
const COMPARED = [
  ['latency, half', 'p50', 0.5],
  ['latency, 90 %', 'p90', 0.1],
  ['latency, 99 %', 'p99', 0.01],
] as const;

function latencies(
  a: LoadRecord,
  b: LoadRecord,
  tolerance: number,
  elsewhere: boolean,
): readonly ComparedFigure[] {
  const [one, other] = [a.latencyMs, b.latencyMs];
  if (one === null || other === null)
    return [figure('latency', ...shown(one), ...shown(other), 'inconclusive', 'nothing was answered')];
  return COMPARED.flatMap(([what, field, beyond]) => {
    const texts = [`${one[field].toFixed(2)} ms`, `${other[field].toFixed(2)} ms`] as const;
    if (elsewhere)
      return [figure(what, ...texts, 'inconclusive', 'the runs were made on different machines')];
    // A percentile of fewer answers is but the slowest of them.
    if (Math.min(one.count, other.count) * beyond < 1) return [];
    const slower = other[field] - one[field];
    const margin = Math.max(NOISE_MS, tolerance * one[field]);
    const moved = slower > 0 ? 'worse' : 'better';
    return [figure(what, ...texts, Math.abs(slower) > margin ? moved : 'same')];
  });
}

const shown = (summary: LoadRecord['latencyMs']): readonly [string] => [
  summary === null ? 'none' : `${summary.p50.toFixed(2)} ms`,
];
