import { provide } from '../../../tools/provide.ts';
import { conduct } from '../../study.ts';
import type { CertifiedService } from '../services.ts';
import { services } from '../services.ts';
import type { ServiceResult } from './measure.ts';
import { falseFails, measure, measuredBreaks } from './measure.ts';

await conduct<CertifiedService, ServiceResult, 'breaks' | 'at-once'>({
  name: 'outsiders',
  folder: 'third-party/certify',
  about: `Builds the services whose language is on this machine, one after the other, and certifies each as it conforms (at
several phases of its minute) and with each break, --at-once runs at a time. --breaks names some, separated by commas;
their results replace those of the same breaks. Nothing that conforms may fail.`,
  subjects: services,
  nameOf: ({ name }) => name,
  ...{ runs: 1, parallel: 1, options: { breaks: '', 'at-once': '2' } },
  measure: async (service, { options }, known) => {
    const built = await provide(service);
    if (built.kind === 'missing') return void console.log(`${service.name} is skipped: ${built.why}`);
    const breaks = options.breaks === '' ? undefined : options.breaks.split(',');
    const measured = await measure(service, built.folder, Number(options['at-once']), breaks);
    if (breaks === undefined || known === undefined) return measured;
    return { ...known, breaks: { ...known.breaks, ...measured.breaks } };
  },
  summary: (result, service) => {
    const missed = measuredBreaks(service, result).filter(({ found }) => found === 'missed');
    const ids = missed.map(({ one }) => one.id).join(' ') || 'none';
    return `of ${Object.keys(result.breaks).length} breaks, missed: ${ids}`;
  },
  wrong: (result, service) => falseFails(service, result).map((one) => `False fail: ${one}`),
});
