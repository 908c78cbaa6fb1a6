import type { ClientRequirement, ConformingClient, FaultyClient } from '../../../catalogue/clients/client.ts';
import { startClientOf } from '../../../catalogue/clients/start-client-of.ts';
import type { ClientCertificate } from '../certify.ts';
import { certifyClient } from '../certify.ts';

/** A client of the catalogue. */
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
    long: 'needs' in client && client.needs === 'long',
    ...(only === undefined ? {} : { only }),
  });

/**
 * Where a certificate differs from what the catalogue says of a client, one sentence for each requirement. Jitter that
 * noise suggests, or hides, is no difference: CLIENT-5 is an observation.
 */
export function differences(
  client: CatalogueClient,
  { verdicts, advice }: ClientCertificate,
): readonly string[] {
  const open = client.open?.requirements ?? [];
  const wrong = Object.entries(verdicts).flatMap(([id, { verdict, because }]) => {
    if (verdict === 'not-tested') return [];
    const expected = expectedOf(client, id);
    const fits = verdict === expected || (verdict === 'inconclusive' && open.some((one) => one === id));
    return fits ? [] : [`${client.id}: ${id} is ${verdict} instead of ${expected}. ${because}`];
  });
  const silent = client.advice.includes('CLIENT-6') && !advice.includes('CLIENT-6');
  return silent && isTested(verdicts) ? [...wrong, `${client.id}: CLIENT-6 advises nothing.`] : wrong;
}

function expectedOf(client: CatalogueClient, id: string): 'fail' | 'warn' | 'pass' {
  if (breaksOf(client).some((one) => one === id)) return 'fail';
  return client.warnings.some((one) => one === id) ? 'warn' : 'pass';
}

/** Whether everything was tested, and not a part of the requirements only. */
const isTested = (verdicts: ClientCertificate['verdicts']): boolean =>
  Object.values(verdicts).every(({ verdict }) => verdict !== 'not-tested');
