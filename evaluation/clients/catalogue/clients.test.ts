import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, conformingClients, faultyClients } from './index.js';

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
