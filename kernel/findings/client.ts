import type { Static } from '../basics/shape.ts';
import {
  about,
  address,
  count,
  exactly,
  listOf,
  maybe,
  named,
  number,
  object,
  position,
  someText,
  text,
  union,
} from '../basics/shape.ts';

const where = named(
  'where',
  about(
    'Whether the client reads the clock of the machine that recorded it; it decides how an HTTP-date may be judged.',
    exactly('this host', 'another host'),
  ),
);
export type ClientHost = Static<typeof where>;

export const clientDescription = about(
  'The client under test, and how it came to its service.',
  union(
    'kind',
    object('A command, started once for each scenario and repetition.', {
      kind: exactly('command'),
      words: about('The words of the command, for a person.', listOf(text)),
      where,
    }),
    object('A client that a person attached to the scripted service.', { kind: exactly('attached'), where }),
    object('A client that worked with a service of its own, through a proxy of this program.', {
      kind: exactly('watched'),
      target: about('Base address of the service that it worked with.', address),
      where,
    }),
  ),
);
export type ClientDescription = Static<typeof clientDescription>;

const response = object('Absent where nothing was responded.', {
  at: about('Milliseconds since the first request of the start arrived.', number),
  status: count,
  waitUntil: about('When the wait that this 429 announced is over, on the same axis.', maybe(number)),
});

const request = object('One request on the time axis.', {
  n: about('Number of the exchange.', position),
  operation: about('Method and path.', text),
  arrivedAt: about('Milliseconds since the first request of the start arrived.', number),
  response: maybe(response),
  early: about(
    'By how many milliseconds the request came before the end of an announced wait; absent where it came before none.',
    maybe(number),
  ),
});
export type TimelineRequest = Static<typeof request>;

export const clientTimeline = object(
  'One start of the client on a time axis: its requests, and the waits that were announced to it.',
  {
    start: about('Number of the start, from 1.', position),
    scenario: about('Id of the scenario.', text),
    repetition: about('Number within the scenario, from 1.', position),
    description: about('What happens in the scenario, in one sentence.', text),
    requests: about('The first requests, in the order of arrival.', listOf(request)),
    further: about('How many requests arrived after those.', count),
    ending: about('How the client ended, as the end of a sentence: "exited with status 0".', someText),
  },
);
export type ClientTimeline = Static<typeof clientTimeline>;
