import { readProduct } from '../../kernel/basics/product.ts';
import { durationText } from '../../kernel/basics/text.ts';
import { loadPlans } from '../../spec/plans.ts';
import type { JournalLine } from '../../suites/service/model/journal.ts';
import type { RunPlan } from '../../suites/service/run/plan.ts';
import { requestsOf } from '../../suites/service/run/plan.ts';
import { recordToFile } from '../../suites/service/run/record-to-file.ts';
import type { RunSurroundings, SettledRun, TargetAccess } from '../../suites/service/run/run-settings.ts';
import { settleRun } from '../../suites/service/run/run-settings.ts';
import { furtherKeysIn } from '../../suites/service/wire/keyring.ts';
import type { Names } from '../options/command-line.ts';
import type { OptionValues } from '../options/table.ts';
import type { News, RunSoFar, Surroundings } from './progress.ts';
import { watched } from './progress.ts';

/** A certification run so far: its requests, and the current probe or wait. News are each probe that sends something, and each wait. */
class CertificationSoFar implements RunSoFar<JournalLine> {
  readonly #descriptions: ReadonlyMap<string, string>;
  readonly #planned: number;
  #requestsSent = 0;
  #probe = '';
  /** Whether the current probe has sent nothing yet: many send nothing to a conforming service. */
  #hasBegun = false;
  #wait: { readonly until: number; readonly because: string } | undefined;

  constructor({ probes, total }: RunPlan) {
    this.#planned = requestsOf(total);
    this.#descriptions = new Map(probes.map(({ probe }) => [probe.id, probe.description]));
  }

  update(line: JournalLine): News {
    switch (line.kind) {
      case 'probe':
        this.#wait = undefined;
        this.#probe = `${line.id}: ${this.#descriptions.get(line.id) ?? ''}`;
        this.#hasBegun = true;
        return undefined;
      case 'exchange': {
        const isNews = this.#hasBegun;
        this.#wait = undefined;
        this.#requestsSent += 1;
        this.#hasBegun = false;
        return isNews ? 'news' : 'goes on';
      }
      case 'wait':
        this.#wait = { until: performance.now() + line.seconds * 1000, because: line.because };
        return 'news';
      default:
        return line.kind === 'end' ? 'ended' : undefined;
    }
  }

  responds(line: JournalLine): boolean {
    return line.kind === 'exchange' && line.outcome.kind === 'answer';
  }

  plain(): string {
    return `${this.#requests.padStart(9)}  ${this.#activity}`;
  }

  live(): string {
    return `${this.#requests} requests · ${this.#activity}`;
  }

  /** Requests sent, of those planned; a non-conforming target may need more than planned. */
  get #requests(): string {
    return `${this.#requestsSent}/${Math.max(this.#planned, this.#requestsSent)}`;
  }

  /** The current probe, or why the run waits and for how much longer. */
  get #activity(): string {
    if (this.#wait === undefined) return this.#probe;
    const secondsLeft = Math.max(0, (this.#wait.until - performance.now()) / 1000);
    return `waits ${durationText(secondsLeft)}: ${this.#wait.because}`;
  }
}

export interface SettledService {
  readonly target: TargetAccess;
  readonly run: SettledRun;
  /** What the user calls the inputs. */
  readonly names: Names;
}

/** Settles a run against a target. @throws {UserError} when an option is wrong. */
export function settleService(
  values: OptionValues,
  target: TargetAccess,
  around: Pick<RunSurroundings, 'env' | 'selected' | 'wrapProbe'> & { readonly names: Names },
): SettledService {
  const run = settleRun(values, {
    plans: typeof values.plans === 'object' ? values.plans : loadPlans(values.plans),
    furtherKeys: furtherKeysIn(target.keys),
    product: readProduct(values.product),
    ...around,
  });
  return { target, run, names: around.names };
}

/** Records a settled run in a journal and shows its progress. @throws what `recordToFile` throws. */
export const recordService = (
  { run, target, names }: SettledService,
  path: string,
  around: Omit<Surroundings<JournalLine>, 'print'>,
): Promise<void> =>
  watched(around, new CertificationSoFar(run.plan), (observe) =>
    recordToFile(run, target, { path, names, observe, report: around.report, signal: around.signal }),
  );
