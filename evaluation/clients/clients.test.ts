import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientLibraries, libraryOf } from '../../suites/client/libraries/index.ts';
import { sampleOf } from '../../tools/sample.ts';
import { inParallel, readResults } from '../study.ts';
import type { LibraryResult } from '../third-party/libraries/subjects.ts';
import { pinnedVersion, subjects } from '../third-party/libraries/subjects.ts';
import { clientOf, conformingClients, faultyClients } from './catalogue/index.js';
import type { ClientCertificate } from './certify.ts';
import { certifyCatalogueClient, contradictions, differences } from './certify.ts';

// The whole matrix takes a quarter of an hour (npm run evaluate -- clients): here are the clients whose verdicts show within seconds.

const QUICK: readonly (readonly [id: string, only: string])[] = [
  ['as-it-should-be', 'CLIENT-3'],
  ['one-at-a-time', 'CLIENT-3'],
  ['postpones-the-call', 'CLIENT-3'],
  ['never-retries', 'CLIENT-3'],
  ['no-gate-across-tasks', 'CLIENT-3'],
  ['short-delay-in-a-pool', 'CLIENT-3'],
  ['goes-on-with-its-next-call', 'CLIENT-3'],
  ['reads-only-seconds', 'CLIENT-3'],
  ['bearer-in-lower-case', 'CLIENT-4'],
  ['key-in-the-query', 'CLIENT-4'],
  ['key-in-a-cookie-too', 'CLIENT-4'],
  ['two-authorization-lines', 'CLIENT-4'],
  ['creation-with-id', 'CLIENT-4'],
  ['creation-form-encoded', 'CLIENT-4'],
];

test('clients of the catalogue get the verdicts that it states', async () => {
  const found = await inParallel(sampleOf(QUICK), 4, async ([id, only]) => {
    const client = clientOf(id);
    assert.ok(client !== undefined, id);
    return differences(client, await certifyCatalogueClient(client, 4, [only]));
  });
  assert.deepEqual(found.flat(), []);
});

test('every client of the catalogue was measured, and no verdict contradicts what it states', () => {
  const measured = readResults<ClientCertificate>('clients/matrix');
  const wrong = [...faultyClients, ...conformingClients].flatMap((client) => {
    const certificate = measured[client.id];
    return certificate === undefined
      ? [`${client.id} was not measured.`]
      : contradictions(client, certificate);
  });
  assert.deepEqual(wrong, []);
});

test('every library was measured in both modes, and conforms as it is configured', () => {
  const measured = readResults<LibraryResult>('third-party/libraries');
  for (const { id } of subjects) {
    assert.ok(measured[`${id} shipped`] !== undefined, `${id} was not measured as it is shipped`);
    assert.equal(measured[`${id} configured`]?.outcome, 'conforms', id);
  }
});

const ENDINGS = { node: '.mjs', python: '.py', go: '/main.go', java: '.java', sh: '.sh' } as const;

test('the fix for a library names what its configured program uses, and the version that was measured', () => {
  const measured = subjects.map(({ id }) => id);
  assert.equal(clientLibraries.map(({ id }) => id).join(), measured.join());
  for (const { id, fix, version } of clientLibraries) {
    const subject = subjects.find((one) => one.id === id);
    assert.ok(subject !== undefined, id);
    const { language, program, packages } = subject;
    const path =
      language === 'sh'
        ? '../../suites/client/templates/client.sh'
        : `../third-party/libraries/${language}/${program}${ENDINGS[language]}`;
    const text = readFileSync(new URL(path, import.meta.url), 'utf8');
    for (const [, name = ''] of fix.matchAll(/`([^`]+)`/g)) assert.ok(text.includes(name), `${id}: ${name}`);
    const [first] = packages;
    if (language !== 'sh' && first !== undefined)
      assert.ok(version.startsWith(pinnedVersion(language, first)), `${id}: ${version}`);
  }
});

test('a library is known by the beginning of its User-Agent', () => {
  assert.equal(libraryOf('python-requests/2.34.2')?.id, 'requests');
  assert.equal(libraryOf('node')?.id, 'fetch');
  assert.equal(libraryOf('got (https://github.com/sindresorhus/got)')?.id, 'got');
  assert.equal(libraryOf('Python/3.11 aiohttp/3.14.5')?.id, 'aiohttp');
  assert.equal(libraryOf('node-superagent/8.1')?.id, undefined);
  assert.equal(libraryOf('')?.id, undefined);
});

const all = [...faultyClients, ...conformingClients];

test('every client has an id of its own, and a sentence', () => {
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  for (const { id, description } of all) {
    assert.match(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
    assert.match(description, /^[A-Z].*\.$/, id);
    assert.equal(clientOf(id)?.id, id);
  }
});

test('a faulty client shows: it fails, warns, is advised of something, or says why nothing proves it', () => {
  for (const { id, breaks, warnings, open, advice } of faultyClients)
    assert.ok(breaks.length + warnings.length + advice.length > 0 || open !== null, id);
});

test('no requirement is named twice for a client', () => {
  const breaks = new Map(faultyClients.map((client) => [client.id, client.breaks]));
  for (const { id, warnings, open } of all) {
    const named = [...(breaks.get(id) ?? []), ...warnings, ...(open?.requirements ?? [])];
    assert.equal(new Set(named).size, named.length, id);
  }
});
