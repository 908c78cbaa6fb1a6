import { writeFileSync } from 'node:fs';
import { commandArguments } from '../command-options.ts';
import { build } from './build.ts';
import { outsiders } from './index.ts';
import { measure } from './measure.ts';
import type { OutsiderResult } from './results.ts';
import { OUTSIDERS_FILE, readOutsiders } from './results.ts';
import { falseFails } from './verdict.ts';

const USAGE = `npm run evaluate -- outsiders [NAME… --break ID --parallel N --out FILE --write]

Builds the services whose language is on this machine, certifies each as it conforms (at several
phases of its minute) and with each break, and prints what was caught. --write stores the results.
The exit code is 1 after a false fail.`;

const { values, names } = commandArguments(
  USAGE,
  {
    break: { type: 'string', multiple: true },
    parallel: { type: 'string', default: '2' },
    out: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
  outsiders.map(({ name }) => name),
);

const print = (line: string): void => console.log(line);

/** The committed results with these in the place of older ones. Single breaks replace single breaks. */
function merged(measured: readonly OutsiderResult[]): readonly OutsiderResult[] {
  const known = new Map(readOutsiders().map((one) => [one.name, one]));
  for (const one of measured) {
    const before = known.get(one.name);
    const whole = values.break === undefined || before === undefined;
    known.set(one.name, whole ? one : { ...before, breaks: { ...before.breaks, ...one.breaks } });
  }
  return outsiders.flatMap(({ name }) => known.get(name) ?? []);
}

const measured: OutsiderResult[] = [];
for (const outsider of outsiders) {
  if (names.length > 0 && !names.includes(outsider.name)) continue;
  const service = await build(outsider.name, print);
  if (service.kind === 'missing') {
    console.log(`${outsider.name} is skipped: ${service.why}`);
    continue;
  }
  const choice = { breaks: values.break, parallel: Number(values.parallel), onRun: print };
  measured.push(await measure(outsider, service, choice));
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(measured, null, 2)}\n`);
  if (values.write) writeFileSync(OUTSIDERS_FILE, `${JSON.stringify(merged(measured), null, 2)}\n`);
}
const wrong = measured.flatMap((one) =>
  outsiders.filter(({ name }) => name === one.name).flatMap((outsider) => falseFails(outsider, one)),
);
for (const one of wrong) console.error(`False fail: ${one}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
