import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { LoadJob } from '../../../load/run/k6-command.ts';
import { k6Arguments, k6Environment } from '../../../load/run/k6-command.ts';
import { readSamples } from '../../testing/load/runs.ts';
import { k6Path } from '../../testing/tools/k6.ts';

/** The scripts that k6 runs here; `load` is the one of the load profiles. */
export const K6_SCRIPTS = {
  load: path('../../../load/script/main.ts'),
  bare: path('./bare-burst.js'),
  recording: path('./recording-burst.js'),
  timers: path('./with-bare-timers.js'),
} as const;

/** Every metric of k6, for a script that measures with one. */
const METRICS_FILE = 'metrics.ndjson';

function path(relative: string): string {
  return fileURLToPath(new URL(relative, import.meta.url));
}

/** What `times` of a shell prints on its second line: the seconds that its children used, of their own and of the system. */
const TIMES = /(\d+)m([\d.]+)s/g;

/**
 * Runs k6 to its end as a load run does, with the same outputs, but with this script.
 * @param environment further variables for the script.
 * @returns the seconds of a processor that k6 used, all its threads together.
 */
export async function runScript(
  script: keyof typeof K6_SCRIPTS,
  order: LoadJob,
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  // The script is the last argument.
  const metrics = script === 'timers' ? [`--out=json=${join(order.folder, METRICS_FILE)}`] : [];
  const args = [...k6Arguments(order).slice(0, -1), ...metrics, K6_SCRIPTS[script]];
  const child = spawn('sh', ['-c', '"$@" >/dev/null 2>&1; times', 'sh', k6Path, ...args], {
    env: { ...k6Environment(order, process.env), ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [, ofChildren = ''] = (await text(child.stdout)).split('\n');
  return [...ofChildren.matchAll(TIMES)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
}

/** The samples of the requests that the last run into this folder sent, and every value of one metric. */
export async function samplesOf({ folder }: LoadJob, metric: string) {
  const values: number[] = [];
  const lines = createInterface({ input: createReadStream(join(folder, METRICS_FILE)) });
  for await (const line of lines) {
    const point = JSON.parse(line) as { metric?: string; type?: string; data?: { value?: number } };
    if (point.metric === metric && point.type === 'Point') values.push(point.data?.value ?? Number.NaN);
  }
  return { samples: readSamples(folder).trace.samples, values };
}
