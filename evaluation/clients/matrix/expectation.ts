import type { ClientRequirement, ConformingClient, FaultyClient } from '../catalogue/client.ts';
import { startClientOf } from '../catalogue/start-client-of.ts';
import type { ClientCertificate } from '../certify.ts';
import { certifyClient } from '../certify.ts';

export type CatalogueClient = ConformingClient | FaultyClient;

/** The requirements that fail for a client. */
export const breaksOf = (client: CatalogueClient): readonly ClientRequirement[] =>
  'breaks' in client ? client.breaks : [];

/** Tests a client of the catalogue. */
export const certifyCatalogueClient = (
  client: CatalogueClient,
  jobs: number,
  only?: readonly string[],
): Promise<ClientCertificate> =>
  certifyClient(startClientOf(client.id), {
    jobs,
    thorough: client.needs === 'thorough',
    ...(only === undefined ? {} : { only }),
  });

/**
 * Where a certificate differs from what the catalogue says of a client, one sentence for each requirement. Jitter that
 * noise suggests, or hides, is no difference: CLIENT-5 is an observation.
 */
export function differences(client: CatalogueClient, certificate: ClientCertificate): readonly string[] {
  const silent = client.advice.includes('CLIENT-6') && !certificate.advice.includes('CLIENT-6');
  return [
    ...mismatches(client, certificate).map(({ text }) => text),
    ...(silent && isTested(certificate) ? [`${client.id}: CLIENT-6 advises nothing.`] : []),
  ];
}

/** The differences that contradict the catalogue: a busy machine may hide a violation, and then nothing is decided. */
export const contradictions = (client: CatalogueClient, certificate: ClientCertificate): readonly string[] =>
  mismatches(client, certificate)
    .filter(({ verdict }) => verdict !== 'inconclusive')
    .map(({ text }) => text);

interface Mismatch {
  readonly verdict: string;
  readonly text: string;
}

function mismatches(client: CatalogueClient, { verdicts }: ClientCertificate): readonly Mismatch[] {
  const open = client.open?.requirements ?? [];
  return Object.entries(verdicts).flatMap(([id, { verdict, because }]) => {
    if (verdict === 'not-tested') return [];
    const expected = expectedOf(client, id);
    const fits = verdict === expected || (verdict === 'inconclusive' && open.some((one) => one === id));
    return fits
      ? []
      : [{ verdict, text: `${client.id}: ${id} is ${verdict} instead of ${expected}. ${because}` }];
  });
}

function expectedOf(client: CatalogueClient, id: string): 'fail' | 'warn' | 'pass' {
  if (breaksOf(client).some((one) => one === id)) return 'fail';
  return client.warnings.some((one) => one === id) ? 'warn' : 'pass';
}

/** Whether everything was tested, and not a part of the requirements only. */
const isTested = ({ verdicts }: ClientCertificate): boolean =>
  Object.values(verdicts).every(({ verdict }) => verdict !== 'not-tested');
