import { limitsShape } from '../../spec/plans.ts';
import type { EntryId, Level, RequirementId } from '../../spec/register.ts';
import type { Shape, Static, StaticFields } from '../basics/shape.ts';
import {
  about,
  count,
  digest,
  exactly,
  flag,
  listOf,
  matching,
  maybe,
  moment,
  named,
  number,
  numberFrom,
  object,
  orNull,
  position,
  someText,
  text,
  union,
} from '../basics/shape.ts';
import { clientDescription, clientTimeline } from './client.ts';
import { acceptanceFields, checked, contradiction, undecided } from './finding-text.ts';
import { loadFields, profileId } from './load.ts';
import { origin, testedTarget } from './tested.ts';

/** What the evidence says about one requirement. Only `fail` counts against the target. */
export type Verdict = Finding['verdict'];

/** A threshold that a user sets for a load run: they are numbered in their order, and `LATENCY` is that of `--latency-ms`. */
export type ThresholdId = 'LATENCY' | `THRESHOLD-${number}`;

/** An id of the register, or that of a user's threshold. */
export type FindingId = EntryId | ThresholdId;

const id = named(
  'id',
  about(
    'Id of an entry of the register, or of a threshold of the user in a load run. Never renumbered, never reused. `petstore-conformance explain ID` prints how it is judged.',
    matching<FindingId>(/^[A-Z0-9]+(?:-[A-Z0-9]+)*$/, 'an id of the register'),
  ),
);
const exchanges = named(
  'exchanges',
  about('The numbers of the exchanges that it rests on, from 1.', listOf(position)),
);
const fixProven = about(
  'Whether a test shows that an app with this fault fails and that the same app with this fix passes; absent with a fix of clients.',
  maybe(flag),
);
const chapter = about('Chapter of the register.', text);

const headline = object(
  'What explains most of the report, and is read before anything else; absent where nothing does.',
  {
    kind: about(
      'wrong-target: the target is not the service, so there is no verdict. key-rejected: nothing that needs a key could be tested. server-fails: every list and every creation with the key got a 5xx. other-plan: the responses name the limit of another plan. no-requests: the client sent nothing, so there is no verdict. fault-not-shown: the run against the bundled server cannot show its injected fault.',
      exactly('wrong-target', 'key-rejected', 'server-fails', 'other-plan', 'no-requests', 'fault-not-shown'),
    ),
    text: about('The problem, in one or two sentences.', someText),
    fix: about('What to do about it.', someText),
  },
);
export type Headline = Static<typeof headline>;

const cause = named(
  'cause',
  object(
    'Several findings with one common cause. Their verdicts stay as they are; the fix stands here once.',
    {
      id: about(
        'Kind of the cause, for programs; two causes of a report may have the same.',
        matching(/^[a-z]+(?:-[a-z]+)*$/, 'words with hyphens'),
      ),
      title: about('The cause in one sentence.', someText),
      requirements: about(
        'The findings that it explains, those that follow from others last.',
        listOf(id, 2),
      ),
      fix: about(
        'How to fix it, in the framework of the target where the responses show which it is, with Markdown code spans.',
        maybe(someText),
      ),
      fixProven,
    },
  ),
);
export type Cause = Static<typeof cause>;

export const knownViolation = object('A violation that the owner of a target knows and accepts for a time.', {
  id: id as Shape<string>,
  ...acceptanceFields,
});
export type KnownViolation = Static<typeof knownViolation>;

const ids = listOf(id as Shape<string>);
const baseline = object(
  'The violations compared with a baseline (--baseline), in the order of the register; absent where the run had none. Verdicts and outcome are those without it.',
  {
    known: about('Violations that the baseline knows and that have not expired.', ids),
    unknown: about('Violations that the baseline does not know.', ids),
    expired: about(
      'Violations whose entry expired before the day on which the run began.',
      listOf(knownViolation),
    ),
    stale: about('Entries whose requirement was tested and did not fail: they have to be removed.', ids),
    undecided: about('Entries whose requirement was not tested or stayed inconclusive.', ids),
  },
);
export type BaselineCheck = Static<typeof baseline>;

const head = {
  id,
  level: about(
    'How much the requirement binds.',
    exactly('MUST', 'SHOULD') as Shape<Exclude<Level, 'OBSERVE'>>,
  ),
  chapter,
  sentence: about('What is required, with Markdown code spans.', text),
  from: about('Where it is stated, as in interface-specification.md#authentication.', text),
  because: about('The finding as running text, derived from its parts.', someText),
  exchanges,
};

const remedy = {
  fix: about(
    'How to fix it, with Markdown code spans; absent where a cause of the report has the fix, or where no usual cause is known.',
    maybe(someText),
  ),
  fixProven,
};
export type Remedy = StaticFields<typeof remedy>;

const repeatable = {
  repeat: about(
    'A shell command that sends the request again; absent where there is nothing to repeat.',
    maybe(someText),
  ),
};

const finding = named(
  'finding',
  about(
    'One requirement, judged. Its parts depend on the verdict. Only fail counts against the target.',
    union(
      'verdict',
      object('The evidence agrees with the requirement.', { ...head, ...checked }),
      object('The evidence contradicts the requirement, or one honest reading of it.', {
        ...head,
        ...contradiction,
        ...remedy,
        ...repeatable,
      }),
      object('The evidence proves nothing, or the requirement was not tested.', {
        ...head,
        ...undecided,
        ...repeatable,
      }),
    ),
  ),
);
export type Finding = Static<typeof finding>;

const observation = named(
  'observation',
  object('One question that the specification leaves open, and what the target does. Never judged.', {
    id: id as Shape<RequirementId>,
    chapter,
    sentence: about('The open question, with Markdown code spans.', text),
    value: about('What the target does.', text),
    exchanges,
    warning: about(
      'Set where the value is malformed by its own standard; makes no outcome worse.',
      maybe(text),
    ),
    advice: about(
      'What good practice suggests instead, where the specification requires nothing.',
      maybe(someText),
    ),
  }),
);
export type Observation = Static<typeof observation>;

const excerpt = named(
  'excerpt',
  object('One exchange, shortened for a person. Keys are replaced by their names.', {
    n: about('Number of the exchange, from 1.', position),
    probe: about('The probe that sent it.', text),
    step: about('The step of the probe.', text),
    request: about('Method and path.', text),
    requestHeaders: about('Header lines that were sent.', listOf(text)),
    requestBody: about('Body that was sent, or null.', orNull(text)),
    answer: about('Status, or why no response came.', text),
    answerHeaders: about('Header lines that were received.', listOf(text)),
    answerBody: about('Body that was received, or null.', orNull(text)),
    milliseconds: about('From sending to the last byte received.', number),
    at: about('Milliseconds since the first request of the run.', number),
  }),
);
export type EvidenceExcerpt = Static<typeof excerpt>;

const timelineEntry = named(
  'timelineEntry',
  object('One exchange in figures. Times are milliseconds; what the response does not say is absent.', {
    n: about('Number of the exchange, from 1.', position),
    caller: about('Whose key it carried, by its name, such as key or unauthenticated.', someText),
    at: about('Since the first request of the run.', number),
    milliseconds: about('From sending to the last byte received.', number),
    status: about('Status of the response, or null where none came.', orNull(number)),
    remaining: about('X-RateLimit-Remaining.', maybe(count)),
    reset: about(
      'When the advertised window ends (X-RateLimit-Reset), since the first request of the run, on the clock of its machine.',
      maybe(number),
    ),
    wait: about('The wait that a 429 announces with Retry-After, from its arrival.', maybe(numberFrom(0))),
  }),
);
export type TimelineEntry = Static<typeof timelineEntry>;

const timeline = object(
  'The exchanges of the run in figures, in the order of sending, for a picture of the run.',
  {
    entries: about('At most 3000 exchanges.', listOf(timelineEntry, 0, 3000)),
    omitted: about('Exchanges that were left out of a long run: accepted ones, evenly.', count),
  },
);
export type Timeline = Static<typeof timeline>;

const outcome = about(
  'What was shown of the subject as a whole. conforms: no requirement fails, and no MUST is inconclusive. violates: at least one requirement fails. incomplete: no requirement fails, but a MUST is inconclusive, or the run was limited to a selection, for which partial answers.',
  exactly('conforms', 'violates', 'incomplete'),
);
export type Outcome = Static<typeof outcome>;

const partial = about(
  'What a partial run answers about its selection; absent where the run was complete. fail: a requirement fails. inconclusive: none fails, but a MUST is inconclusive, or nothing was tested. pass: neither.',
  exactly('pass', 'fail', 'inconclusive'),
);
export type PartialAnswer = Static<typeof partial>;

const common = {
  schemaVersion: about(
    'Version of this contract. Within one, fields are only added, never changed or removed.',
    exactly(2),
  ),
  ...origin,
  journal: maybe(object('The journal that was judged; absent where the run was never a file.', { digest })),
  finishedAt: about(
    'When the run ended, in ISO 8601; for a run that was cut off, the time of its last line.',
    moment,
  ),
  requests: object('What the run sent.', {
    total: about('All requests.', count),
    keyed: about('Those that carried the key under test.', count),
  }),
  strict: about('Whether every warning counts as a failure.', flag),
  outcome,
  partial: maybe(partial),
  lacking: about(
    'Where the record of the run lacks something (damaged lines, missing exchanges, no end), so that it does not show all that fails; the remarks say what. Absent otherwise.',
    maybe(exactly(true)),
  ),
  baseline: maybe(named('baseline', baseline)),
  headline: maybe(named('headline', headline)),
  causes: about(
    'Causes that explain several findings each; a finding belongs to one at most. They change no verdict.',
    listOf(cause),
  ),
  remarks: about('Why the run is weaker than it could be, for a person.', listOf(text)),
  requirements: about('A finding for every requirement that is judged.', listOf(finding)),
  observations: about('What the specification leaves open, and what was done.', listOf(observation)),
  evidence: about('The exchanges that findings and observations cite.', listOf(excerpt)),
  timeline: maybe(named('timeline', timeline)),
};

/** A report shows whatever address it is given. */
const target = object('The service under test.', {
  ...testedTarget.fields,
  baseUrl: about('Base address, as in https://host/v1.', text),
});

export const serviceRecord = object('What one run that tested a service found.', {
  subject: exactly('service'),
  ...common,
  target,
  exclusiveKey: about(
    'The assumption of the run: the user stated that no other client used the key under test.',
    flag,
  ),
});
export type ServiceRecord = Static<typeof serviceRecord>;

export const clientRecord = object('What one run that tested a client found.', {
  subject: exactly('client'),
  ...common,
  client: clientDescription,
  timelines: about(
    'What happened in each start of the client, in the order of the plan.',
    listOf(clientTimeline),
  ),
});
export type ClientRecord = Static<typeof clientRecord>;

export const loadRecord = object('One load run and its verdicts.', {
  subject: exactly('load'),
  ...common,
  target,
  profile: about('The id of the load profile.', profileId),
  limits: limitsShape,
  ...loadFields,
});
/** The record of a load run. Latency, phases and keys are its own; everything else is as in any record. */
export type LoadRecord = Static<typeof loadRecord>;

/** The record of a run: everything a report needs, and exactly what `report.json` holds. `subject` says what was tested. */
export const runRecord = about(
  'What one run found. Within a schema version, fields are added and never changed or removed.',
  union('subject', named('service', serviceRecord), named('client', clientRecord), named('load', loadRecord)),
);
export type RunRecord = Static<typeof runRecord>;

export type CommonRecord = StaticFields<typeof common>;
