import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatedRequest } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { clientJournal } from '../../../evaluation/testing/clients/synthetic-client.ts';
import { completeBody } from '../../../kernel/exchanges/body.ts';
import type { HeaderLine } from '../../../kernel/exchanges/exchange.ts';
import { limitsOf, loadPlans } from '../../../spec/plans.ts';
import { loadSpecification } from '../../../spec/specification.ts';
import { judge } from '../../service/judge/judge.ts';
import { watchedClient } from '../scenarios/index.ts';
import { serviceTraffic, shownByTraffic } from './service-traffic.ts';

const WATCHED = { kind: 'watched', target: 'https://api.example.com/v1/', where: 'this host' } as const;
const JSON_TYPE: HeaderLine = ['Content-Type', 'application/json'];
const HTML: HeaderLine = ['Content-Type', 'text/html'];
const LIST = completeBody('[]');
const COMPRESSED = { ...LIST, text: 'iwCAAQ==', encoding: 'base64', bytes: 4 } as const;
const specification = await loadSpecification();

/** The traffic of a watched client that sent these requests, whose responses have these headers. */
function trafficOf(requests: readonly StatedRequest[], headers: readonly HeaderLine[], body = LIST) {
  const lines = clientJournal([{ scenario: watchedClient, requests }], WATCHED).map((line) =>
    line.kind === 'response' ? { ...line, headers, body } : line,
  );
  const traffic = serviceTraffic(lines, 'free', limitsOf(loadPlans(), 'free'));
  assert.ok(traffic !== undefined);
  const sent = traffic.lines.flatMap((line) => (line.kind === 'exchange' ? [line] : []));
  const record = judge({ lines: traffic.lines, damage: [] }, specification, { strict: false, watched: true });
  const inputs = traffic.lines.flatMap((line) => (line.kind === 'run' ? Object.values(line.inputs) : []));
  assert.deepEqual(new Set(inputs), new Set([false]), 'a watched client says nothing about its key');
  return { sent, coded: traffic.coded, record: shownByTraffic(record, traffic) };
}

const ALL: readonly StatedRequest[] = [
  { at: 0 },
  { at: 10, headers: [['Host', 'a']] },
  { at: 20, target: '/v10/categories' },
  { at: 30, status: null },
];

test('traffic is what was responded to below the base address, with the key or without', () => {
  const { sent, record } = trafficOf(ALL, [JSON_TYPE]);
  assert.equal(sent.map(({ n, caller }) => `${n} ${caller}`).join(), '1 key,2 unauthenticated');
  assert.equal(record.headline, undefined);
  assert.equal(record.requirements.find(({ id }) => id === 'MEDIA-1')?.verdict, 'pass');
});

test('what no single response shows is not tested, and a violation is one', () => {
  const { record } = trafficOf(ALL, [HTML]);
  assert.equal(record.outcome, 'violates');
  const judged = record.requirements.filter(({ verdict }) => verdict !== 'not-tested');
  assert.equal(judged.map(({ id, verdict }) => `${id} ${verdict}`).join(), 'MEDIA-1 fail,RATE-1 fail');
  const reasonOf = (id: string) => record.requirements.find((one) => one.id === id)?.because ?? '';
  assert.match(reasonOf('ERR-1'), /No response of the watched traffic shows it/);
  assert.match(reasonOf('LIMIT-2'), /takes requests that are made for it/);
});

test('a response in a content coding is counted, and not judged', () => {
  const headers: readonly HeaderLine[] = [HTML, ['Content-Encoding', 'br']];
  const { sent, coded, record } = trafficOf(ALL, headers, COMPRESSED);
  assert.deepEqual([sent.length, coded, record.outcome], [0, 2, 'incomplete']);
  assert.match(record.remarks.join(' '), /2 of the responses had a content coding/);
});

test('only a watched client shows a service', () => {
  const lines = clientJournal([{ scenario: watchedClient, requests: ALL }]);
  assert.equal(serviceTraffic(lines, 'free', limitsOf(loadPlans(), 'free')), undefined);
});
