import { StringDecoder } from 'node:string_decoder';
import type { Sample, ScenarioEvent, Trace } from '../model/sample.ts';
import { sampleShape, scenarioEvent } from '../model/sample-shape.ts';

/** One record of a scenario, read from one line of k6's samples. */
export type ScenarioRecord =
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'event'; readonly event: ScenarioEvent };

/** Damage is reported for this many lines; more would say nothing new. */
const MOST_DAMAGE = 20;

/**
 * Reads what the script recorded, one JSON value per line, in pieces
 * of any size, so that one reader serves a file that still grows and one of a run
 * that has ended.
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
    else this.#add(recordIn(line));
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

/** The record that a line of the script holds; undefined where it holds none. */
export function recordIn(line: string): ScenarioRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    if (sampleShape.is(record)) return { kind: 'sample', sample: record };
    if (scenarioEvent.is(record)) return { kind: 'event', event: record };
  } catch {
    return undefined;
  }
  return undefined;
}
