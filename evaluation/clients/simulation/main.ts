import { loadSpecification } from '../../../spec/specification.ts';
import { conduct } from '../../study.ts';
import type { SimulatedResult } from './simulate.ts';
import { tallySubject } from './simulate.ts';
import type { Subject } from './subjects.ts';
import { conformingSubjects, faultySubjects } from './subjects.ts';

const specification = await loadSpecification();

await conduct<Subject, SimulatedResult, 'faulty'>({
  name: 'client-simulation',
  folder: 'clients/simulation',
  about: `Judges simulated clients: so many that conform in all, and --faulty of each kind with a fault. None may fail a
requirement that it keeps.`,
  subjects: [...conformingSubjects, ...faultySubjects],
  nameOf: ({ name }) => name,
  ...{ runs: 100_000, parallel: 1, options: { faulty: '2000' } },
  measure: async (subject, { runs, options }) => {
    const isFaulty = subject.violates.length > 0;
    const count = isFaulty ? Number(options.faulty) : Math.ceil(runs / conformingSubjects.length);
    return tallySubject(subject, count, specification);
  },
  summary: ({ clients, falseFails, verdicts }) =>
    `${falseFails} false of ${clients}; ${Object.entries(verdicts)
      .map(([id, tally]) => `${id} ${JSON.stringify(tally)}`)
      .join(', ')}`,
  wrong: ({ falseFails }) =>
    falseFails === 0 ? [] : [`${falseFails} clients fail a requirement that they keep.`],
});
