import { cpus } from 'node:os';
import { join } from 'node:path';
import { judgeLoad } from '../../load/judging/judge.ts';
import type { K6 } from '../../load/k6/find.ts';
import { findK6 } from '../../load/k6/find.ts';
import type { KeyAlias, Scenario } from '../../load/model/profile.ts';
import type { LoadRecord } from '../../load/model/record.ts';
import type { Trace } from '../../load/model/sample.ts';
import { requestsOf } from '../../load/profiles/requests.ts';
import { K6_FILES } from '../../load/run/command.ts';
import type { LoadOutcome } from '../../load/run/run.ts';
import { runLoad } from '../../load/run/run.ts';
import { KEPT_SAMPLES_FILE, SAMPLES_FILE } from '../../load/run/sample-files.ts';
import { LOAD_REPORTS } from '../../reports/index.ts';
import { SUITE } from '../../suites/inputs/suite.ts';
import { randomTag } from '../../suites/inputs/tag.ts';
import { InterruptedError } from '../../words/interrupted-error.ts';
import { UserError } from '../../words/user-error.ts';
import type { ExitCode } from '../exit-code.ts';
import { makeFolder, removeFiles, timeStamp } from '../folder.ts';
import { aborted, interruptible } from '../interruption.ts';
import type { Terminal } from '../terminal.ts';
import { concludeLoad } from './conclude.ts';
import { enter } from './guarding.ts';
import { createLoadProgress } from './progress.ts';
import type { LoadReach } from './reach.ts';
import { reachingLoad } from './reach.ts';
import type { LoadSettings } from './settings.ts';

/**
 * Runs a settled profile: enters the run into the ledger, finds k6, reaches
 * what it loads, judges what was measured, and tells the ledger what was sent.
 * @throws {GuardError} when it may not begin.
 * @throws {UserError | K6BinError | K6StartError} when k6 is missing, or the folder cannot be made.
 */
export function runProfile(settings: LoadSettings, terminal: Terminal): Promise<ExitCode> {
  return interruptible(async (signal) => {
    const tag = randomTag();
    const folder = settings.folder ?? join('out', `${timeStamp(new Date())}-load-${tag}`);
    const admission = enter(settings, Date.now());
    let sent: Readonly<Partial<Record<KeyAlias, number>>> = {};
    try {
      const k6 = await readyK6(terminal, signal);
      makeFolder(folder);
      removeFiles(folder, [SAMPLES_FILE, KEPT_SAMPLES_FILE, ...Object.values(K6_FILES), ...LOAD_REPORTS]);
      const run = { settings, k6, tag, folder, terminal, signal };
      return await reachingLoad(settings, async (reach) => {
        const outcome = await drive(run, reach);
        sent = sentBy(settings.profile.scenarios(settings.inputs), outcome.trace);
        const record = judged(run, reach, outcome);
        const ownAuthority = settings.caFile !== undefined;
        return concludeLoad({ record, trace: outcome.trace, folder, ownAuthority }, terminal);
      });
    } finally {
      admission.settle(sent, Date.now());
    }
  });
}

type FoundK6 = K6 & { readonly kind: 'found' };

interface Run {
  readonly settings: LoadSettings;
  readonly k6: FoundK6;
  readonly tag: string;
  readonly folder: string;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** A Ctrl-C ends what looks for k6, too, whatever that then says. */
async function readyK6({ err }: Terminal, signal: AbortSignal): Promise<FoundK6> {
  const interrupted = aborted(signal).then(() => {
    throw new InterruptedError('Interrupted: nothing was sent, because k6 was still looked for.');
  });
  const looking = findK6({ say: (line) => void err.write(`${line}\n`) });
  const k6 = await Promise.race([interrupted, looking]);
  if (k6.kind === 'found') return k6;
  const tried = k6.tried.map(({ source, why }) => `${source}: ${why}`).join('; ');
  throw new UserError(`There is no k6 to run (${tried}). ${k6.advice}`);
}

async function drive(run: Run, reach: LoadReach): Promise<LoadOutcome> {
  const { settings, k6, tag, folder, terminal, signal } = run;
  const { profile, inputs, outputs } = settings;
  const progress = createLoadProgress(terminal, profile.scenarios(inputs), Date.now);
  try {
    return await runLoad(
      { ...reach, profile, inputs, tag, folder, outputs },
      {
        k6: k6.path,
        env: process.env,
        signal,
        sharesTerminal: process.stdin.isTTY === true,
        observe: (told) => progress.observe(told),
      },
    );
  } finally {
    progress.stop();
  }
}

function judged({ settings, k6 }: Run, { baseUrl }: LoadReach, outcome: LoadOutcome): LoadRecord {
  const { trace, ended, startedAt, finishedAt } = outcome;
  return judgeLoad({
    suite: SUITE,
    target: { baseUrl, plan: settings.plan },
    profile: settings.profile,
    inputs: settings.inputs,
    ...(settings.latencyThresholdMs === undefined ? {} : { latencyThresholdMs: settings.latencyThresholdMs }),
    trace,
    ended,
    startedAt,
    finishedAt,
    environment: {
      k6: k6.version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      cpus: cpus().length,
    },
  });
}

/**
 * Requests of each key. Of a lane that never came to its end some may have been
 * under way: the target counted them, though nobody was told.
 */
function sentBy(
  scenarios: readonly Scenario[],
  { samples, events }: Trace,
): Readonly<Partial<Record<KeyAlias, number>>> {
  const sent: Partial<Record<KeyAlias, number>> = {};
  for (const scenario of scenarios) {
    const told = samples.filter(({ key }) => key === scenario.key).length;
    const ended = events.some(({ key, kind }) => key === scenario.key && kind !== 'waits');
    sent[scenario.key] = ended ? told : Math.min(requestsOf(scenario), told + mostAtOnce(scenario));
  }
  return sent;
}

const mostAtOnce = ({ steps }: Scenario): number =>
  Math.max(1, ...steps.map((step) => (step.kind === 'burst' ? step.atOnce : 1)));
