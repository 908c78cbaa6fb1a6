import { countOf, quoted } from '../../../../kernel/basics/text.ts';
import type { Exchange } from '../../../../kernel/exchanges/exchange.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement, Problem } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, isAdverse, judgeEach, warn } from '../../../../kernel/findings/judgement.ts';
import { expectJson, isProblem } from '../../evidence/answers.ts';
import type { Creation } from '../../evidence/categories.ts';
import { creationsSeen, sentCategory } from '../../evidence/categories.ts';
import { changeOf } from '../../evidence/changed-text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json.ts';
import { categoryProblems } from '../../evidence/schemas.ts';
import { VERY_LONG_NAME } from '../../probes/open-behavior.ts';
import { carriedBy } from '../../probes/stored-values.ts';

/** A service may show one of its own, but another creation's stayed in a variable. An earlier category of that id or name is left open. */
function descriptionOfAnother(evidence: Evidence, { exchange, sent, seen }: Creation): Problem | undefined {
  const shown = seen?.description;
  if (sent === undefined || sent.description !== undefined) return undefined;
  if (typeof shown !== 'string' || shown.trim() === '') return undefined;
  const fact = {
    expected: 'no description, or one of the service itself, where none was sent',
    received: `${jsonValueText(shown)} in ${exchangeName(exchange)}`,
  };
  // A service may show a description of its own, and this may be one.
  if (MISSING_VALUE.test(shown.trim())) return warn({ ...fact, reasoning: MISSING_AS_TEXT });
  const others = evidence
    .fact(creationsSeen)
    .filter((other) => other.exchange !== exchange && other.exchange.sent.mono < exchange.received.mono);
  if (others.some((other) => other.sent?.name === sent.name || other.seen?.id === seen?.id)) return undefined;
  const origin = others.findLast((other) => other.sent?.description === shown)?.exchange;
  if (origin === undefined) return undefined;
  const reasoning = `That is the description that ${exchangeName(origin)} sent for another category.`;
  return fail({ ...fact, reasoning });
}

/** What languages write for a value that is missing, where a program makes a text of it. */
const MISSING_VALUE = /^(?:none|null|nil|<nil>|undefined|nan|\[object \w+\])$/i;

const MISSING_AS_TEXT = 'Programs write this where they make a text of a value that is missing.';

/** Canonically equal texts, other ends of lines, fewer blanks and a cut of a very long name are doubts: a service can answer 400. */
export function echoesWhatWasSent(evidence: Evidence): Judgement {
  const created = evidence.fact(creationsSeen).filter(({ sent }) => sent !== undefined);
  const found = created.flatMap((creation) =>
    echoProblems(evidence, creation).map((one) => ({ ...one, exchange: creation.exchange })),
  );
  const first =
    found.find(({ problem }) => problem.verdict === 'fail') ??
    found.find(({ problem }) => problem.verdict === 'warn');
  const shown = found.filter(({ problem, cause }) => !isAdverse(problem) || cause === first?.cause);
  const judged = judgeEach(
    created.map(({ exchange }) => exchange),
    (exchange) => shown.find((one) => one.exchange === exchange)?.problem,
    {
      good: 'Each 201 to a valid creation showed a Category with the name and, where one was sent, the description of the request',
      none: evidence.whyNothing('first-creation', 'creations'),
    },
  );
  const others = new Map(
    found.filter((one) => !shown.includes(one)).map(({ cause, exchange }) => [cause, exchange]),
  );
  if (judged.verdict === 'pass') return cutLongName(evidence) ?? judged;
  return isAdverse(judged) && others.size > 0
    ? furtherReasoned(judged, `Besides, ${[...others].slice(0, MOST_CAUSES).map(causeText).join('; ')}.`)
    : judged;
}

/** "Length bounds … not shown": one honest reading keeps a bound by cutting the name, which a client sees in the 201 alone. */
function cutLongName(evidence: Evidence): Judgement | undefined {
  const creation = evidence.fact(creationsSeen).find(({ exchange }) => exchange.step === VERY_LONG_NAME);
  if (creation === undefined) return undefined;
  const { exchange, seen } = creation;
  const [sent, received] = [sentCategory(exchange)?.name, seen?.name];
  const change = sent === undefined || typeof received !== 'string' ? undefined : changeOf(sent, received);
  if (sent === undefined || change?.kind !== 'spoiled') return undefined;
  const fact = {
    expected: `the name ${quoted(sent)} of ${countOf([...sent].length, 'character')}, or 400`,
    received: `${jsonValueText(received)} in ${exchangeName(exchange)}`,
  };
  const open = 'The specification shows no bound of a name, and a Category is a NewCategory plus `id`.';
  return warn({ ...furtherReasoned(fact, change.cause, open), exchanges: [exchange] });
}

const MOST_CAUSES = 4;

const causeText = ([cause, exchange]: readonly [string, Exchange]): string =>
  `${exchangeName(exchange)} shows: ${cause.replace(/\.$/, '')}`;

/** The problems of one 201, and what each is about: problems with one cause are one. */
function echoProblems(
  evidence: Evidence,
  creation: Creation,
): readonly { readonly problem: Problem; readonly cause: string }[] {
  const { exchange } = creation;
  const json = expectJson(exchange, 'the created category');
  if (isProblem(json)) return [{ problem: json, cause: 'no readable category' }];
  const where = `in ${exchangeName(exchange)}`;
  const broken = categoryProblems(json.value).find(({ kind }) => kind === 'violation');
  if (broken !== undefined) {
    const problem = fail({ expected: 'a Category', received: `${broken.received} ${where}` });
    return [{ problem, cause: 'no Category' }];
  }
  const leaked = descriptionOfAnother(evidence, creation);
  if (leaked !== undefined) return [{ problem: leaked, cause: 'a description that was not sent' }];
  return changedFields(creation).flatMap((changed) => {
    const { field, sent, received, property, change } = changed;
    if (change.kind === 'allowed') return [];
    const fact = {
      expected: `the ${field} ${quoted(sent)}${property === undefined ? '' : ` (${property})`}`,
      received: `${jsonValueText(received)} ${where}`,
    };
    const problem = (change.kind === 'spoiled' ? fail : warn)(furtherReasoned(fact, change.cause));
    return [{ problem, cause: change.cause ?? `another ${field} than was sent` }];
  });
}

/**
 * The texts of a creation that its 201 shows in another form, each with the property of real data that it carried.
 * An absent description may come back in any form.
 */
export function changedFields({ sent, seen }: Creation) {
  if (sent === undefined || seen === undefined) return [];
  const carried = carriedBy(sent);
  return (['name', 'description'] as const).flatMap((field) => {
    const text = sent[field];
    const change = text === undefined ? undefined : changeOf(text, seen[field]);
    if (text === undefined || change === undefined) return [];
    return [{ field, sent: text, received: seen[field], property: carried[field]?.property, change }];
  });
}
