import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { NameForm, NewCategoryBody } from './category-requests.ts';
import { isRejected, readBody, remainingNameForms } from './category-requests.ts';
import type { RunInputs } from './probe.ts';

/** One property of real data, and a text that has it and no other one: a description, or the end of a name. */
interface Value {
  readonly property: string;
  readonly before?: string;
  readonly text: string;
}

/** One property each, so that a finding names its cause; short, because names may be bounded, and harmless. */
const NAMES: readonly Value[] = [
  { property: 'quotes and escape characters', text: `'"\\%41` },
  { property: 'accents, decomposed (NFD)', text: 'e\u0301u\u0308' },
  { property: 'upper and lower case', text: 'AbC' },
  // One half and the apostrophe are themselves in NFC, and others in NFKC and where quotes are made straight.
  { property: 'accents, composed (NFC)', text: '\u00e9\u00fc\u00f1\u00bd\u2019' },
  { property: 'HTML characters', text: '<b>&lt;' },
  // A black cat is a cat, a joiner without width and a black square.
  { property: 'characters beyond the basic plane', text: '\u{1F408}\u200d\u2b1b' },
  { property: 'blanks', before: ' ', text: '  a ' },
  { property: 'right-to-left text', text: '\u05e9\u05dc\u05d5\u05dd' },
];

/** Characters of a long description: more than the usual widths of a column. */
const LONG = 1000;

const sentences = (length: number): string => {
  let text = '';
  for (let n = 1; text.length < length; n += 1) text += `sentence ${n} of a long text. `;
  return text.slice(0, length - 1).concat('.');
};

/** What descriptions carry, in the order of sending, one property for each creation. */
const DESCRIPTIONS: readonly Value[] = [
  {
    property: 'accents, composed (NFC)',
    text: 'fa\u00e7ade, \u00fcber, a\u00f1o, na\u00efve, \u00bd, l\u2019\u00e9t\u00e9',
  },
  {
    property: 'characters beyond the basic plane',
    text: 'a cat \u{1F408}\u200d\u2b1b and a dog \u{1F415}',
  },
  { property: 'HTML characters', text: 'dogs & cats, a < b > c, <b>bold</b>, &lt; and &amp;' },
  // The fourth, because it is sent beside a plain name: services bound descriptions more often than any other value.
  { property: 'a long text', text: sentences(LONG) },
  { property: 'no characters at all', text: '' },
  {
    property: 'quotes and escape characters',
    text: `it's a "cat", 'dog' or \`cow\`, C:\\new\\table, 50 %, %41, a+b`,
  },
  { property: 'several lines', text: 'first line\nsecond line\n\nlast line' },
  { property: 'digits alone', text: '00501' },
  { property: 'a date', text: '2026-03-01' },
  { property: 'accents, decomposed (NFD)', text: 'cafe\u0301, u\u0308ber, an\u0303o' },
  { property: 'blanks', text: '  a text  between and   with blanks  ' },
  { property: 'upper and lower case', text: 'UPPER, lower and MiXed case' },
  { property: 'right-to-left text', text: '\u05db\u05dc\u05d1 \u05d5\u05d7\u05ea\u05d5\u05dc' },
];

interface Carried {
  readonly name: Value | undefined;
  readonly description: Value | undefined;
}

/** What this body carries; a plain name or description carries nothing. */
export const carriedBy = ({ name, description }: NewCategoryBody): Carried => ({
  name: NAMES.find((value) => hasValue(name, value)),
  description: DESCRIPTIONS.find(({ text }) => text === description),
});

const hasValue = (name: string, { before = '', text }: Value): boolean =>
  name.startsWith(before) && name.endsWith(text) && name.slice(before.length, -text.length).trim() !== '';

/** What a service that rejects the value may have a rule about. */
function kindOf({ text }: Value): 'long' | 'empty' | 'beyond ASCII' | 'characters' {
  if (text === '') return 'empty';
  if (text.length >= LONG) return 'long';
  return /^\p{ASCII}*$/u.test(text) ? 'characters' : 'beyond ASCII';
}

/** Whether a target that rejects the first may reject the second for the same reason; after one of a few ASCII characters, any. */
const isAlike = (rejected: Value, value: Value): boolean =>
  kindOf(rejected) === 'characters' || kindOf(rejected) === kindOf(value);

/** Which fields of a creation may carry a property beside plain text. */
export type CarryingFields = 'name' | 'name and description' | 'description';

/** A field stays plain where plainer texts alone are accepted. @param cautious whether a rejection of both counts against the description, too. */
export function nextStoredValues(
  pacer: Pacer,
  inputs: RunInputs,
  creations: number,
  fields: CarryingFields = 'name and description',
  cautious = false,
): readonly NewCategoryBody[] {
  const [form] = remainingNameForms(pacer, inputs);
  const sent = bodiesSent(pacer.session.exchanges);
  const names = allowsNames(form, inputs) ? unsent('name', NAMES, sent, cautious) : [];
  const descriptions = unsent('description', DESCRIPTIONS, sent, cautious);
  return Array.from({ length: creations }, (_, i) => {
    const name = fields === 'description' ? undefined : names[i];
    const description = fields === 'name' ? undefined : descriptions[i];
    const plain = form.write(`v${sent.length + i + 1}`);
    return {
      name: name === undefined ? plain : `${name.before ?? ''}${plain}${name.text}`,
      ...(description === undefined ? {} : { description: description.text }),
    };
  });
}

/** The body of a creation that should be accepted: it carries nothing like what the target rejected before. */
export const nextStoredValue = (pacer: Pacer, inputs: RunInputs): NewCategoryBody =>
  nextStoredValues(pacer, inputs, 1, 'name and description', true)[0] as NewCategoryBody;

/** Only beside names of the first form: the others are for targets that accept nothing but letters. */
const allowsNames = ({ again }: NameForm, { namePattern }: RunInputs): boolean =>
  again === undefined && namePattern === undefined;

interface Sent {
  readonly exchange: Exchange;
  readonly carried: Carried;
}

/** Every creation of the run with a body that can be read, and what it carries. */
function bodiesSent(exchanges: readonly Exchange[]): readonly Sent[] {
  return exchanges.flatMap((exchange) => {
    const body = exchange.request.method === 'POST' ? readBody(exchange) : undefined;
    return body === undefined ? [] : [{ exchange, carried: carriedBy(body) }];
  });
}

/** None like one whose rejection speaks against this field. A 429 stored nothing, so what it was sent with is still to be sent. */
function unsent(
  field: keyof Carried,
  values: readonly Value[],
  sent: readonly Sent[],
  cautious: boolean,
): readonly Value[] {
  const carriedIn = (some: readonly Sent[]): readonly Value[] =>
    some.flatMap(({ carried }) => carried[field] ?? []);
  const rejected = sent.filter(({ exchange }) => isRejected(exchange));
  const done = carriedIn(sent.filter(({ exchange }) => statusOf(exchange) !== 429 && !isRejected(exchange)));
  const suspected = carriedIn(rejected.filter((one) => suspects(one, rejected, cautious).includes(field)));
  const against = suspected.filter((value) => !done.includes(value));
  return values.filter((value) => !done.includes(value) && !against.some((one) => isAlike(one, value)));
}

/** Names have rules more often than descriptions, but not about a long or empty one, nor one rejected beside a plain name. */
function suspects(
  { carried: { name, description } }: Sent,
  rejected: readonly Sent[],
  cautious: boolean,
): readonly (keyof Carried)[] {
  if (name === undefined) return ['description'];
  const hasRules = rejected.some(({ carried }) => {
    const other = carried.name === undefined ? carried.description : undefined;
    return other !== undefined && description !== undefined && isAlike(other, description);
  });
  if (hasRules) return ['description'];
  if (cautious) return ['name', 'description'];
  const hasLength = description !== undefined && ['long', 'empty'].includes(kindOf(description));
  return [hasLength ? 'description' : 'name'];
}
