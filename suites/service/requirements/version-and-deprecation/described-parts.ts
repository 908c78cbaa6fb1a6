import { quoted } from '../../../../kernel/basics/text.ts';
import { jsonValueText } from '../../evidence/json-value-text.ts';
import type { Description, Located } from '../../evidence/openapi/description.ts';
import { at, itemsOf } from '../../evidence/openapi/json-value.ts';
import type { Mismatch } from '../../evidence/openapi/mismatch.ts';
import { doubtful, violating } from '../../evidence/openapi/mismatch.ts';

/** The most mismatches of one kind that are collected. */
const MOST = 20;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Whether an operation has the id of the specification. OpenAPI makes ids optional, so a missing one is a doubt. */
export function operationIdMismatches(operation: Located, name: string, wanted: string): readonly Mismatch[] {
  const id = at(operation.value, 'operationId');
  if (id === wanted) return [];
  return id === undefined
    ? [doubtful(`${name} has no operationId; the specification names it "${wanted}"`)]
    : [violating(`the operationId of ${name} is ${jsonValueText(id)} instead of "${wanted}"`)];
}

/** "`GET /pets/{petId}` is deprecated and has a sunset date." */
export const deprecationMismatches = (operation: Located, name: string): readonly Mismatch[] =>
  at(operation.value, 'deprecated') === true ? [] : [violating(`${name} is not marked as deprecated`)];

/**
 * What OpenAPI 3.0.3 demands and its schema cannot express: operationIds that are
 * unique, and a declaration of every parameter in a path.
 */
export function partMismatches(document: Description): readonly Mismatch[] {
  const ids = new Map<string, number>();
  // A Path Item that several paths refer to is one and the same.
  const met = new Set<unknown>();
  const undeclared: Mismatch[] = [];
  for (const [path, item] of document.items()) {
    if (item === undefined) continue;
    for (const method of METHODS) {
      const operation = at(item.value, method);
      if (operation === undefined || met.has(operation)) continue;
      met.add(operation);
      const id = at(operation, 'operationId');
      if (typeof id === 'string') ids.set(id, (ids.get(id) ?? 0) + 1);
      if (undeclared.length < MOST)
        undeclared.push(...undeclaredParameters(document, path, item, { method, operation }));
    }
  }
  const repeated = [...ids].filter(([, times]) => times > 1).slice(0, MOST);
  return [
    ...repeated.map(([id, times]) =>
      violating(`the operationId ${quoted(id)} stands at ${times} operations`),
    ),
    ...undeclared,
  ];
}

function undeclaredParameters(
  document: Description,
  path: string,
  item: Located,
  { method, operation }: { readonly method: string; readonly operation: unknown },
): readonly Mismatch[] {
  const wanted = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  if (wanted.length === 0) return [];
  const declared = new Set<string>();
  for (const parameter of [
    ...itemsOf(at(item.value, 'parameters')),
    ...itemsOf(at(operation, 'parameters')),
  ]) {
    const followed = document.follow({ address: item.address, value: parameter });
    if (followed.kind !== 'found') return [];
    const { value } = followed.located;
    if (at(value, 'in') === 'path') declared.add(String(at(value, 'name')));
  }
  return wanted
    .filter((name) => !declared.has(name))
    .map((name) =>
      violating(
        `the parameter ${quoted(name)} of \`${method.toUpperCase()}\` ${quoted(path)} is not declared`,
      ),
    );
}
