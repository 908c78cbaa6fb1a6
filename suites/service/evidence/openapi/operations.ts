import type { Description, Located } from './description.ts';
import { at, itemsOf, membersOf } from './json-value.ts';
import { basesOf } from './servers.ts';

/** An operation of the specification, as a description has to name it. */
export interface Operation {
  readonly method: 'get' | 'post';
  /** Relative to the base address, with its parameters in braces. */
  readonly path: string;
}

/** Where a description has an operation. */
export type Described =
  | { readonly kind: 'described'; readonly operation: Located }
  /** It is there, but every server leads to an address whose base does not end in /v1. */
  | { readonly kind: 'elsewhere'; readonly address: string; readonly operation: Located }
  /** It may stand in a document that was not read. */
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'missing' };

/**
 * Where the description has this operation: at a path and beneath a server that
 * together are the base address, which ends in `/v1` (specification, Versioning),
 * and the operation's own path. Which of the two holds the version is left open.
 */
export function described(description: Description, operation: Operation): Described {
  let found: Described = { kind: 'missing' };
  for (const [path, item] of membersOf(at(description.root.value, 'paths'))) {
    const prefix = prefixOf(path, operation.path);
    if (prefix === undefined) continue;
    const located = { address: description.root.address, value: item };
    const here = operationAt(description, located, operation.method);
    if (here.kind === 'unknown') found = here;
    if (here.kind !== 'found') continue;
    const { value } = description.root;
    const bases = basesOf(value, here.servers, description.root.address).map((base) => base + prefix);
    if (bases.length === 0 ? !/\/v\d+$/.test(prefix) || endsInVersion(prefix) : bases.some(endsInVersion))
      return { kind: 'described', operation: here.operation };
    found = {
      kind: 'elsewhere',
      address: (bases[0] ?? prefix) + operation.path,
      operation: here.operation,
    };
  }
  return found;
}

type Placed =
  | { readonly kind: 'found'; readonly operation: Located; readonly servers: unknown }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'missing' };

/** The operation of a Path Item, which may stand elsewhere, with the servers of its own if it has any. */
function operationAt(description: Description, item: Located, method: string): Placed {
  const followed = description.follow(item);
  // What stands beside a reference is left undefined by OpenAPI 3.0 and belongs to the Path Item in 3.1.
  const items = [item, ...(followed.kind === 'found' ? [followed.located] : [])];
  const holder = items.find(({ value }) => at(value, method) !== undefined);
  if (holder !== undefined) {
    const operation = { address: holder.address, value: at(holder.value, method) };
    const servers = [operation, ...items].map(({ value }) => at(value, 'servers'));
    return { kind: 'found', operation, servers: servers.find((one) => itemsOf(one).length > 0) };
  }
  return followed.kind === 'unread' ? { kind: 'unknown', why: followed.why } : { kind: 'missing' };
}

/** A version segment that is written as a parameter, such as `v{version}` or `{apiVersion}`. */
const VERSION_PARAMETER = /\/(v\{[^{}/]*\}|\{[^{}/]*version[^{}/]*\})$/i;

/**
 * What stands before the operation's own path: nothing, or a path that ends in
 * a version. Anything else before it makes another resource. A template's
 * parameter may have any name.
 */
function prefixOf(path: string, own: string): string | undefined {
  // What costs little first: a description may have a hundred thousand paths.
  if (!path.endsWith(own.endsWith('}') ? '}' : own)) return undefined;
  const segments = path.split('/');
  const ownSegments = own.split('/');
  const start = segments.length - ownSegments.length + 1;
  const tail = segments.slice(Math.max(start, 1));
  const same = ownSegments.slice(1).every((segment, i) => bare(segment) === bare(tail[i] ?? ''));
  if (start < 1 || !same) return undefined;
  const prefix = segments.slice(0, start).join('/').replace(VERSION_PARAMETER, '/v1');
  return prefix === '' || /\/v\d+$/.test(prefix) ? prefix : undefined;
}

const bare = (segment: string): string => (/^\{[^{}]*\}$/.test(segment) ? '{}' : segment);

/** Once: a version in the server and in the path again is an address that no server has. */
const endsInVersion = (base: string): boolean => base.endsWith('/v1') && !base.endsWith('/v1/v1');
