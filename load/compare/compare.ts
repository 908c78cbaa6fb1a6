import type { LoadEnvironment, LoadRecord } from '../model/record.ts';

/** How one figure changed from the first run to the second. */
export type FigureChange = 'same' | 'better' | 'worse' | 'inconclusive';

/** One figure of both runs. */
export interface ComparedFigure {
  /** Name of the figure: an expectation, a count or a latency. */
  readonly figure: string;
  /** Its value in the first run. */
  readonly first: string;
  /** Its value in the second run. */
  readonly second: string;
  readonly change: FigureChange;
  /** Why it cannot be compared, in a clause; empty otherwise. */
  readonly because: string;
}

/** The comparison of two load runs. */
export interface LoadComparison {
  readonly schemaVersion: 2;
  /** `regression` where anything is worse, else `inconclusive` where anything cannot be compared, else `none`. */
  readonly outcome: 'none' | 'regression' | 'inconclusive';
  /** How much worse a figure may be, as a share of its value in the first run. */
  readonly tolerance: number;
  readonly figures: readonly ComparedFigure[];
  /** Differences between the runs that the figures do not show, one sentence each. */
  readonly remarks: readonly string[];
}

/** Smaller differences of latency are noise, in milliseconds. */
const NOISE_MS = 1;

/**
 * Compares two runs of one profile: verdicts, counts and latencies. Runs with different
 * profiles, limits or numbers of requests are not comparable; of a run that did not finish only its failures
 * are; latencies are comparable only on the same machine and with the same version of k6. Pure.
 * @param tolerance how much worse a figure may be, as a share (0.1 is a tenth).
 */
export function compareLoads(a: LoadRecord, b: LoadRecord, tolerance: number): LoadComparison {
  const [setup, endings] = [setupDifferences(a, b), unfinishedRuns(a, b)];
  const environment = environmentDifferences(a.environment, b.environment);
  const remarks = [...setup, ...endings, ...environment, ...otherDifferences(a, b)];
  const verdict = (because: string): ComparedFigure =>
    comparedFigure('verdict', a.verdict, b.verdict, 'inconclusive', because);
  const figuresOf = (): readonly ComparedFigure[] => {
    if (setup.length > 0) return [verdict('the runs differ in profile, limits or requests')];
    // A failure counts even if the run then stopped early, perhaps because of a ban or an outage.
    const failed = comparedVerdicts(a, b).filter(({ change }) => change === 'worse');
    if (endings.length > 0) return [verdict('a run did not finish'), ...failed];
    return [
      ...comparedVerdicts(a, b),
      ...comparedCounts(a, b, tolerance),
      ...comparedLatencies(a, b, tolerance, environment.length === 0),
    ];
  };
  const figures = figuresOf();
  const has = (change: FigureChange): boolean => figures.some((one) => one.change === change);
  const otherwise = has('inconclusive') ? 'inconclusive' : 'none';
  return {
    schemaVersion: 2,
    outcome: has('worse') ? 'regression' : otherwise,
    tolerance,
    figures,
    remarks,
  };
}

const comparedFigure = (
  figure: string,
  first: string,
  second: string,
  change: FigureChange,
  because = '',
): ComparedFigure => ({ figure, first, second, change, because });

/** Differences that make two runs incomparable, one sentence each. */
function setupDifferences(a: LoadRecord, b: LoadRecord): readonly string[] {
  const plannedBy = ({ keys }: LoadRecord): string =>
    keys.map(({ key, planned }) => `${key} ${planned}`).join(', ');
  const limitsBy = ({ limits }: LoadRecord): string =>
    `${limits.perMinute} in ${limits.minuteSeconds} s and ${limits.perDay} in ${limits.daySeconds} s`;
  const pairs = [
    ['The profiles differ', a.profile, b.profile],
    ['The limits differ', limitsBy(a), limitsBy(b)],
    ['The planned requests differ', plannedBy(a), plannedBy(b)],
  ] as const;
  return pairs.flatMap(([what, one, other]) => (one === other ? [] : [`${what}: ${one} and ${other}.`]));
}

/** Which of the runs did not finish, one sentence each. */
const unfinishedRuns = (a: LoadRecord, b: LoadRecord): readonly string[] =>
  [a, b].flatMap(({ ended }, i) =>
    ended.how === 'finished'
      ? []
      : [`The ${i === 0 ? 'first' : 'second'} run did not finish: ${ended.because}`],
  );

/** Differences of the machines, one sentence each. */
function environmentDifferences(a: LoadEnvironment, b: LoadEnvironment): readonly string[] {
  const pairs = [
    ['k6', a.k6, b.k6],
    ['platform', a.platform, b.platform],
    ['number of CPUs', String(a.cpus), String(b.cpus)],
  ] as const;
  return pairs.flatMap(([what, one, other]) =>
    one === other ? [] : [`The ${what} differs: ${one} and ${other}. Latencies are not comparable.`],
  );
}

/** Differences that do not affect the comparison, one sentence each. */
function otherDifferences(a: LoadRecord, b: LoadRecord): readonly string[] {
  const { baseUrl, plan } = a.target;
  return [
    ...(baseUrl === b.target.baseUrl ? [] : [`The targets differ: ${baseUrl} and ${b.target.baseUrl}.`]),
    ...(plan === b.target.plan ? [] : [`The plans have different names: ${plan} and ${b.target.plan}.`]),
    ...(a.suite.version === b.suite.version
      ? []
      : [`The suite versions differ: ${a.suite.version} and ${b.suite.version}.`]),
  ];
}

/** Compares the verdict of every expectation: a new failure is a regression. */
function comparedVerdicts(a: LoadRecord, b: LoadRecord): readonly ComparedFigure[] {
  return b.findings.map(({ id, verdict }) => {
    const before = a.findings.find((one) => one.id === id)?.verdict ?? 'inconclusive';
    if (verdict === before && verdict !== 'inconclusive') return comparedFigure(id, before, verdict, 'same');
    if (verdict === 'fail') return comparedFigure(id, before, verdict, 'worse');
    if (verdict === 'inconclusive')
      return comparedFigure(id, before, verdict, 'inconclusive', 'inconclusive in the second run');
    return comparedFigure(id, before, verdict, 'better');
  });
}

/** Compares the requests by outcome. */
function comparedCounts(a: LoadRecord, b: LoadRecord, tolerance: number): readonly ComparedFigure[] {
  const sum = ({ keys }: LoadRecord, field: 'planned' | 'accepted' | 'rateLimited' | 'failed'): number =>
    keys.reduce((total, one) => total + one[field], 0);
  const margin = tolerance * sum(a, 'planned');
  const row = (field: 'accepted' | 'rateLimited' | 'failed', good: 1 | -1): ComparedFigure => {
    const [one, other] = [sum(a, field), sum(b, field)];
    const gained = good * (other - one);
    const direction = gained > 0 ? 'better' : 'worse';
    return comparedFigure(field, String(one), String(other), Math.abs(gained) > margin ? direction : 'same');
  };
  return [row('accepted', 1), row('rateLimited', -1), row('failed', -1)];
}

/** The compared percentiles, each with the share of responses above it. */
const COMPARED_PERCENTILES = [
  ['latency p50', 'p50', 0.5],
  ['latency p90', 'p90', 0.1],
  ['latency p99', 'p99', 0.01],
] as const;

/** Compares latencies; inconclusive where the machines differ. */
function comparedLatencies(
  a: LoadRecord,
  b: LoadRecord,
  tolerance: number,
  sameMachine: boolean,
): readonly ComparedFigure[] {
  const [one, other] = [a.latencyMs, b.latencyMs];
  if (one === null || other === null)
    return [
      comparedFigure('latency', medianText(one), medianText(other), 'inconclusive', 'a run has no response'),
    ];
  return COMPARED_PERCENTILES.flatMap(([what, field, beyond]) => {
    const texts = [`${one[field].toFixed(2)} ms`, `${other[field].toFixed(2)} ms`] as const;
    if (!sameMachine)
      return [
        comparedFigure(what, ...texts, 'inconclusive', 'the runs used different machines or k6 versions'),
      ];
    // With fewer responses, the percentile is the slowest response.
    if (Math.min(one.count, other.count) * beyond < 1) return [];
    const slower = other[field] - one[field];
    const margin = Math.max(NOISE_MS, tolerance * one[field]);
    const direction = slower > 0 ? 'worse' : 'better';
    return [comparedFigure(what, ...texts, Math.abs(slower) > margin ? direction : 'same')];
  });
}

const medianText = (summary: LoadRecord['latencyMs']): string =>
  summary === null ? 'none' : `${summary.p50.toFixed(2)} ms`;
