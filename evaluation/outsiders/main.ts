import { conduct } from '../study.ts';
import { build } from './build.ts';
import type { OutsiderResult } from './certify-service.ts';
import { outsiders } from './index.ts';
import { measure } from './measure.ts';
import type { Outsider } from './outsider.ts';
import { falseFails, foundIn } from './verdict.ts';

await conduct<Outsider, OutsiderResult, 'breaks' | 'at-once'>({
  name: 'outsiders',
  folder: 'outsiders',
  about: `Builds the services whose language is on this machine, one after the other, and certifies each as it conforms (at
several phases of its minute) and with each break, --at-once runs at a time. --breaks names some, separated by commas;
their results replace those of the same breaks. Nothing that conforms may fail.`,
  subjects: outsiders,
  nameOf: ({ name }) => name,
  ...{ runs: 1, parallel: 1, options: { breaks: '', 'at-once': '2' } },
  measure: async (outsider, { options }, known) => {
    const service = await build(outsider.name, console.log);
    if (service.kind === 'missing') return void console.log(`${outsider.name} is skipped: ${service.why}`);
    const breaks = options.breaks === '' ? undefined : options.breaks.split(',');
    const choice = { breaks, parallel: Number(options['at-once']), onRun: console.log };
    const measured = await measure(outsider, service, choice);
    if (breaks === undefined || known === undefined) return measured;
    return { ...known, breaks: { ...known.breaks, ...measured.breaks } };
  },
  summary: ({ breaks }, outsider) => {
    const missed = outsider.breaks.filter((one) => {
      const certificate = breaks[one.id];
      return certificate !== undefined && foundIn(one, certificate) === 'missed';
    });
    return `${missed.length} of ${Object.keys(breaks).length} breaks missed`;
  },
  wrong: (result, outsider) => falseFails(outsider, result).map((one) => `False fail: ${one}`),
});
