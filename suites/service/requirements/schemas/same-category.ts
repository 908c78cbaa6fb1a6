import { capitalized, countOf } from '../../../../kernel/basics/text.ts';
import { groupedBy, once } from '../../../../kernel/exchanges/collections.ts';
import { exchangeName } from '../../../../kernel/exchanges/outcome-kinds.ts';
import type { Judgement } from '../../../../kernel/findings/judgement.ts';
import { fail, furtherReasoned, inconclusive, pass, warn } from '../../../../kernel/findings/judgement.ts';
import type { Contents, Creation, Seen } from '../../evidence/categories.ts';
import { creationsSeen, isOfKeyUnderTest, lists, namesSentOnce } from '../../evidence/categories.ts';
import { changeOf } from '../../evidence/changed-text.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { jsonValueText } from '../../evidence/json.ts';

type Field = 'id' | 'name' | 'description';

/** A creation may return the category that has its name; one that changes it loses what was confirmed before. */
export function staysTheSame(evidence: Evidence): Judgement {
  // Each account may have categories of its own.
  const made = creationsSeen(evidence).filter(
    ({ exchange, seen }) => isOfKeyUnderTest(exchange) && seen?.id !== undefined,
  );
  const entriesIn = ourEntries(made, evidence.fact(namesSentOnce));
  let compared = 0;
  let inAnotherForm: Judgement | undefined;
  for (const { exchange: listing, contents } of lists(evidence)) {
    if (!isOfKeyUnderTest(listing)) continue;
    for (const { creation, item, different } of entriesIn(contents)) {
      const { exchange, seen } = creation;
      if (listing.sent.mono < exchange.received.mono) continue;
      compared += 1;
      if (different === undefined) continue;
      const noneTwice = different === 'description' && hasNone(creation, item);
      const fact = {
        expected: `${different} ${jsonValueText(seen?.[different])} in the list, as in the 201 of ${exchangeName(exchange)}`,
        received: `${different} ${jsonValueText(item[different])} in ${exchangeName(listing)}`,
      };
      const shown = [exchange, listing];
      if (!noneTwice)
        return fail({
          ...furtherReasoned(fact, reasoningOf(creation, item, different, made)),
          exchanges: shown,
        });
      inAnotherForm ??= warn({ ...fact, reasoning: NONE_TWICE, exchanges: shown });
    }
  }
  if (inAnotherForm !== undefined) return inAnotherForm;
  if (compared === 0)
    return inconclusive('No created category was found in a list, so there is nothing to compare.');
  return pass(
    `${countOf(compared, 'comparison')} of a 201 with the entry in a later list found the same \`id\`, \`name\` and \`description\`.`,
  );
}

/** Whether no description was sent, and the 201 and the list each show none, in whatever form. */
const hasNone = ({ sent, seen }: Creation, item: Seen): boolean =>
  sent !== undefined &&
  sent.description === undefined &&
  openText(seen?.description) === '' &&
  openText(item.description) === '';

const NONE_TWICE =
  'None was sent. In one reading, null, an empty text and an absent field all mean that there is no description.';

function differentField({ sent, seen }: Creation, item: Seen): Field | undefined {
  const isSame = sent === undefined ? isSameOpenText : Object.is;
  return (['id', 'name', 'description'] as const).find((key) => !isSame(item[key], seen?.[key]));
}

/** No description may be null or empty, and neither white space around a name nor control characters in it need stay. */
const isSameOpenText = (one: unknown, other: unknown): boolean =>
  one === other || openText(one) === openText(other);

function openText(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? '';
  return value.replace(/[\p{Cc}\ufeff\ufffd]/gu, '').trim();
}

/** What is known about the difference, in whole sentences. */
function reasoningOf(
  creation: Creation,
  item: Seen,
  field: Field,
  made: readonly Creation[],
): string | undefined {
  const { exchange, seen } = creation;
  const later = made.find(
    (one) => one.exchange.n > exchange.n && one.seen?.id === seen?.id && one.seen?.[field] === item[field],
  );
  if (later !== undefined && field === 'description')
    return `${capitalized(exchangeName(later.exchange))} returned 201 with the same id, and overwrote the category.`;
  const before = seen?.[field];
  const cause = typeof before === 'string' ? changeOf(before, item[field])?.cause : undefined;
  return field === 'name' ? (cause ?? SAME_ID_TWICE) : cause;
}

/** An entry with another name was found by its id. */
const SAME_ID_TWICE =
  'If that is another category, two have the same id, as with workers that have separate stores.';

/** Finds the creations that a list contains, with their entries; equal contents are searched once. */
function ourEntries(made: readonly Creation[], sentOnce: ReadonlySet<string>) {
  const byId = groupedBy(made, ({ seen }) => seen?.id);
  const byName = groupedBy(made, ({ seen }) => seen?.name);
  // A long journal has thousands of creations, and a list holds few of them.
  const likely = ({ items }: Contents): Creation[] => [
    ...new Set(items.flatMap(({ id, name }) => [...(byId.get(id) ?? []), ...(byName.get(name) ?? [])])),
  ];
  return once((contents: Contents) =>
    likely(contents)
      .sort((a, b) => a.exchange.n - b.exchange.n)
      .flatMap((creation) => {
        const item = entryOf(creation, contents, sentOnce);
        return item === undefined ? [] : [{ creation, item, different: differentField(creation, item) }];
      }),
  );
}

/** By its name, which is unique to this run, or else by its id. Where the name may stand for another category, ids decide. */
function entryOf(creation: Creation, contents: Contents, sentOnce: ReadonlySet<string>): Seen | undefined {
  const { sent, seen } = creation;
  const numbered = contents.numbered(seen?.id);
  if (sent === undefined)
    return numbered.find((item) => differentField(creation, item) === undefined) ?? numbered[0];
  const entries = contents.named(seen?.name);
  const other = sentOnce.has(sent.name) ? entries[0] : undefined;
  return entries.find((item) => item.id === seen?.id) ?? other ?? numbered[0];
}
