import { readRateHeaders } from '../../exchanges/rate-headers.ts';
import { answerOf } from '../../load/model/answer.ts';
import type { KeyAlias, Scenario, Step } from '../../load/model/profile.ts';
import type { Sample, ScenarioEvent } from '../../load/model/sample.ts';
import { stopText } from '../../load/model/sample.ts';
import { requestsOf } from '../../load/profiles/requests.ts';
import type { Told } from '../../load/run/samples.ts';
import { secondsText } from '../../words/seconds-text.ts';
import { liveLine } from '../live-line.ts';
import type { Terminal } from '../terminal.ts';

/** Shows how a load run goes on, from nothing but what its lanes tell. */
export interface LoadProgress {
  observe(told: Told): void;
  /** Takes a live line away again; nothing is shown after it. */
  stop(): void;
}

/** What a key does at each kind of step, for a person. */
const DOES: Readonly<Record<Step['kind'], string>> = {
  preflight: 'looks at the limit',
  'await full quota': 'finds room',
  paced: 'keeps an even pace',
  burst: 'bursts',
  'await retry-after': 'waits',
  polite: 'goes on politely',
  persist: 'goes on although it is refused',
};

/** A run without a terminal says at least this often that it still runs, in milliseconds. */
const SILENT_MS = 30_000;

/**
 * Progress for this terminal: one line that is written over, or a plain line for each new step, each wait and every half minute.
 * @param now milliseconds since the Unix epoch.
 */
export function createLoadProgress(
  terminal: Terminal,
  scenarios: readonly Scenario[],
  now: () => number,
): LoadProgress {
  const state = new State(scenarios, now);
  if (terminal.live) {
    const line = liveLine(terminal, () => `${state.elapsed} · ${state.figures} · ${state.doing}`);
    return { observe: (told) => state.take(told), stop: line.stop };
  }
  let said = now();
  return {
    observe(told) {
      const news = state.take(told);
      if (!news && now() - said < SILENT_MS) return;
      said = now();
      terminal.err.write(`${state.elapsed.padStart(8)}  ${state.figures}  ${state.doing}\n`);
    },
    stop: () => undefined,
  };
}

/** What one key does now. */
interface Doing {
  readonly step: number;
  readonly text: string;
  /** Where it waits: until when, milliseconds since the Unix epoch. */
  readonly until: number | undefined;
}

class State {
  readonly #now: () => number;
  readonly #start: number;
  readonly #planned: number;
  readonly #doing = new Map<KeyAlias, Doing>();
  readonly #single: boolean;
  #sent = 0;
  #accepted = 0;
  #rateLimited = 0;
  #remaining = '';

  constructor(scenarios: readonly Scenario[], now: () => number) {
    this.#now = now;
    this.#start = now();
    this.#planned = scenarios.reduce((sum, scenario) => sum + requestsOf(scenario), 0);
    this.#single = scenarios.length === 1;
  }

  /** Takes what a lane tells, and says whether it is news: another step, a wait, an end. */
  take(told: Told): boolean {
    return told.kind === 'sample' ? this.#sample(told.sample) : this.#event(told.event);
  }

  get elapsed(): string {
    return `${((this.#now() - this.#start) / 1000).toFixed(1)} s`;
  }

  get figures(): string {
    const rateLimited = this.#rateLimited === 0 ? 'no 429' : `${this.#rateLimited} × 429`;
    return `${this.#sent}/${this.#planned} sent · ${this.#accepted} accepted · ${rateLimited}${this.#remaining}`;
  }

  /** What the keys do; of several, the one that was heard of last, unless it only waits. */
  get doing(): string {
    const all = [...this.#doing].reverse();
    const [key, doing] = all.find(([, one]) => one.until === undefined) ?? all[0] ?? [];
    if (key === undefined || doing === undefined) return 'k6 starts';
    const left = Math.max(0, ((doing.until ?? 0) - this.#now()) / 1000);
    const text = doing.until === undefined ? doing.text : `waits ${secondsText(left)}: ${doing.text}`;
    return this.#single ? text : `${key} ${text}`;
  }

  #sample({ key, step, kind, outcome }: Sample): boolean {
    const before = this.#doing.get(key);
    this.#set(key, { step, text: DOES[kind], until: undefined });
    this.#sent += 1;
    if (outcome.kind === 'answer') {
      if (outcome.status >= 200 && outcome.status < 300) this.#accepted += 1;
      if (outcome.status === 429) this.#rateLimited += 1;
      const { remaining } = readRateHeaders(answerOf(outcome).headers);
      const whose = this.#single ? '' : ` (${key})`;
      this.#remaining = remaining === undefined ? '' : ` · Remaining ${remaining}${whose}`;
    }
    return before === undefined || before.step !== step || before.until !== undefined;
  }

  #event(event: ScenarioEvent): boolean {
    const step = this.#doing.get(event.key)?.step ?? 0;
    if (event.kind === 'waits') {
      this.#set(event.key, { step, text: event.because, until: event.untilMs });
    } else {
      const text = event.kind === 'finished' ? 'has done all' : `stops: ${stopText(event)}`;
      this.#set(event.key, { step, text, until: undefined });
    }
    return true;
  }

  /** The latest comes last. */
  #set(key: KeyAlias, doing: Doing): void {
    this.#doing.delete(key);
    this.#doing.set(key, doing);
  }
}
