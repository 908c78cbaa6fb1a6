import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientRecord, Verdict } from '../../kernel/findings/record.ts';
import { ENTRY, endOf } from '../testing/cli/command.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import type { ClientAdvice, ClientRequirement, ConformingClient, FaultyClient } from './catalogue/client.ts';

/** The requirements that a client is judged by. */
export const REQUIREMENTS: readonly ClientRequirement[] = ['CLIENT-1', 'CLIENT-2', 'CLIENT-3', 'CLIENT-4'];

/** What `certify-client` found in a client. */
export interface ClientCertificate extends Pick<ClientRecord, 'outcome'> {
  /** Each verdict, and the sentence that explains it. */
  readonly verdicts: Readonly<
    Record<ClientRequirement, { readonly verdict: Verdict; readonly because: string }>
  >;
  /** What it is advised of. */
  readonly advice: readonly ClientAdvice[];
}

/** How a client is tested. */
interface CertifyChoice {
  /** Requirements to test; undefined for all. */
  readonly only?: readonly string[];
  /** Whether the scenarios with long waits are played. */
  readonly thorough?: boolean;
  /** Processes of the client at a time. */
  readonly jobs: number;
}

/**
 * Tests a client with the real command, and reads its report.
 * @throws {Error} with the end of the output, when the command wrote no report.
 */
export const certifyClient = (
  words: readonly string[],
  { only, thorough = false, jobs }: CertifyChoice,
): Promise<ClientCertificate> =>
  inTemporaryFolder(async (out) => {
    const options = [
      ...['--out', out, '--jobs', String(jobs)],
      ...(only === undefined ? [] : ['--only', only.join(',')]),
      ...(thorough ? ['--thorough'] : []),
    ];
    const child = spawn(process.execPath, [ENTRY, 'certify-client', ...options, '--', ...words]);
    const { printed } = await endOf(child);
    const report = await readFile(join(out, 'report.json'), 'utf8').catch(() => undefined);
    if (report === undefined) throw new Error(`${words.join(' ')}: no report. ${printed.slice(-2000)}`);
    return certificateOf(JSON.parse(report));
  });

function certificateOf({ outcome, requirements, observations }: ClientRecord): ClientCertificate {
  const verdicts = REQUIREMENTS.map((id) => {
    const { verdict, because } = requirements.find((one) => one.id === id) ?? NOT_TESTED;
    return [id, { verdict, because }] as const;
  });
  return {
    outcome,
    verdicts: Object.fromEntries(verdicts) as ClientCertificate['verdicts'],
    advice: (['CLIENT-5', 'CLIENT-6'] as const).filter((id) =>
      observations.some((one) => one.id === id && one.advice !== undefined),
    ),
  };
}

const NOT_TESTED = { verdict: 'not-tested', because: '' } as const;

/** The program that starts a client of the catalogue. */
const START = fileURLToPath(new URL('catalogue/start.js', import.meta.url));

export type CatalogueClient = ConformingClient | FaultyClient;

/** The requirements that fail for a client. */
const breaksOf = (client: CatalogueClient): readonly ClientRequirement[] =>
  'breaks' in client ? client.breaks : [];

/** Tests a client of the catalogue. */
export const certifyCatalogueClient = (
  client: CatalogueClient,
  jobs: number,
  only?: readonly string[],
): Promise<ClientCertificate> =>
  certifyClient([process.execPath, START, client.id], {
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

function mismatches(client: CatalogueClient, { verdicts }: ClientCertificate) {
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
