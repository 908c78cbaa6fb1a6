import type { Break, Found } from '../breaks/break.ts';
import { foundIn } from '../breaks/break.ts';
import type { CertifiedService } from '../services.ts';
import type { Certificate, ServiceResult } from './measure.ts';

/** A break, its certificate, and what became of it. */
export interface Measured {
  readonly one: Break;
  readonly certificate: Certificate;
  readonly found: Found;
}

/** Every break of a service that has a result, in the order of its table. */
export function measuredBreaks(
  { breaks }: CertifiedService,
  result: ServiceResult | undefined,
): readonly Measured[] {
  return breaks.flatMap((one) => {
    const certificate = result?.breaks[one.id];
    return certificate === undefined ? [] : [{ one, certificate, found: foundIn(one.deserved, certificate) }];
  });
}

/** Where something failed that conforms: the service without a break, and what the specification leaves open. */
export function falseFails(service: CertifiedService, result: ServiceResult): readonly string[] {
  const conforming = result.conforming.filter(({ fails }) => fails.length > 0);
  const open = measuredBreaks(service, result).filter(({ found }) => found === 'false fail');
  return [
    ...conforming.map(({ fails }) => `${service.name} as it conforms: ${fails.join(' ')}`),
    ...open.map(({ one, certificate }) => `${service.name} ${one.id}: ${certificate.fails.join(' ')}`),
  ];
}
