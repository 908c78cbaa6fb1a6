import { variants } from '../../reference-server/catalogue/variants/index.ts';
import type { Variant } from '../../reference-server/catalogue/variants/variant.ts';
import type { SeamContext, Seams } from '../../reference-server/seams.ts';

/** At most this many ways to conform that differ from the usual one in one service. */
const MOST_AT_ONCE = 4;

/**
 * Topics of which one server can show one at a time: two of a group change the
 * same header, make ids that no service has, hide what another one
 * counts, apply two rules to one text, replace one list by two others, or
 * ban what another one limits.
 */
const groups: readonly (readonly Variant['topic'][])[] = [
  ['K01', 'K02', 'K05', 'K06', 'K07', 'K08', 'K27', 'K29', 'K34', 'K75'],
  ['K24', 'K25', 'K26'],
  ['K46', 'K47', 'K48'],
  ['K47', 'K58'],
  ['K31', 'K81'],
  ['K35', 'K74'],
  ['K57', 'K58', 'K60'],
  ['K57', 'K59', 'K60'],
  ['K62', 'K63', 'K64', 'K76'],
  ['K31', 'K35', 'K39'],
  ['K40', 'K75'],
  ['K05', 'K17', 'K18'],
  ['K19', 'K27', 'K37', 'K74', 'K75'],
  ['K50', 'K68'],
];

/** Whether two variants can be built into one server, and are more than one of them. */
function fit(one: Variant, other: Variant): boolean {
  const bothHave = (field: keyof Variant): boolean => one[field] !== undefined && other[field] !== undefined;
  const sameGroup = groups.some((group) => group.includes(one.topic) && group.includes(other.topic));
  return (
    one.topic !== other.topic &&
    !sameGroup &&
    !(limits(one) && limits(other)) &&
    !(['algorithm', 'namePattern', 'testedWith'] as const).some(bothHave)
  );
}

/** A ban is as long as the usual limiter's wait: after a longer one it would ban a client that waited. */
const limits = ({ topic, wrapLimiter }: Variant): boolean => wrapLimiter !== undefined || topic === 'K35';

/** Not those that need sockets, and no list that takes seconds to read a hundred times. */
const drawable = variants.filter(
  ({ id, testedWith }) => testedWith !== 'sockets' && id !== 'list-of-fifty-thousand',
);

/** Two to four variants that one server can be at once, at random. `random` gives numbers from 0 to below 1. */
export function drawVariants(random: () => number): readonly Variant[] {
  const size = 2 + Math.floor(random() * (MOST_AT_ONCE - 1));
  const drawn: Variant[] = [];
  let candidates = drawable;
  while (drawn.length < size) {
    const next = candidates[Math.floor(random() * candidates.length)];
    if (next === undefined) return drawn;
    drawn.push(next);
    candidates = candidates.filter((candidate) => fit(candidate, next));
  }
  return [...drawn].sort((a, b) => layerOf(a) - layerOf(b));
}

/**
 * What is built around the rest: ids, because lists are taken apart and written
 * again, which ids of other forms would not survive, and then what stands in
 * front of a service, which writes headers otherwise or answers without JSON.
 */
const layers: readonly (readonly Variant['topic'][])[] = [
  ['K46', 'K47', 'K48'],
  ['K03', 'K50', 'K68', 'K80', 'K81'],
];

const layerOf = ({ topic }: Variant): number => layers.findIndex((layer) => layer.includes(topic));

/** What a run has to know of the variants in one service. */
export interface CombinedVariants extends Pick<Variant, 'algorithm' | 'namePattern' | 'testedWith'> {
  readonly seams: Seams;
}

/** All variants in one service, each around those before it. */
export function combined(all: readonly Variant[]): CombinedVariants {
  const { algorithm } = all.find((one) => one.algorithm !== undefined) ?? {};
  const { namePattern } = all.find((one) => one.namePattern !== undefined) ?? {};
  const { testedWith } = all.find((one) => one.testedWith !== undefined) ?? {};
  return {
    seams: {
      wrapStore: (store) => all.reduce((inner, { wrapStore }) => wrapStore?.(inner) ?? inner, store),
      wrapIdentify: around(all.flatMap(({ wrapIdentify = [] }) => wrapIdentify)),
      wrapLimiter: around(all.flatMap(({ wrapLimiter = [] }) => wrapLimiter)),
      wrapService: around(all.flatMap(({ wrapService = [] }) => wrapService)),
    },
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(namePattern === undefined ? {} : { namePattern }),
    ...(testedWith === undefined ? {} : { testedWith }),
  };
}

/** One wrapper for all of them, the last one outermost. */
const around =
  <Inner>(wrappers: readonly ((inner: Inner, context: SeamContext) => Inner)[]) =>
  (inner: Inner, context: SeamContext): Inner =>
    wrappers.reduce((wrapped, wrap) => wrap(wrapped, context), inner);
