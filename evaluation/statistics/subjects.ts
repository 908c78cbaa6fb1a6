import fc from 'fast-check';
import type { Fault } from '../../catalogue/index.ts';
import { faults, variants } from '../../catalogue/index.ts';
import type { AlgorithmName, Seams } from '../../reference-server/index.ts';
import { algorithms, DEFAULT_ALGORITHM } from '../../reference-server/index.ts';
import type { Plans } from '../../spec/plans.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { RequirementId } from '../../spec/register.ts';
import type { RunRecord } from '../../suites/index.ts';
import { modelRun, modelRuns } from '../simulation/model-run.ts';
import { virtualRun } from '../simulation/virtual-run.ts';
import { seededBy } from '../testing/suites/seeded.ts';
import type { NetworkConditions } from './circumstances.ts';
import { circumstances, somePlans } from './circumstances.ts';
import { seedNameOf } from './seed-names.ts';

/** One examination, judged; `told` says under which circumstances, on one line. */
export interface Trial {
  readonly record: RunRecord;
  readonly told: string;
}

/** What is examined again and again: a conforming service, or one with a fault of the rate-limit chapters. */
export interface Subject {
  /** What `--only` takes: a name and a weather, or a fault and a stratum. */
  readonly id: string;
  readonly name: string;
  readonly where: NetworkConditions | Stratum;
  /** Runs of the long proof. */
  readonly runs: number;
  /** Whether it belongs to the services that must never be accused. */
  readonly conforms: boolean;
  /** What an examination has to fail, or at least to warn of; nothing for a service that conforms. */
  readonly breaks: readonly RequirementId[];
  readonly warns: readonly RequirementId[];
  /** Examines it once more. `random` is all the chance there is. */
  readonly trial: (run: number, random: () => number) => Promise<Trial>;
}

const conditionsRows: readonly NetworkConditions[] = ['calm', 'lossy', 'shared'];

/** A service without a fault, in every weather. */
const conforming = (name: string, runs: number, trial: (conditions: NetworkConditions) => Subject['trial']) =>
  conditionsRows.map((where): Subject => {
    const nothing = { conforms: true, breaks: [], warns: [] };
    return { id: `${name}/${where}`, name, where, runs, ...nothing, trial: trial(where) };
  });

/**
 * Services that conform: every algorithm and every variant of the reference
 * server that virtual time can show, and the random lawful services of the
 * third witness.
 */
export const conformingSubjects: readonly Subject[] = [
  ...algorithms.flatMap((algorithm) =>
    conforming(algorithm, 2500, (conditions) => (run, random) => {
      const plans = somePlans(random);
      return ofService({ conditions, run, random, algorithm, plans, withDisposableKey: random() < 0.2 });
    }),
  ),
  ...variants
    .filter(({ testedWith }) => testedWith !== 'sockets')
    .flatMap((variant) =>
      conforming(`variant/${variant.id}`, 70, (conditions) => (run, random) => {
        const { algorithm = DEFAULT_ALGORITHM, testedWith, namePattern } = variant;
        const withDisposableKey = testedWith === 'a disposable key';
        const plans = loadPlans();
        const alone = testedWith === 'no second key';
        const drawn = { conditions, run, random, algorithm, plans, withDisposableKey, alone, seams: variant };
        return ofService(namePattern === undefined ? drawn : { ...drawn, namePattern });
      }),
    ),
  ...conforming('third-witness', 5000, (conditions) => (run, random) => ofModel(conditions, run, random)),
];

/** Where a fault is looked for: the algorithm and the weather. */
export type Stratum = (typeof strata)[number]['where'];

const nth = (run: number): AlgorithmName => algorithms[run % algorithms.length] ?? DEFAULT_ALGORITHM;

/** The bar stands for the first: the default algorithm, a key of one's own, and a network that loses nothing. */
const strata = [
  { where: 'calm', conditions: 'calm', algorithm: () => DEFAULT_ALGORITHM },
  { where: 'any-algorithm', conditions: 'calm', algorithm: nth },
  { where: 'lossy', conditions: 'lossy', algorithm: nth },
  { where: 'shared', conditions: 'shared', algorithm: nth },
] as const;

type LimitFault = Exclude<Fault, { readonly kind: 'bytes' }>;

/** The faults of the chapters on limits that can be decided and that virtual time can show, in the order of the catalogue. */
export const limitFaults: readonly LimitFault[] = faults.filter(
  (fault): fault is LimitFault =>
    fault.kind !== 'bytes' &&
    fault.undecidable === undefined &&
    [...fault.breaks, ...(fault.warnings ?? [])].some((id) => /^(RATE|LIMIT|RETRY|BAN)-/.test(id)),
);

/** Every such fault in every stratum, on the Free plan of the specification. */
export const faultSubjects: readonly Subject[] = limitFaults.flatMap((fault) =>
  strata.map(({ where, conditions, algorithm }): Subject => {
    const { id: name, breaks, warnings: warns = [] } = fault;
    const withDisposableKey = breaks.some((id) => id.startsWith('BAN'));
    const plans = loadPlans();
    const trial: Subject['trial'] = (run, random) =>
      ofService({
        conditions,
        run,
        random,
        algorithm: algorithm(run),
        plans,
        withDisposableKey,
        seams: fault,
      });
    const runs = where === 'calm' ? 100 : 60;
    return { id: `${name}/${where}`, name, where, runs, conforms: false, breaks, warns, trial };
  }),
);

/** All of them; the ids are unique. */
export const subjects: readonly Subject[] = [...conformingSubjects, ...faultSubjects];

interface Drawn {
  readonly conditions: NetworkConditions;
  readonly run: number;
  readonly random: () => number;
  readonly algorithm: AlgorithmName;
  readonly plans: Plans;
  readonly withDisposableKey: boolean;
  readonly alone?: boolean;
  readonly seams?: Seams;
  readonly namePattern?: string;
}

async function ofService(drawn: Drawn): Promise<Trial> {
  const {
    conditions,
    run,
    random,
    algorithm,
    plans,
    withDisposableKey,
    alone = false,
    seams,
    namePattern,
  } = drawn;
  const { told, ...around } = circumstances(conditions, run, plans, random);
  const service = {
    ...(seams === undefined ? {} : { fault: seams }),
    ...(namePattern === undefined ? {} : { namePattern }),
  };
  const { record } = await virtualRun({ ...around, algorithm, withDisposableKey, alone, ...service });
  return { record, told: `${algorithm}, ${told}` };
}

async function ofModel(conditions: NetworkConditions, run: number, random: () => number): Promise<Trial> {
  const [drawn] = fc.sample(modelRuns, { seed: Math.floor(random() * 2 ** 31), numRuns: 1 });
  if (drawn === undefined) throw new RangeError('Nothing was drawn.');
  const { limit: perMinute, windowMs } = drawn.manner.quota;
  const real = loadPlans();
  const plans = { ...real, minuteSeconds: windowMs / 1000, plans: { free: { perMinute, perDay: 1000 } } };
  const { network, foreign, told } = circumstances(conditions, run, plans, random);
  const loss = conditions === 'calm' || network.loss === undefined ? {} : { loss: network.loss };
  const { record } = await modelRun({ ...drawn, foreign, ...loss });
  return { record, told: `${JSON.stringify(drawn)}, ${told}` };
}

/** The chance of one run: the same whenever it is drawn again. */
export const chanceOf = (seed: number, subject: string, run: number): (() => number) =>
  seededBy(`${seed} ${seedNameOf(subject)} ${run}`);
