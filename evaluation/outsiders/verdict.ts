import type { Certificate, OutsiderResult } from './certify-service.ts';
import type { Break, Outsider } from './outsider.ts';

/** What became of a break: `false fail` where something fails that the specification leaves open. */
export type Found = 'caught' | 'missed' | 'left open' | 'false fail';

/** Compares the certificate of a break with what it deserves. */
export function foundIn({ deserved }: Break, { fails, warns }: Certificate): Found {
  if (deserved.verdict === 'no fail') return fails.length === 0 ? 'left open' : 'false fail';
  const counted = deserved.verdict === 'fail' ? fails : [...fails, ...warns];
  return deserved.ids.some((id) => counted.includes(id)) ? 'caught' : 'missed';
}

/** A break, its certificate, and what became of it. */
export interface Measured {
  readonly one: Break;
  readonly certificate: Certificate;
  readonly found: Found;
}

/** Every break of a service that has a result, in the order of its table. */
export function measuredBreaks(
  { breaks }: Outsider,
  result: OutsiderResult | undefined,
): readonly Measured[] {
  return breaks.flatMap((one) => {
    const certificate = result?.breaks[one.id];
    return certificate === undefined ? [] : [{ one, certificate, found: foundIn(one, certificate) }];
  });
}

/** Where something failed that conforms: the service without a break, and what the specification leaves open. */
export function falseFails(outsider: Outsider, result: OutsiderResult): readonly string[] {
  const conforming = result.conforming.filter(({ fails }) => fails.length > 0);
  const open = measuredBreaks(outsider, result).filter(({ found }) => found === 'false fail');
  return [
    ...conforming.map(({ fails }) => `${outsider.name} as it conforms: ${fails.join(' ')}`),
    ...open.map(({ one, certificate }) => `${outsider.name} ${one.id}: ${certificate.fails.join(' ')}`),
  ];
}
