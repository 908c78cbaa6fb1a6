import type { Static, StaticFields } from '../../../kernel/basics/shape.ts';
import {
  about,
  count,
  exactly,
  flag,
  listOf,
  mapOf,
  maybe,
  named,
  number,
  object,
  someText,
  text,
  union,
} from '../../../kernel/basics/shape.ts';
import { exchangeShape } from '../../../kernel/exchanges/exchange.ts';
import type { JournalOf } from '../../../kernel/findings/tested.ts';
import { endLine, origin, testedTarget } from '../../../kernel/findings/tested.ts';
import { limitsShape } from '../../../spec/plans.ts';

const at = named('at', about('Milliseconds since the Unix epoch.', number));

const inputs = object('Which optional evidence the user supplied, and what the user stated.', {
  otherKey: about('A key of another caller.', flag),
  exhaustedKey: about('A key whose daily quota is exhausted.', flag),
  disposableKey: about('A key that may be banned.', flag),
  spendDay: about(
    'The run uses the daily quota of the key under test, which the user stated to be unused. Absent in older journals.',
    maybe(flag),
  ),
  exclusiveKey: about(
    'Not evidence but an assumption: the user stated that no other client uses the key under test during the run.',
    flag,
  ),
  thorough: about('Two further windows were tested.', flag),
  openapi: about('The interface description of the target.', flag),
});

const run = object('The first line: what was tested, by which program, against which specification.', {
  kind: exactly('run'),
  journalVersion: about('Version of this contract.', exactly(3)),
  ...origin,
  target: testedTarget,
  limits: limitsShape,
  furtherPlans: about(
    'The numbers of every further plan for which a key was given, by the name of the plan.',
    mapOf(limitsShape),
  ),
  inputs,
  probes: about(
    'The probes of this run, in their order, with what each is expected to send.',
    listOf(object({ id: someText, requests: count })),
  ),
});
export type RunLine = Static<typeof run>;

const probe = object('A probe begins.', { kind: exactly('probe'), id: about('The probe.', someText), at });

const wait = object('The run pauses.', {
  kind: exactly('wait'),
  seconds: about('For how many seconds.', number),
  because: about('Why, for a person.', text),
  at,
});

const note = object('A decision of the run that a judge needs, such as a probe that was given up.', {
  kind: exactly('note'),
  probe: about('The probe that decided.', text),
  text: about('What was decided.', text),
  at,
});

const published = {
  source: about('The address or the file it came from, without credentials.', text),
  address: about(
    'The address against which its relative references are resolved; a file stands beneath file:///document/.',
    maybe(text),
  ),
  text: about('The document; empty where it was not read.', text),
  unread: about('Why it was not read, as the end of a sentence.', maybe(text)),
};
/** An OpenAPI document that the target publishes, or one that it refers to, as it was read (VER-2). */
export type PublishedDocument = StaticFields<typeof published>;

const document = object(
  'An OpenAPI document that the target publishes, as it was read: the first line of this kind is the description itself, every further one a document that it refers to.',
  { kind: exactly('document'), ...published, at },
);

export const journalLine = about(
  'A journal has a line of kind run first, then lines of the kinds probe, wait, note, document and exchange as they happened, and a line of kind end last. A journal without its end was cut off.',
  union('kind', run, probe, wait, note, document, exchangeShape, endLine),
);
export type JournalLine = Static<typeof journalLine>;

export type JournalContents = JournalOf<JournalLine>;
