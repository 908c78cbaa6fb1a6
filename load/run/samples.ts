import { StringDecoder } from 'node:string_decoder';
import type { Sample, ScenarioEvent, Trace } from '../model/sample.ts';
import { METRICS, RECORD_FIELD } from '../script/options.ts';
import { isSample, isScenarioEvent } from './record-shape.ts';

/** One record of a scenario, read from one line of k6's samples. */
export type ScenarioRecord =
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'event'; readonly event: ScenarioEvent };

/** Damage is reported for this many lines; more would say nothing new. */
const MOST_DAMAGE = 20;

/** How a line that holds a record can be recognized without parsing it. */
const RECORD_MARK = `"${RECORD_FIELD}":`;

/**
 * Reads the samples of k6 (`--out json`, one JSON value per line) in pieces
 * of any size, so that one reader serves a file that still grows and one of a run
 * that has ended. Metrics of k6's own are skipped.
 * Damage is collected in sentences; it is never thrown and never ignored.
 */
export class SampleReader {
  readonly #samples: Sample[] = [];
  readonly #events: ScenarioEvent[] = [];
  readonly #damage: string[] = [];
  readonly #decoder = new StringDecoder('utf8');
  readonly #observe: (record: ScenarioRecord) => void;
  #rest = '';
  #line = 0;

  /** @param observe is called with each record as it is read. */
  constructor(observe: (record: ScenarioRecord) => void = () => undefined) {
    this.#observe = observe;
  }

  /** Reads the next bytes of the file. */
  push(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  /** Ends the file; a last line without its end is damage. */
  end(): void {
    this.#rest += this.#decoder.end();
    if (this.#rest === '') return;
    this.#line += 1;
    this.#report('is incomplete: k6 was killed while writing it, or the disk is full');
    this.#rest = '';
  }

  /** All records read so far. */
  get trace(): Trace {
    return { samples: this.#samples, events: this.#events };
  }

  /** What is wrong with the file, in sentences. */
  get damage(): readonly string[] {
    return this.#damage;
  }

  #read(line: string): void {
    this.#line += 1;
    if (!line.startsWith('{') || !line.endsWith('}')) this.#report('is not a JSON object');
    // k6 writes a dozen metrics for each request; parsing all of them would take longer than the run.
    else if (line.includes(RECORD_MARK)) this.#add(recordIn(line));
  }

  #add(record: ScenarioRecord | undefined): void {
    if (record === undefined) {
      this.#report('holds an invalid record');
      return;
    }
    if (record.kind === 'sample') this.#samples.push(record.sample);
    else this.#events.push(record.event);
    this.#observe(record);
  }

  #report(problem: string): void {
    if (this.#damage.length < MOST_DAMAGE) this.#damage.push(`Line ${this.#line} of the samples ${problem}.`);
  }
}

function recordIn(line: string): ScenarioRecord | undefined {
  try {
    const point = JSON.parse(line) as {
      readonly metric?: unknown;
      readonly data?: { readonly metadata?: Readonly<Record<string, unknown>> };
    };
    const record: unknown = JSON.parse(String(point.data?.metadata?.[RECORD_FIELD]));
    if (point.metric === METRICS.request && isSample(record)) return { kind: 'sample', sample: record };
    if (point.metric === METRICS.event && isScenarioEvent(record)) return { kind: 'event', event: record };
  } catch {
    return undefined;
  }
  return undefined;
}
