import { writeFileSync } from 'node:fs';
import { loadSpecification } from '../../../spec/specification.ts';
import { commandOptions } from '../../command-options.ts';
import type { SimulatedResult } from './results.ts';
import { SIMULATION_FILE } from './results.ts';
import type { Subject } from './subjects.ts';
import { conformingSubjects, faultySubjects } from './subjects.ts';
import { tallySubject } from './tally.ts';

const USAGE = `npm run evaluate -- client-simulation [--run N] [--faulty N] [--write]

Judges N simulated clients that conform (100,000 unless given) and N of each kind
with a fault (2,000), in simulated time. --write stores the results. The exit
code is 1 if a client fails a requirement that it keeps.`;

const values = commandOptions(USAGE, {
  run: { type: 'string', default: '100000' },
  faulty: { type: 'string', default: '2000' },
  write: { type: 'boolean', default: false },
});

const specification = await loadSpecification();
const each = Math.ceil(Number(values.run) / conformingSubjects.length);

function measure(subject: Subject, count: number): SimulatedResult {
  const result = tallySubject(subject, count, specification);
  const found = Object.entries(result.verdicts).map(([id, tally]) => `${id} ${JSON.stringify(tally)}`);
  console.log(`${subject.name}: ${result.falseFails} false of ${count}; ${found.join(', ')}`);
  return result;
}

const results = [
  ...conformingSubjects.map((subject) => measure(subject, each)),
  ...faultySubjects.map((subject) => measure(subject, Number(values.faulty))),
];
if (values.write) writeFileSync(SIMULATION_FILE, `${JSON.stringify(results, null, 2)}\n`);
const falseFails = results.reduce((sum, one) => sum + one.falseFails, 0);
console.log(`${falseFails} clients fail a requirement that they keep.`);
process.exitCode = falseFails === 0 ? 0 : 1;
