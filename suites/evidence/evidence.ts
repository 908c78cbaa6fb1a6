import type { Caller, Exchange } from '../../exchanges/exchange.ts';
import { statusOf } from '../../exchanges/headers.ts';
import { unavailable } from '../../exchanges/outcome-kinds.ts';
import type { EndLine, JournalLine, RunLine } from '../model/journal.ts';
import { ban } from '../probes/ban.ts';
import { repeatedAuthorization } from '../probes/open-behavior.ts';
import { otherCaller } from '../probes/other-callers.ts';
import type { Probe, StepOf } from '../probes/probe.ts';
import { accounted } from './accounted.ts';
import { whileLost } from './lost-key.ts';
import type { Schemas } from './schemas.ts';

/** What these probes note is about themselves and explains nothing else. */
const OF_ITSELF: ReadonlySet<string> = new Set([otherCaller.id, ban.id, repeatedAuthorization.id]);

/** What one requirement is judged on: the recorded run, and the law. Pure data; asking it twice gives the same. */
export class Evidence {
  readonly run: RunLine;
  readonly end: EndLine | undefined;
  readonly exchanges: readonly Exchange[];
  readonly documents: readonly Extract<JournalLine, { kind: 'document' }>[];
  readonly schemas: Schemas;
  /** What was asked while the key was banned. */
  readonly lost: ReadonlySet<Exchange>;
  readonly #byProbe = new Map<string, Exchange[]>();
  readonly #byStatus = new Map<number | undefined, Exchange[]>();
  readonly #byCaller = new Map<Caller, Exchange[]>();
  readonly #notes = new Map<string, string[]>();
  readonly #facts = new Map<unknown, unknown>();

  constructor(run: RunLine, lines: readonly JournalLine[], schemas: Schemas) {
    this.run = run;
    this.schemas = schemas;
    this.exchanges = accounted(lines.filter((line) => line.kind === 'exchange'));
    this.documents = lines.filter((line) => line.kind === 'document');
    this.end = lines.findLast((line): line is EndLine => line.kind === 'end');
    for (const exchange of this.exchanges) {
      push(this.#byProbe, exchange.probe, exchange);
      push(this.#byStatus, statusOf(exchange), exchange);
      push(this.#byCaller, exchange.caller, exchange);
    }
    this.lost = whileLost(this.by('key'));
    for (const line of lines) if (line.kind === 'note') push(this.#notes, line.probe, line.text);
  }

  /** Whether every probe was asked: of a run that broke off, what would have come could explain what came. */
  get finished(): boolean {
    return this.end?.how === 'finished';
  }

  /** Whether the user stated that no other client uses the examined key during the run. */
  get exclusive(): boolean {
    return this.run.inputs.exclusiveKey;
  }

  /** The exchanges of these probes, in the order of the journal, less those that say nothing: after which the same was asked again, and to which the key was not known any more. */
  of(...probes: readonly Probe[]): readonly Exchange[] {
    const found = probes.flatMap((probe) =>
      (this.#byProbe.get(probe.id) ?? [])
        .filter(notAskedAgain)
        .filter((exchange) => !this.lost.has(exchange)),
    );
    return probes.length > 1 ? found.sort((a, b) => a.n - b.n) : found;
  }

  /** The exchanges that were answered with one of these statuses, in the order of the journal. */
  answered(...statuses: readonly number[]): readonly Exchange[] {
    const [only] = statuses;
    if (statuses.length === 1) return this.#byStatus.get(only) ?? [];
    return this.exchanges.filter((exchange) => {
      const status = statusOf(exchange);
      return status !== undefined && statuses.includes(status);
    });
  }

  /** The exchanges that were not answered. */
  unanswered(): readonly Exchange[] {
    return this.#byStatus.get(undefined) ?? [];
  }

  /** The exchanges of one step of a probe. A step that the probe does not have does not compile. */
  step<P extends Probe>(probe: P, step: StepOf<P>): readonly Exchange[] {
    return this.of(probe).filter((exchange) => exchange.step === step);
  }

  /** Everything that this caller sent. */
  by(caller: Caller): readonly Exchange[] {
    return this.#byCaller.get(caller) ?? [];
  }

  /** A fact that several judges need, worked out once. */
  fact<T>(derive: (evidence: Evidence) => T): T {
    if (!this.#facts.has(derive)) this.#facts.set(derive, derive(this));
    return this.#facts.get(derive) as T;
  }

  /** Whether the run meant to ask these probes. */
  planned(probe: Probe): boolean {
    return this.run.probes.some(({ id }) => id === probe.id);
  }

  /** Why these probes have no exchange to show, as a sentence. */
  whyNothing(...probes: readonly Probe[]): string {
    return this.#reason(probes) ?? 'No exchange of this run shows it.';
  }

  /** A sentence that says what these probes lack, and why where the run says so. */
  lacking(what: string, ...probes: readonly Probe[]): string {
    const reason = this.#reason(probes);
    return reason === undefined ? what : `${what} ${reason}`;
  }

  #reason(probes: readonly Probe[]): string | undefined {
    const note = probes.map((probe) => this.#notes.get(probe.id)?.[0]).find((text) => text !== undefined);
    const anyNote = [...this.#notes].find(([probe]) => !OF_ITSELF.has(probe))?.[1][0];
    if (note !== undefined) return note;
    if (this.end === undefined) return 'The journal was cut off before it was asked.';
    if (this.end.how !== 'finished') return `It was not asked: ${this.end.because}.`;
    return anyNote;
  }
}

function notAskedAgain(exchange: Exchange, i: number, all: readonly Exchange[]): boolean {
  if (!limitedKey(exchange) && !closedMeanwhile(exchange) && !unavailable(exchange)) return true;
  const same = (other: Exchange): boolean =>
    other.step === exchange.step &&
    other.request.method === exchange.request.method &&
    other.request.target === exchange.request.target &&
    other.request.body?.text === exchange.request.body?.text;
  return !all.slice(i + 1).some(same);
}

/** Only the examined key asks again; what another one keeps asking although it is refused is a question of its own. */
const limitedKey = (exchange: Exchange): boolean =>
  statusOf(exchange) === 429 && (exchange.caller === 'key' || exchange.caller === 'unspecified');

/** A kept connection that the target closed at the moment at which it was used again. */
const closedMeanwhile = ({ outcome, connection }: Exchange): boolean =>
  outcome.kind === 'no-response' && outcome.cause === 'reset' && !connection.fresh;

function push<K, T>(map: Map<K, T[]>, key: K, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
