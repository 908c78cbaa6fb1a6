import { quoted } from '../../../../kernel/basics/text.ts';
import type { Description, Located } from '../../evidence/openapi/description.ts';
import { at, itemsOf, membersOf } from '../../evidence/openapi/json-value.ts';
import type { Mismatch } from '../../evidence/openapi/mismatch.ts';
import { doubtful, violating } from '../../evidence/openapi/mismatch.ts';

/** The most alternatives of an operation that are read. */
const MOST_ALTERNATIVES = 100;

/**
 * Whether the description demands a bearer token of an operation: "All operations
 * require authentication", "the scheme is HTTP bearer". The requirements of the
 * operation replace those of the document; each of them is an alternative.
 */
export function securityMismatches(
  document: Description,
  operation: Located,
  name: string,
): readonly Mismatch[] {
  const own = at(operation.value, 'security');
  const alternatives = itemsOf(own ?? at(document.root.value, 'security')).slice(0, MOST_ALTERNATIVES);
  if (alternatives.length === 0) return [violating(`${name} is described without security`)];
  if (alternatives.some((one) => membersOf(one).length === 0))
    return [violating(`${name} is described with optional security`)];
  const kinds = alternatives.map((one) => membersOf(one).map(([scheme]) => kindOf(document, scheme)));
  const foreign = kinds.flat().find((kind) => kind !== 'bearer' && kind !== 'unread');
  if (foreign === undefined) return [];
  const bearerAlone = kinds.some((all) => all.every((kind) => kind === 'bearer' || kind === 'unread'));
  const text = `${name} is described with ${foreign} instead of HTTP bearer`;
  return [bearerAlone ? doubtful(`${text} as an alternative`) : violating(text)];
}

/** What a security scheme is: `bearer`, `unread`, or another one in words. */
function kindOf(document: Description, scheme: string): string {
  const found = document.within(document.root, 'components', 'securitySchemes', scheme);
  if (found.kind === 'unread') return 'unread';
  if (found.kind === 'nowhere') return `the undefined scheme ${quoted(scheme)}`;
  const [type, http] = [at(found.located.value, 'type'), at(found.located.value, 'scheme')];
  if (type === 'http' && typeof http === 'string' && http.toLowerCase() === 'bearer') return 'bearer';
  return `the scheme ${quoted(scheme)} of the type ${quoted(String(type))}${type === 'http' ? ` (${quoted(String(http))})` : ''}`;
}
