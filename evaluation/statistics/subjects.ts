import fc from 'fast-check';
import type { RunRecord } from '../../kernel/findings/record.ts';
import type { ProfileId } from '../../load/profiles/index.ts';
import { PROFILE_IDS } from '../../load/profiles/index.ts';
import type { Fault } from '../../reference-server/catalogue/faults/fault.ts';
import { isOfBytes } from '../../reference-server/catalogue/faults/fault.ts';
import { faults } from '../../reference-server/catalogue/faults/index.ts';
import { findVariant, variants } from '../../reference-server/catalogue/variants/index.ts';
import type { AlgorithmName } from '../../reference-server/limiters/index.ts';
import { algorithms, DEFAULT_ALGORITHM } from '../../reference-server/limiters/index.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { RequirementId } from '../../spec/register.ts';
import { healthy } from '../load/degradations.ts';
import { mustPass } from '../load/finds.ts';
import type { VirtualLoad } from '../load/virtual-load.ts';
import { virtualLoad } from '../load/virtual-load.ts';
import { modelRuns, runAgainstModel } from '../simulation/model-run.ts';
import type { VirtualRun } from '../simulation/virtual-run.ts';
import { runAgainst, runWith, virtualRun } from '../simulation/virtual-run.ts';
import type { Random } from '../testing/suites/limiters.ts';
import { pick } from '../testing/suites/limiters.ts';
import type { NetworkConditions } from './circumstances.ts';
import { combined, drawCircumstances, drawPlans, drawVariants } from './circumstances.ts';

/** One run, judged. */
export interface Trial {
  readonly record: Pick<RunRecord, 'requirements' | 'observations'>;
  /** The circumstances of the run in one line, for a person. */
  readonly circumstances: string;
}

/** A service that the suites run against many times: a conforming one, or one with a fault of the rate-limit chapters. */
export interface Subject {
  /** The name of the service and the conditions, for example `gcra/lossy`. */
  readonly id: string;
  readonly name: string;
  readonly where: NetworkConditions | Stratum;
  /** How many runs `npm run evaluate -- statistics` does. */
  readonly runs: number;
  /** Whether the service conforms, so that no requirement may fail. */
  readonly conforms: boolean;
  /** The requirements that a run has to fail; empty for a conforming service. */
  readonly breaks: readonly RequirementId[];
  /** The requirements that a run has to warn of; empty for a conforming service. */
  readonly warns: readonly RequirementId[];
  /** Runs the suites against it once. `random` is the only source of chance. */
  readonly trial: (run: number, random: Random) => Promise<Trial>;
}

const allConditions: readonly NetworkConditions[] = ['calm', 'lossy', 'shared'];

/** What a run draws from, and the conditions that it draws for. */
interface Draw {
  readonly conditions: NetworkConditions;
  readonly run: number;
  readonly random: Random;
}

const CONFORMS = { conforms: true, breaks: [], warns: [] } as const;

/** A conforming service under all network conditions. */
const conforming = (name: string, runs: number, trial: (draw: Draw) => Promise<Trial>) =>
  allConditions.map((conditions): Subject => {
    const subject = { id: `${name}/${conditions}`, name, where: conditions, runs, ...CONFORMS };
    return { ...subject, trial: (run, random) => trial({ conditions, run, random }) };
  });

/** A service whose responses have no Date, so that Reset shows no moment. */
const withoutDate = findVariant('no-date-header');

/** Without a day that takes hours to use, and `backoff`, of which some runs take minutes to simulate. */
const LOAD_PROFILES = PROFILE_IDS.filter((id) => id !== 'day-quota' && id !== 'backoff');

/**
 * Services that conform: every algorithm, with and without Date, every variant of the reference
 * server that virtual time can show, several variants at once, random model
 * services, a day that is used, and every load profile against any of these.
 */
export const conformingSubjects: readonly Subject[] = [
  ...algorithms.flatMap((algorithm) =>
    conforming(algorithm, 2500, (draw) => {
      const plans = drawPlans(draw.random);
      return ofService(draw, { algorithm, plans, withDisposableKey: draw.random() < 0.2 });
    }),
  ),
  ...variants
    .filter(({ testedWith }) => testedWith !== 'sockets')
    .flatMap((variant) =>
      conforming(`variant/${variant.id}`, 70, (draw) => ofVariant(draw, variant, DEFAULT_ALGORITHM)),
    ),
  ...conforming('combined-variants', 1500, async (draw) => {
    const drawn = drawVariants(draw.random);
    const algorithm = pick(algorithms, draw.random);
    const { record, circumstances } = await ofVariant(draw, combined(drawn), algorithm);
    return { record, circumstances: `${drawn.map(({ id }) => id).join(' + ')}, ${circumstances}` };
  }),
  ...conforming('without-date', 500, (draw) => {
    const plans = drawPlans(draw.random);
    const algorithm = pick(algorithms, draw.random);
    const withDisposableKey = draw.random() < 0.2;
    return ofService(draw, { algorithm, plans, withDisposableKey, fault: withoutDate });
  }),
  ...conforming('model-service', 5000, ofModel),
  ...conforming('used-day', 100, (draw) => {
    const exclusiveKey = draw.conditions !== 'shared' && draw.random() < 0.5;
    const algorithm = nth(draw.run);
    return ofService(draw, { ...runWith(['used day']), exclusiveKey, algorithm, thorough: false });
  }),
  ...LOAD_PROFILES.map((profile): Subject => {
    const name = `load/${profile}`;
    const trial: Subject['trial'] = (run, random) => ofLoad(profile, run, random);
    return { id: `${name}/calm`, name, where: 'calm', runs: 60, ...CONFORMS, trial };
  }),
];

/** The algorithm and the network conditions under which a run looks for a fault. */
export type Stratum = (typeof strata)[number]['where'];

const nth = (run: number): AlgorithmName => algorithms[run % algorithms.length] ?? DEFAULT_ALGORITHM;

/** Only `calm` has a threshold: the default algorithm, no other client, and a network without losses. */
const strata = [
  { where: 'calm', conditions: 'calm', algorithm: () => DEFAULT_ALGORITHM },
  { where: 'any-algorithm', conditions: 'calm', algorithm: nth },
  { where: 'lossy', conditions: 'lossy', algorithm: nth },
  { where: 'shared', conditions: 'shared', algorithm: nth },
] as const;

/** What a run fails because of a fault that only a run of three windows can find; undefined for any other. */
const breaksWhenThorough = ({ undecidable, breaksWith }: Fault): readonly RequirementId[] | undefined =>
  undecidable === undefined ? undefined : breaksWith.thorough;

/** The faults of the chapters on limits that can be decided and that virtual time can show, in the order of the catalogue. */
export const limitFaults: readonly Fault[] = faults.filter(
  (fault) =>
    !isOfBytes(fault) &&
    (breaksWhenThorough(fault) !== undefined ||
      (fault.undecidable === undefined &&
        [...fault.breaks, ...fault.warnings].some((id) => /^(RATE|LIMIT|RETRY|BAN)-/.test(id)))),
);

/** Every such fault in every stratum, on the Free plan of the specification. */
export const faultSubjects: readonly Subject[] = limitFaults.flatMap((fault) =>
  strata.map(({ where, conditions, algorithm }): Subject => {
    const { id: name, warnings: warns = [] } = fault;
    const breaks = breaksWhenThorough(fault) ?? fault.breaks;
    const thorough = breaksWhenThorough(fault) !== undefined || fault.needs.includes('thorough');
    const trial: Subject['trial'] = (run, random) => {
      const service = { ...runWith(fault.needs), algorithm: algorithm(run), thorough, fault };
      return ofService({ conditions, run, random }, service);
    };
    const runs = where === 'calm' ? 100 : 60;
    return { id: `${name}/${where}`, name, where, runs, conforms: false, breaks, warns, trial };
  }),
);

/** All of them; the ids are unique. */
export const subjects: readonly Subject[] = [...conformingSubjects, ...faultSubjects];

type Service = VirtualRun & Required<Pick<VirtualRun, 'algorithm'>>;

/** A run against one variant, or several at once; `algorithm` is what it has where no variant needs another. */
const ofVariant = (
  draw: Draw,
  variant: Parameters<typeof runAgainst>[0],
  algorithm: AlgorithmName,
): Promise<Trial> => ofService(draw, { algorithm, ...runAgainst(variant) });

/** The share of runs against conforming services that test three windows. */
const THOROUGH_SHARE = 0.2;

/** A run against a service; whether it tests three windows is drawn where that is not given. */
async function ofService({ conditions, run, random }: Draw, service: Service): Promise<Trial> {
  const { algorithm, plans = loadPlans(), thorough = random() < THOROUGH_SHARE } = service;
  const { description, ...circumstances } = drawCircumstances(conditions, run, plans, random);
  const { record } = await virtualRun({ ...service, ...circumstances, thorough });
  const windows = thorough ? ', three windows' : '';
  return { record, circumstances: `${algorithm}, ${description}${windows}` };
}

async function ofModel({ conditions, run, random }: Draw): Promise<Trial> {
  const [drawn] = fc.sample(modelRuns, { seed: Math.floor(random() * 2 ** 31), numRuns: 1 });
  if (drawn === undefined) throw new RangeError('No model run was drawn.');
  const { limit: perMinute, windowMs } = drawn.behaviour.quota;
  const real = loadPlans();
  const plans = { ...real, minuteSeconds: windowMs / 1000, plans: { free: { perMinute, perDay: 1000 } } };
  const { network, otherClientTimes, description } = drawCircumstances(conditions, run, plans, random);
  const loss = conditions === 'calm' || network.loss === undefined ? {} : { loss: network.loss };
  const { record } = await runAgainstModel({ ...drawn, otherClientTimes, ...loss });
  return { record, circumstances: `${JSON.stringify(drawn)}, ${description}` };
}

/** What a load run loads, in words and as it is built. */
function loadedService(
  profile: ProfileId,
  random: Random,
): readonly [who: string, service: Pick<VirtualLoad, 'fault' | 'wrap'>] {
  const kind = random();
  if (kind < 0.2) return ['unchanged', {}];
  if (kind < 0.4) return ['healthy on a busy machine', healthy(random)];
  const fitting = variants.filter((one) => mustPass(profile, one));
  const fault = pick(fitting, random);
  return [fault.id, { fault }];
}

/** A load run: against a variant, an unchanged algorithm, or one that is healthy and slow. No message is lost; links are those of lossy conditions. */
async function ofLoad(profile: ProfileId, run: number, random: Random): Promise<Trial> {
  const real = loadPlans();
  const plans = { ...real, minuteSeconds: pick([60, 60, 10, 3], random) };
  const [who, service] = loadedService(profile, random);
  const load = {
    ...{ profile, plans, plan: pick(['free', 'free', 'free', 'pro', 'business'], random) },
    algorithm: pick(algorithms, random),
    ...(random() < 0.2 ? { ban: { after: 5, seconds: 30 } } : {}),
  };
  const { start, clockOffset, network, description } = drawCircumstances('lossy', run, plans, random);
  const { there, back } = network;
  const { record } = await virtualLoad({ ...load, ...service, start, clockOffset, network: { there, back } });
  return { record, circumstances: `${who}, ${load.algorithm}, ${load.plan}, ${description}` };
}
