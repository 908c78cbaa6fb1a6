import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Built } from './build.ts';
import { build } from './build.ts';
import type { Certificate } from './certify-service.ts';
import { certifyService } from './certify-service.ts';
import { outsiders } from './index.ts';
import type { Outsider } from './outsider.ts';
import type { ConformingRun, OutsiderResult } from './results.ts';
import { OUTSIDERS_FILE, readOutsiders } from './results.ts';
import { startService } from './service.ts';
import { foundIn } from './verdict.ts';

// npm run outsiders [-- NAME…] [--break ID] [--parallel N] [--out FILE | --write]: builds the services whose
// language is on this machine, certifies each as it conforms (at several phases of its minute) and with each
// break, and prints what was caught. --write stores the results. The exit code is 1 after a false fail.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    break: { type: 'string', multiple: true },
    parallel: { type: 'string', default: '2' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const MINUTE_SECONDS = 6;
/** Minutes of the runs against the service as it conforms, and how long after its start each begins, in seconds. */
const CONFORMING = [
  [MINUTE_SECONDS, 0],
  [MINUTE_SECONDS, 1.3],
  [MINUTE_SECONDS, 2.9],
  [MINUTE_SECONDS, 4.4],
  [MINUTE_SECONDS, 5.7],
  [20, 7],
] as const;

type Service = Extract<Built, { kind: 'built' }>;

async function certificate(
  service: Service,
  { broken, minuteSeconds, after }: { broken: string; minuteSeconds: number; after: number },
): Promise<Certificate> {
  const running = await startService(service, { broken, minuteSeconds });
  try {
    await sleep(after * 1000);
    return await certifyService(running, minuteSeconds);
  } finally {
    await running.stop();
  }
}

async function measure({ name, breaks }: Outsider, service: Service): Promise<OutsiderResult> {
  const chosen = breaks.filter(({ id }) => values.break === undefined || values.break.includes(id));
  const conforming: ConformingRun[] = [];
  const found: Record<string, Certificate> = {};
  const tasks: (() => Promise<void>)[] = values.break === undefined ? CONFORMING.map(([minuteSeconds, after], index) => async () => {
    conforming[index] = { minuteSeconds, ...(await certificate(service, { broken: '', minuteSeconds, after })) };
    console.log(`${name} conforming, ${minuteSeconds} s: ${said(conforming[index])}`);
  }) : [];
  for (const one of chosen) {
    tasks.push(async () => {
      const result = await certificate(service, { broken: one.id, minuteSeconds: MINUTE_SECONDS, after: 0 });
      found[one.id] = result;
      console.log(`${name} ${one.id}: ${foundIn(one, result)} (${one.deserved.verdict}); ${said(result)}`);
    });
  }
  const next = tasks.values();
  await Promise.all(
    Array.from({ length: Number(values.parallel) }, async () => {
      for (const task of next) await task();
    }),
  );
  const ordered = chosen.flatMap(({ id }) => (found[id] === undefined ? [] : [[id, found[id]] as const]));
  return { name, minuteSeconds: MINUTE_SECONDS, conforming, breaks: Object.fromEntries(ordered) };
}

const said = ({ outcome, fails, warns, inconclusive, keyed }: Certificate): string =>
  `${outcome}; fail ${fails.join(' ') || '–'}; warn ${warns.join(' ') || '–'}; inconclusive ${inconclusive.join(' ') || '–'}; ${keyed} keyed`;

const measured: OutsiderResult[] = [];
for (const outsider of outsiders) {
  if (positionals.length > 0 && !positionals.includes(outsider.name)) continue;
  const service = await build(outsider.name, (line) => console.log(line));
  if (service.kind === 'missing') console.log(`${outsider.name} is skipped: ${service.why}`);
  else measured.push(await measure(outsider, service));
}
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(measured, null, 2)}\n`);
if (values.write) {
  const known = new Map(readOutsiders().map((one) => [one.name, one]));
  for (const one of measured) known.set(one.name, one);
  writeFileSync(OUTSIDERS_FILE, `${JSON.stringify([...known.values()], null, 2)}\n`);
}
const falseFails = measured.flatMap((one) => [
  ...one.conforming.filter(({ fails }) => fails.length > 0).map(() => `${one.name}: as it conforms`),
  ...(outsiders.find(({ name }) => name === one.name)?.breaks ?? [])
    .filter((each) => one.breaks[each.id] !== undefined)
    .filter((each) => foundIn(each, one.breaks[each.id] as Certificate) === 'false fail')
    .map(({ id }) => `${one.name}: ${id}`),
]);
for (const one of falseFails) console.error(`False fail: ${one}`);
process.exitCode = falseFails.length > 0 ? 1 : 0;
