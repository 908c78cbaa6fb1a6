import { countOf } from '../kernel/basics/text.ts';
import type { ClientDescription } from '../kernel/findings/client.ts';
import type { RunRecord, ServiceRecord } from '../kernel/findings/record.ts';
import { millisecondsText } from './load/texts.ts';

// What was tested is a service, a client, or a service under load. Every report words it here.

/** What sentences call whatever was tested. */
export const nounOf = ({ subject }: RunRecord): 'target' | 'client' =>
  subject === 'client' ? 'client' : 'target';

/** Whether no requirement has a verdict, because nothing of the subject was seen: the headline says why. */
export const isWithoutVerdict = ({ headline }: RunRecord): boolean =>
  headline?.kind === 'wrong-target' || headline?.kind === 'no-requests';

/** The sentence in place of the outcome where no run was possible. */
export function noVerdictSentence({ subject, headline }: RunRecord): string {
  if (headline?.kind === 'key-rejected') return 'No verdict: the key was rejected.';
  return subject !== 'client'
    ? 'No verdict: the target does not look like the service.'
    : 'No verdict: the client sent no request.';
}

type SubjectFact = readonly [name: string, value: string];

/** What a reader wants to know of the subject first: what was tested, and then how. */
export function subjectFacts(record: RunRecord): readonly [SubjectFact, ...SubjectFact[]] {
  if (record.subject === 'client') {
    const { client, timelines } = record;
    return [
      ['Client', clientText(client)],
      ['Host', client.where],
      ['Starts', String(timelines.length)],
    ];
  }
  return [
    ['Target', record.target.baseUrl],
    ['Plan', record.target.plan],
    record.subject === 'load' ? ['Profile', record.profile] : ['Key', keyUseOf(record)],
  ];
}

/** What was tested, in one text: the address of a service, or the command of a client. */
export const testedText = (record: RunRecord): string => subjectFacts(record)[0][1];

/** How the subject was tested, for the last line of a terminal. */
export function circumstancesOf(record: RunRecord): readonly string[] {
  switch (record.subject) {
    case 'service':
      return [`plan ${record.target.plan}`, `key ${keyUseOf(record)}`];
    case 'client':
      return [countOf(record.timelines.length, 'start'), `on ${record.client.where}`];
    case 'load':
      return [
        `plan ${record.target.plan}`,
        `load ${record.profile}`,
        ...(record.latencyMs === null
          ? []
          : [
              `latency p50 ${millisecondsText(record.latencyMs.p50)}, p99 ${millisecondsText(record.latencyMs.p99)}`,
            ]),
      ];
  }
}

/** The assumption of the run about other clients of the key, as a text after the word "key". */
const keyUseOf = ({ exclusiveKey }: ServiceRecord): string =>
  exclusiveKey ? 'used by this run alone, as stated' : 'possibly used by other clients, too';

function clientText(client: ClientDescription): string {
  switch (client.kind) {
    case 'command':
      return client.words.join(' ');
    case 'attached':
      return 'attached by hand';
    case 'watched':
      return `watched at its work with ${client.target}`;
  }
}
