import { durationText } from '../../../kernel/basics/duration-text.ts';
import { readRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { answerOf } from '../../../load/model/answer.ts';
import type { KeyAlias, Scenario, Step } from '../../../load/model/profile.ts';
import type { Sample, ScenarioEvent } from '../../../load/model/sample.ts';
import { stopText } from '../../../load/model/sample.ts';
import { totalRequests } from '../../../load/profiles/requests.ts';
import type { ScenarioRecord } from '../../../load/run/samples.ts';
import type { News, RunSoFar } from '../progress.ts';

/** What a key does in each kind of step, for a person. */
const ACTIVITIES: Readonly<Record<Step['kind'], string>> = {
  preflight: 'sends the preflight request',
  'await full quota': 'waits for a full quota',
  rest: 'pauses as planned',
  paced: 'sends at an even pace',
  scheduled: 'sends as scheduled',
  burst: 'sends a burst',
  'await retry-after': 'waits for Retry-After',
  polite: 'sends and backs off after 429',
  persist: 'keeps sending despite 429',
};

/** With more keys than these, a line for each of their steps would hide the others. */
const MOST_KEYS = 12;

/** What one key is doing. */
interface Activity {
  readonly step: number;
  readonly text: string;
  /** The end of a wait, milliseconds since the Unix epoch; undefined where it is not waiting. */
  readonly until: number | undefined;
}

/** A load run so far, from the records of its scenarios. News are each new step and each wait, of few keys. */
export class LoadSoFar implements RunSoFar<ScenarioRecord> {
  readonly #now: () => number;
  readonly #planned: number;
  readonly #activities = new Map<KeyAlias, Activity>();
  readonly #keys: number;
  #sent = 0;
  #accepted = 0;
  #rateLimited = 0;
  #remaining = '';

  /** @param now returns milliseconds since the Unix epoch. */
  constructor(scenarios: readonly Scenario[], now: () => number) {
    this.#now = now;
    this.#planned = totalRequests(scenarios);
    this.#keys = scenarios.length;
  }

  update(record: ScenarioRecord): News {
    const isNew =
      record.kind === 'sample' ? this.#updateSample(record.sample) : this.#updateEvent(record.event);
    return isNew && this.#keys <= MOST_KEYS ? 'news' : 'goes on';
  }

  plain(): string {
    return `${this.#figures}  ${this.#activity}`;
  }

  live(): string {
    return `${this.#figures} · ${this.#activity}`;
  }

  get #figures(): string {
    const rateLimited = this.#rateLimited === 0 ? 'no 429' : `${this.#rateLimited} × 429`;
    return `${this.#sent}/${this.#planned} sent · ${this.#accepted} accepted · ${rateLimited}${this.#remaining}`;
  }

  /** What a key is doing; of several, the one with the latest record, preferably one that is not waiting. */
  get #activity(): string {
    const all = [...this.#activities].reverse();
    const [key, activity] = all.find(([, one]) => one.until === undefined) ?? all[0] ?? [];
    if (key === undefined || activity === undefined) return 'starting k6';
    const rest = Math.max(0, ((activity.until ?? 0) - this.#now()) / 1000);
    const text =
      activity.until === undefined ? activity.text : `waits ${durationText(rest)}: ${activity.text}`;
    return this.#keys === 1 ? text : `${key} ${text}`;
  }

  #updateSample({ key, step, kind, outcome }: Sample): boolean {
    const before = this.#activities.get(key);
    this.#set(key, { step, text: ACTIVITIES[kind], until: undefined });
    this.#sent += 1;
    if (outcome.kind === 'answer') {
      if (outcome.status >= 200 && outcome.status < 300) this.#accepted += 1;
      if (outcome.status === 429) this.#rateLimited += 1;
      const { remaining } = readRateHeaders(answerOf(outcome).headers);
      const whose = this.#keys === 1 ? '' : ` (${key})`;
      this.#remaining = remaining === undefined ? '' : ` · Remaining ${remaining}${whose}`;
    }
    return before === undefined || before.step !== step || before.until !== undefined;
  }

  #updateEvent(event: ScenarioEvent): boolean {
    const step = this.#activities.get(event.key)?.step ?? 0;
    if (event.kind === 'waiting') {
      this.#set(event.key, { step, text: event.because, until: event.untilMs });
    } else {
      const text = event.kind === 'finished' ? 'finished' : `stopped: ${stopText(event)}`;
      this.#set(event.key, { step, text, until: undefined });
    }
    return true;
  }

  /** Keeps the latest activity last. */
  #set(key: KeyAlias, activity: Activity): void {
    this.#activities.delete(key);
    this.#activities.set(key, activity);
  }
}
