import { StringDecoder } from 'node:string_decoder';
import type { Sample, ScenarioEvent, Trace } from '../model/sample.ts';
import { METRICS } from '../script/options.ts';
import { isSample, isScenarioEvent } from './event-shape.ts';

/** What one line of k6's samples tells of a lane. */
export type Told =
  | { readonly kind: 'sample'; readonly sample: Sample }
  | { readonly kind: 'event'; readonly event: ScenarioEvent };

/** More complaints of damage than this say nothing new. */
const MOST_DAMAGE = 20;

/**
 * Reads the samples of k6 (`--out json`, one JSON value on each line) in pieces
 * of any size, so that the same reader serves a file that still grows and one of a run
 * that has ended. Of what k6 measures by itself nothing is kept.
 * Damage is collected in sentences, never thrown and never passed over.
 */
export class SampleReader {
  readonly #samples: Sample[] = [];
  readonly #events: ScenarioEvent[] = [];
  readonly #damage: string[] = [];
  readonly #decoder = new StringDecoder('utf8');
  readonly #observe: (told: Told) => void;
  #rest = '';
  #line = 0;

  /** @param observe hears of each sample and event as it is read. */
  constructor(observe: (told: Told) => void = () => undefined) {
    this.#observe = observe;
  }

  /** Takes the next bytes of the file. */
  take(bytes: Buffer): void {
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#read(line);
  }

  /** Says that no more bytes come. */
  end(): void {
    this.#rest += this.#decoder.end();
    if (this.#rest === '') return;
    this.#line += 1;
    this.#report('is cut off: k6 was ended while it wrote it, or the disk is full');
    this.#rest = '';
  }

  /** All that was told so far. */
  get trace(): Trace {
    return { samples: this.#samples, events: this.#events };
  }

  /** What was wrong with the file, in sentences. */
  get damage(): readonly string[] {
    return this.#damage;
  }

  #read(line: string): void {
    this.#line += 1;
    if (!line.startsWith('{') || !line.endsWith('}')) this.#report('is no JSON object');
    // k6 measures a dozen things for each request; reading them all would take longer than the run.
    else if (line.includes('"told":')) this.#hear(toldBy(line));
  }

  #hear(told: Told | undefined): void {
    if (told === undefined) {
      this.#report('tells of a lane in a way that cannot be read');
      return;
    }
    if (told.kind === 'sample') this.#samples.push(told.sample);
    else this.#events.push(told.event);
    this.#observe(told);
  }

  #report(what: string): void {
    if (this.#damage.length < MOST_DAMAGE) this.#damage.push(`Line ${this.#line} of the samples ${what}.`);
  }
}

function toldBy(line: string): Told | undefined {
  try {
    const point = JSON.parse(line) as {
      readonly metric?: unknown;
      readonly data?: { readonly metadata?: { readonly told?: unknown } };
    };
    const told: unknown = JSON.parse(String(point.data?.metadata?.told));
    if (point.metric === METRICS.request && isSample(told)) return { kind: 'sample', sample: told };
    if (point.metric === METRICS.event && isScenarioEvent(told)) return { kind: 'event', event: told };
  } catch {
    return undefined;
  }
  return undefined;
}
