import type { Exchange } from '../../../exchanges/exchange.ts';
import { exchangeName } from '../../../exchanges/exchange-text.ts';
import { quoted } from '../../../words/text.ts';
import { expectJson, isProblem } from '../../evidence/answers.ts';
import type { Creation } from '../../evidence/categories.ts';
import { creationsByExchange, creationsSeen } from '../../evidence/categories.ts';
import type { TextChange } from '../../evidence/changed-text.ts';
import { changeOf, changeReasoning } from '../../evidence/changed-text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';
import type { Judgement, Problem } from '../../evidence/judgement.ts';
import { doubt, judgeEach, violation } from '../../evidence/judgement.ts';
import { creations, firstCreation } from '../../probes/creations.ts';
import { carriedBy } from '../../probes/stored-values.ts';

/** A field of a category that is a text. */
type TextField = 'name' | 'description';

/** A field that came back in the 201 other than it was sent. */
export interface ChangedField {
  readonly field: TextField;
  readonly sent: string;
  readonly received: unknown;
  /** The property of real data that the text carried; undefined for a plain one. */
  readonly property: string | undefined;
  readonly change: TextChange;
}

/**
 * CREATE-3: each 201 shows a Category with the texts that were sent. White space
 * around a text may be cut off, as many services do with input. A canonically
 * equal text, other ends of lines and fewer blanks inside are doubts. A service
 * that does not store a text as it is can answer 400, which is no violation.
 */
export function echoesWhatWasSent(evidence: Evidence): Judgement {
  const created = creationsSeen(evidence).filter(({ sent }) => sent !== undefined);
  return judgeEach(
    created.map(({ exchange }) => exchange),
    (exchange) => echoProblem(evidence, exchange),
    {
      good: 'Each 201 to a valid creation showed a Category with the name and, where one was sent, the description of the request',
      none: evidence.whyNothing(firstCreation, creations),
    },
  );
}

function echoProblem(evidence: Evidence, exchange: Exchange): Problem | undefined {
  const json = expectJson(exchange, 'the created category');
  if (isProblem(json)) return json;
  const where = `in ${exchangeName(exchange)}`;
  const broken = evidence.schemas.category(json).find(({ kind }) => kind === 'violation');
  if (broken !== undefined)
    return violation({ expected: 'a Category', received: `${broken.received} ${where}` });
  const creation = evidence.fact(creationsByExchange).get(exchange);
  const changed = creation === undefined ? [] : changedFields(creation);
  const worst =
    changed.find(({ change }) => change.kind === 'spoiled') ??
    changed.find(({ change }) => change.kind === 'doubtful');
  if (worst === undefined) return undefined;
  const { field, sent, received, property, change } = worst;
  const fact = {
    expected: `the ${field} ${quoted(sent)}${property === undefined ? '' : ` (${property})`}`,
    received: `${jsonValueText(received)} ${where}`,
    ...changeReasoning(change),
  };
  return change.kind === 'spoiled' ? violation(fact) : doubt(fact);
}

/** The texts of a creation that its 201 shows in another form. An absent description may come back in any form. */
export function changedFields({ sent, seen }: Creation): readonly ChangedField[] {
  if (sent === undefined || seen === undefined) return [];
  const carried = carriedBy(sent);
  return (['name', 'description'] as const).flatMap((field) => {
    const text = sent[field];
    const change = text === undefined ? undefined : changeOf(text, seen[field]);
    if (text === undefined || change === undefined) return [];
    return [{ field, sent: text, received: seen[field], property: carried[field], change }];
  });
}
