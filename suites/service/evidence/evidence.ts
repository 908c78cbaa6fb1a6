import { groupedBy } from '../../../kernel/exchanges/collections.ts';
import type { Caller, Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import { mayPass, unavailable } from '../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../kernel/findings/judgement.ts';
import type { EndLine, Selection } from '../../../kernel/findings/tested.ts';
import { withUsableDates } from '../../../kernel/rate-limits/clocks.ts';
import type { Quota } from '../../../kernel/rate-limits/quota.ts';
import { minuteQuota } from '../../../kernel/rate-limits/quota.ts';
import { markClosed, markStored } from '../../../kernel/rate-limits/series.ts';
import type { Limits } from '../../../spec/plans.ts';
import type { register } from '../../../spec/register.ts';
import type { JournalLine, RunLine } from '../model/journal.ts';
import type { Lockout } from '../model/lockout.ts';
import { lockoutsIn } from '../model/lockout.ts';
import type { ProbeId, StepNameOf } from '../probes/index.ts';
import { accounted, whileLost, withoutLockouts } from './locked-out.ts';

/** The notes of these probes are about themselves and explain no other probe. */
const SELF_CONTAINED: ReadonlySet<string> = new Set<ProbeId>([
  'other-caller',
  'ban',
  'repeated-authorization',
  'other-spellings',
  'spend-day',
  'second-batch',
]);

/** What a requirement is judged on: the recorded run and the specification. Pure data. */
export class Evidence {
  readonly run: RunLine;
  readonly limits: Limits;
  readonly quota: Quota;
  readonly end: EndLine | undefined;
  /** Whether every probe ran: in a run that broke off, the missing exchanges could explain the recorded ones. */
  readonly finished: boolean;
  readonly exclusive: boolean;
  /** Everything that was sent, with the answers that arrived. */
  readonly recorded: readonly Exchange[];
  /** The same, without the answers that a lockout gave in place of the service, and without a Date that stands still. */
  readonly exchanges: readonly Exchange[];
  readonly lockouts: readonly Lockout[];
  readonly documents: readonly Extract<JournalLine, { kind: 'document' }>[];
  /** What was sent while the key was banned. */
  readonly lost: ReadonlySet<Exchange>;
  /** Of each probe, what proves something. */
  readonly #byProbe: ReadonlyMap<string, readonly Exchange[]>;
  readonly #byStatus: ReadonlyMap<number | undefined, readonly Exchange[]>;
  readonly #byCaller: ReadonlyMap<Caller, readonly Exchange[]>;
  readonly notes: ReadonlyMap<string, string>;
  readonly #facts = new Map<unknown, unknown>();

  constructor(run: RunLine, lines: readonly JournalLine[]) {
    this.run = run;
    this.limits = run.limits;
    this.quota = minuteQuota(run.limits);
    this.recorded = accounted(lines.filter((line) => line.kind === 'exchange'));
    this.lockouts = lockoutsIn(this.recorded);
    const answered = withoutLockouts(this.recorded, this.lockouts);
    this.exchanges = withUsableDates(markStored(markClosed(answered), this.quota));
    this.documents = lines.filter((line) => line.kind === 'document');
    this.end = lines.findLast((line): line is EndLine => line.kind === 'end');
    this.finished = this.end?.how === 'finished';
    this.exclusive = run.inputs.exclusiveKey;
    this.#byStatus = groupedBy(this.exchanges, statusOf);
    this.#byCaller = groupedBy(this.exchanges, ({ caller }) => caller);
    this.lost = whileLost(this.by('key'));
    this.#byProbe = new Map(
      [...groupedBy(this.exchanges, ({ probe }) => probe)].map(([id, sent]) => [
        id,
        onlyTheLast(sent).filter((exchange) => !this.lost.has(exchange)),
      ]),
    );
    const notes = lines.filter((line) => line.kind === 'note');
    this.notes = new Map(
      [...groupedBy(notes, ({ probe }) => probe)].map(([id, [first]]) => [id, first.text]),
    );
  }

  /** The exchanges of these probes, in the order of the journal, without those that prove nothing: requests that were sent again, and requests while the key was banned. */
  of(...probes: readonly ProbeId[]): readonly Exchange[] {
    return probes.flatMap((id) => this.#byProbe.get(id) ?? []).sort((a, b) => a.n - b.n);
  }

  answered(status: number): readonly Exchange[] {
    return this.#byStatus.get(status) ?? [];
  }

  /** The exchanges of one step of a probe. A step that the probe does not have does not compile. */
  step<Id extends ProbeId>(probe: Id, step: StepNameOf<Id>): readonly Exchange[] {
    return this.of(probe).filter((exchange) => exchange.step === step);
  }

  by(caller: Caller): readonly Exchange[] {
    return this.#byCaller.get(caller) ?? [];
  }

  /** A fact that several judges need, worked out once. */
  fact<T>(derive: (evidence: Evidence) => T): T {
    if (!this.#facts.has(derive)) this.#facts.set(derive, derive(this));
    return this.#facts.get(derive) as T;
  }

  planned(probe: ProbeId): boolean {
    return this.run.probes.some(({ id }) => id === probe);
  }

  whyNothing(...probes: readonly ProbeId[]): string {
    return this.#reason(probes) ?? 'No exchange of this run shows this.';
  }

  /** A sentence about what these probes lack, followed by the reason where the run recorded one. */
  lacking(sentence: string, ...probes: readonly ProbeId[]): string {
    const reason = this.#reason(probes);
    return reason === undefined ? sentence : `${sentence} ${reason}`;
  }

  #reason(probes: readonly ProbeId[]): string | undefined {
    const note = probes.map((id) => this.notes.get(id)).find((text) => text !== undefined);
    if (note !== undefined) return note;
    if (this.end === undefined) return 'The journal ends before this was tested.';
    if (this.end.how !== 'finished') return `This was not tested: ${this.end.because.replace(/\.$/, '')}.`;
    return [...this.notes].find(([probe]) => !SELF_CONTAINED.has(probe))?.[1];
  }
}

/** So many are no accident of one moment, nor of one of the texts that they carry. */
export const FEWEST_OFTEN = 3;

/** Whether so many of these requests got 500, one in four, that sending them again excuses none. */
export function failOften(exchanges: readonly Exchange[]): boolean {
  const failed = exchanges.filter((one) => statusOf(one) === 500);
  return failed.length >= FEWEST_OFTEN && 4 * failed.length >= exchanges.length;
}

/** The exchanges of a probe without those whose request was sent again later because of how it ended. */
function onlyTheLast(exchanges: readonly Exchange[]): readonly Exchange[] {
  if (!exchanges.some((one) => mayBeSentAgain(one) || mayPass(one))) return exchanges;
  const excusesFailures = !failOften(exchanges);
  const later = new Set<string>();
  return exchanges
    .toReversed()
    .filter((exchange, i, reversed) => {
      const next = reversed[i - 1];
      const name = nameOf(exchange);
      const isRepeated = mayBeSentAgain(exchange)
        ? later.has(name)
        : excusesFailures &&
          mayPass(exchange) &&
          next !== undefined &&
          nameOf(next) === name &&
          follows(next, exchange);
      later.add(name);
      return !isRepeated;
    })
    .reverse();
}

const nameOf = ({ step, request }: Exchange): string =>
  `${step}\n${request.method} ${request.target}\n${request.body?.text}`;

const follows = (next: Exchange, { received }: Exchange): boolean => next.sent.mono >= received.mono;

const mayBeSentAgain = (exchange: Exchange): boolean =>
  isRateLimitedKey(exchange) || closedOnReuse(exchange) || unavailable(exchange);

/** Only the key under test repeats a request after a 429; other callers send again on purpose. */
const isRateLimitedKey = (exchange: Exchange): boolean =>
  statusOf(exchange) === 429 && (exchange.caller === 'key' || exchange.caller === 'unspecified');

/** Whether the target closed a kept connection just as it was used again: the request may never have arrived. */
export const closedOnReuse = ({ outcome, connection }: Exchange): boolean =>
  outcome.kind === 'no-response' && outcome.cause === 'reset' && !connection.fresh;

/** Whether an entry of the register is judged in this run: every one, unless the run was limited to a selection. */
export const isSelected = (id: string, selection: Selection | undefined): boolean =>
  selection === undefined || selection.requirements.includes(id);

/** Why an entry was not tested that is not part of the selection. */
export const whyNotSelected = (selection: Selection | undefined): string =>
  selection?.kind === 'quick'
    ? 'A quick run leaves out what needs a 429, and what was not selected. A complete run tests it, if it has the further keys that some requirements need.'
    : 'The run was limited to other requirements. A complete run tests it, if it has the further keys that some requirements need.';

type RegisterEntry = (typeof register)[number];

export type JudgedId = Exclude<Extract<RegisterEntry, { judged: 'by certify' }>['id'], ObservedId>;
type ObservedId = Extract<RegisterEntry, { level: 'OBSERVE'; judged: 'by certify' }>['id'];

/** The judge is pure: no clock, no network, no environment, and it never throws on anything a target can send. */
export interface Requirement {
  readonly id: JudgedId;
  readonly probes: readonly ProbeId[];
  /** Why a violation matters to those who rely on the service: one sentence. */
  readonly whyItMatters: string;
  /** How to fix a violation in any framework: one or two sentences. What is known of the cause replaces it. */
  readonly fix: string;
  judge(evidence: Evidence): Judgement;
}

/** Something that the specification leaves open: recorded, never part of the outcome. */
export interface Observable {
  readonly id: ObservedId;
  readonly probes: readonly ProbeId[];
  observe(evidence: Evidence): Observed;
}

/** What was observed. `warning` is about a value that is malformed by its own standard. */
export interface Observed {
  readonly value: string;
  readonly exchanges?: readonly Exchange[];
  readonly warning?: string;
}
