import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientRecord } from '../../kernel/findings/record.ts';
import { ENTRY } from '../testing/cli/command.ts';
import { inTemporaryFolder } from '../testing/tools/folder.ts';
import type { ClientAdvice, ClientRequirement, ConformingClient, FaultyClient } from './catalogue/client.ts';

/** A verdict on a client, and the sentence that explains it. */
export interface ClientVerdict {
  readonly verdict: ClientRecord['requirements'][number]['verdict'];
  readonly because: string;
}

/** What `certify-client` found in a client. */
export interface ClientCertificate {
  readonly exitCode: number;
  readonly outcome: ClientRecord['outcome'];
  readonly verdicts: Readonly<Record<ClientRequirement, ClientVerdict>>;
  /** What it is advised of. */
  readonly advice: readonly ClientAdvice[];
  /** What was observed, by CLIENT-5 and CLIENT-6. */
  readonly observed: Readonly<Record<ClientAdvice, string>>;
}

/** How a client is tested. */
export interface CertifyChoice {
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
    const { exitCode, output } = await run([ENTRY, 'certify-client', ...options, '--', ...words]);
    const report = await readFile(join(out, 'report.json'), 'utf8').catch(() => undefined);
    if (report === undefined) throw new Error(`${words.join(' ')}: no report. ${output.slice(-2000)}`);
    return certificateOf(JSON.parse(report), exitCode);
  });

function run(words: readonly string[]): Promise<{ readonly exitCode: number; readonly output: string }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, { maxBuffer: 64e6 }, (_error, stdout, stderr) =>
      resolve({ exitCode: child.exitCode ?? 2, output: `${stdout}${stderr}` }),
    );
  });
}

function certificateOf(record: ClientRecord, exitCode: number): ClientCertificate {
  const verdictOf = (id: ClientRequirement): ClientVerdict => {
    const found = record.requirements.find((one) => one.id === id);
    return { verdict: found?.verdict ?? 'not-tested', because: found?.because ?? '' };
  };
  const observed = (id: ClientAdvice): string =>
    record.observations.find((one) => one.id === id)?.value ?? '';
  return {
    exitCode,
    outcome: record.outcome,
    verdicts: {
      'CLIENT-1': verdictOf('CLIENT-1'),
      'CLIENT-2': verdictOf('CLIENT-2'),
      'CLIENT-3': verdictOf('CLIENT-3'),
      'CLIENT-4': verdictOf('CLIENT-4'),
    },
    advice: (['CLIENT-5', 'CLIENT-6'] as const).filter((id) =>
      record.observations.some((one) => one.id === id && one.advice !== undefined),
    ),
    observed: { 'CLIENT-5': observed('CLIENT-5'), 'CLIENT-6': observed('CLIENT-6') },
  };
}

/** The program that starts a client of the catalogue. */
const START = fileURLToPath(new URL('catalogue/start.js', import.meta.url));

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
