import type { Exchange } from '../../../kernel/exchanges/exchange.ts';
import { statusOf } from '../../../kernel/exchanges/headers.ts';
import type { Pacer } from '../pacing/pacer.ts';
import type { NameForm } from './category-names.ts';
import { remainingNameForms } from './category-names.ts';
import type { NewCategoryBody } from './category-requests.ts';
import { isRejected, readBody } from './category-requests.ts';
import type { RunInputs } from './probe.ts';
import type { Carried, DescriptionValue, NameValue } from './real-data.ts';
import { carriedBy, DESCRIPTIONS, descriptionWith, isAlike, kindOf, NAMES } from './real-data.ts';

/** Which fields of a creation may carry a property beside plain text. */
export type CarryingFields = 'name' | 'name and description' | 'description';

/**
 * Bodies for as many creations, each with the next name and description that this run has not sent. A field stays
 * plain where the target rejected one like it, accepts plainer names only, or the user gave a pattern: "Length bounds
 * … not shown".
 * @param cautious whether the rejection of a name and a description together counts against the description, too.
 */
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
      name: name === undefined ? plain : `${name.before ?? ''}${plain}${name.after}`,
      ...(description === undefined ? {} : { description: description.text }),
    };
  });
}

/**
 * The body of a creation that should be accepted, such as one of those that
 * exhaust the quota: it carries nothing like what the target rejected before.
 */
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

/**
 * The values of this field that are still to be sent: none that was sent before,
 * and none like one whose rejection speaks against this field. A 429 stored
 * nothing, so what it was sent with is still to be sent.
 */
function unsent<Value extends NameValue | DescriptionValue>(
  field: keyof Carried,
  values: readonly Value[],
  sent: readonly Sent[],
  cautious: boolean,
): readonly Value[] {
  const valuesOf = (some: readonly Sent[]): readonly Value[] => {
    const properties = new Set(some.map(({ carried }) => carried[field]));
    return values.filter(({ property }) => properties.has(property));
  };
  const rejected = sent.filter(({ exchange }) => isRejected(exchange));
  const done = valuesOf(sent.filter(({ exchange }) => statusOf(exchange) !== 429 && !isRejected(exchange)));
  const suspected = valuesOf(rejected.filter((one) => suspects(one, rejected, cautious).includes(field)));
  const against = suspected.filter((value) => !done.includes(value));
  return values.filter((value) => !done.includes(value) && !against.some((one) => isAlike(one, value)));
}

/**
 * The fields that the rejection of a body speaks against. Names have rules more
 * often than descriptions, but not about a long description or an empty one, nor
 * about one that is rejected beside a plain name, too.
 */
function suspects(
  { carried: { name, description } }: Sent,
  rejected: readonly Sent[],
  cautious: boolean,
): readonly (keyof Carried)[] {
  if (name === undefined) return ['description'];
  const described = descriptionWith(description);
  const besidePlainNames = rejected.filter(({ carried }) => carried.name === undefined);
  const hasRules = besidePlainNames.some(({ carried }) => {
    const other = descriptionWith(carried.description);
    return other !== undefined && described !== undefined && isAlike(other, described);
  });
  if (hasRules) return ['description'];
  if (cautious) return ['name', 'description'];
  const hasLength = described !== undefined && ['long', 'empty'].includes(kindOf(described));
  return [hasLength ? 'description' : 'name'];
}
