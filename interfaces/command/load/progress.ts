import { durationText } from '../../../kernel/basics/duration-text.ts';
import { readRateHeaders } from '../../../kernel/exchanges/rate-headers.ts';
import { answerOf } from '../../../load/model/answer.ts';
import type { KeyAlias, Scenario, Step } from '../../../load/model/profile.ts';
import type { Sample, ScenarioEvent } from '../../../load/model/sample.ts';
import { stopText } from '../../../load/model/sample.ts';
import { totalRequests } from '../../../load/profiles/requests.ts';
import type { ScenarioRecord } from '../../../load/run/samples.ts';
import { liveLine } from '../live-line.ts';
import type { Terminal } from '../terminal.ts';
import { stopwatch } from '../terminal.ts';

/** Shows the progress of a load run, from the records of its scenarios. */
export interface LoadProgress {
  observe(record: ScenarioRecord): void;
  /** Removes a live line; nothing is shown afterwards. */
  stop(): void;
}

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

/** Without a terminal, a line is printed at least this often, in milliseconds. */
const LINE_INTERVAL_MS = 30_000;

/**
 * Progress for this terminal: one live line, or a plain line for each new step, each wait and every half minute.
 * @param now returns milliseconds since the Unix epoch.
 */
export function createLoadProgress(
  terminal: Terminal,
  scenarios: readonly Scenario[],
  now: () => number,
): LoadProgress {
  const state = new ProgressState(scenarios, now);
  if (terminal.live) {
    const line = liveLine(terminal, () => `${state.elapsed()} · ${state.figures} · ${state.activity}`);
    return { observe: (record) => void state.update(record), stop: line.stop };
  }
  let printedAt = now();
  return {
    observe(record) {
      const isNew = state.update(record) && scenarios.length <= MOST_KEYS;
      if (!isNew && now() - printedAt < LINE_INTERVAL_MS) return;
      printedAt = now();
      terminal.err.write(`${state.elapsed().padStart(8)}  ${state.figures}  ${state.activity}\n`);
    },
    stop: () => undefined,
  };
}

/** With more keys than these, a line for each of their steps would hide the others. */
const MOST_KEYS = 12;

/** What one key is doing. */
interface Activity {
  readonly step: number;
  readonly text: string;
  /** The end of a wait, milliseconds since the Unix epoch; undefined where it is not waiting. */
  readonly until: number | undefined;
}

class ProgressState {
  readonly #now: () => number;
  readonly elapsed: () => string;
  readonly #planned: number;
  readonly #activities = new Map<KeyAlias, Activity>();
  readonly #hasOneKey: boolean;
  #sent = 0;
  #accepted = 0;
  #rateLimited = 0;
  #remaining = '';

  constructor(scenarios: readonly Scenario[], now: () => number) {
    this.#now = now;
    this.elapsed = stopwatch(now);
    this.#planned = totalRequests(scenarios);
    this.#hasOneKey = scenarios.length === 1;
  }

  /** Updates the state with a record; true where it starts a step or a wait, or ends the scenario. */
  update(record: ScenarioRecord): boolean {
    return record.kind === 'sample' ? this.#updateSample(record.sample) : this.#updateEvent(record.event);
  }

  get figures(): string {
    const rateLimited = this.#rateLimited === 0 ? 'no 429' : `${this.#rateLimited} × 429`;
    return `${this.#sent}/${this.#planned} sent · ${this.#accepted} accepted · ${rateLimited}${this.#remaining}`;
  }

  /** What a key is doing; of several, the one with the latest record, preferably one that is not waiting. */
  get activity(): string {
    const all = [...this.#activities].reverse();
    const [key, activity] = all.find(([, one]) => one.until === undefined) ?? all[0] ?? [];
    if (key === undefined || activity === undefined) return 'starting k6';
    const rest = Math.max(0, ((activity.until ?? 0) - this.#now()) / 1000);
    const text =
      activity.until === undefined ? activity.text : `waits ${durationText(rest)}: ${activity.text}`;
    return this.#hasOneKey ? text : `${key} ${text}`;
  }

  #updateSample({ key, step, kind, outcome }: Sample): boolean {
    const before = this.#activities.get(key);
    this.#set(key, { step, text: ACTIVITIES[kind], until: undefined });
    this.#sent += 1;
    if (outcome.kind === 'answer') {
      if (outcome.status >= 200 && outcome.status < 300) this.#accepted += 1;
      if (outcome.status === 429) this.#rateLimited += 1;
      const { remaining } = readRateHeaders(answerOf(outcome).headers);
      const whose = this.#hasOneKey ? '' : ` (${key})`;
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
