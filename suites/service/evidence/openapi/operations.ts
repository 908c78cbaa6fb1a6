import type { Description, Located } from './description.ts';
import { FILE_BASE } from './description.ts';
import { at, itemsOf, membersOf } from './documents.ts';

/** The most addresses that the servers and their variables are taken to make; more than that decide nothing. */
const MOST_ADDRESSES = 256;

/** `own` servers replace those of the document. None where it states none, or where one depends on where a file is served from. */
function basesOf(document: unknown, own: unknown, address: string): readonly string[] {
  const servers = itemsOf(own).length > 0 ? itemsOf(own) : serversOf(document);
  const bases: string[] = [];
  for (const server of servers) {
    for (const one of addressesOf(server)) {
      const base = absolute(one, address);
      if (base === undefined || bases.length >= MOST_ADDRESSES) return [];
      bases.push(base);
    }
  }
  return bases;
}

/** The servers of a document; the `basePath` of Swagger 2.0 is one. */
function serversOf(document: unknown): readonly unknown[] {
  const basePath = at(document, 'basePath');
  return at(document, 'swagger') !== undefined && typeof basePath === 'string'
    ? [{ url: basePath }]
    : itemsOf(at(document, 'servers'));
}

/** The address of a server with its variables' defaults, and with each of the other values that they may have. */
function* addressesOf(server: unknown): Generator<string> {
  const url = at(server, 'url');
  if (typeof url !== 'string') return;
  const variables = membersOf(at(server, 'variables'));
  const defaults = new Map(
    variables.map(([name, variable]) => [name, String(at(variable, 'default') ?? '')] as const),
  );
  yield filled(url, defaults);
  for (const [name, variable] of variables) {
    for (const value of itemsOf(at(variable, 'enum'))) {
      if (typeof value === 'string') yield filled(url, new Map([...defaults, [name, value]]));
    }
  }
}

const filled = (url: string, values: ReadonlyMap<string, string>): string =>
  url.replace(/\{([^{}]*)\}/g, (text, name: string) => values.get(name) ?? text);

/** The whole address, without a slash at its end; undefined where it depends on where a file is served from. */
function absolute(url: string, address: string): string | undefined {
  const relative = !URL.canParse(url);
  // The path of an address that begins with a slash is the same wherever the document lies.
  if (relative && address.startsWith(FILE_BASE) && !url.startsWith('/')) return undefined;
  if (!URL.canParse(url, address)) return undefined;
  const { protocol, host, pathname } = new URL(url, address);
  const path = pathname.replace(/\/+$/, '');
  return protocol === 'file:' ? path : `${protocol}//${host}${path}`;
}

/** An operation of the specification, as a description has to name it. */
export interface Operation {
  readonly method: 'get' | 'post';
  /** Relative to the base address, with its parameters in braces. */
  readonly path: string;
}

export type Described =
  | { readonly kind: 'described'; readonly operation: Located }
  /** It is there, but every server leads to an address whose base does not end in /v1. */
  | { readonly kind: 'elsewhere'; readonly address: string; readonly operation: Located }
  /** It may stand in a document that was not read. */
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'missing' };

/** Path and server together are the base address, which ends in `/v1`, and the operation's own path. */
export function described(description: Description, operation: Operation): Described {
  let found: Described = { kind: 'missing' };
  for (const [path, item] of membersOf(at(description.root.value, 'paths'))) {
    const prefix = prefixOf(path, operation.path);
    if (prefix === undefined) continue;
    const located = { address: description.root.address, value: item };
    const here = operationAt(description, located, operation.method);
    if ('kind' in here) {
      if (here.kind === 'unread') found = { kind: 'unknown', why: here.why };
      continue;
    }
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

/** The operation of a Path Item, which may stand elsewhere, with the servers of its own if it has any. */
function operationAt(description: Description, item: Located, method: string) {
  const followed = description.follow(item);
  // What stands beside a reference is left undefined by OpenAPI 3.0 and belongs to the Path Item in 3.1.
  const items = [item, ...(followed.kind === 'found' ? [followed.located] : [])];
  const holder = items.find(({ value }) => at(value, method) !== undefined);
  if (holder !== undefined) {
    const operation = { address: holder.address, value: at(holder.value, method) };
    const servers = [operation, ...items].map(({ value }) => at(value, 'servers'));
    return { operation, servers: servers.find((one) => itemsOf(one).length > 0) };
  }
  return followed;
}

/** A version segment that is written as a parameter, such as `v{version}` or `{apiVersion}`. */
const VERSION_PARAMETER = /\/(v\{[^{}/]*\}|\{[^{}/]*version[^{}/]*\})$/i;

/** Nothing, or a path that ends in a version; else it is another resource. A template's parameter may have any name. */
function prefixOf(path: string, own: string): string | undefined {
  // What costs little first: a description may have a hundred thousand paths.
  if (!path.endsWith(own.endsWith('}') ? '}' : own)) return undefined;
  const segments = path.split('/');
  const ownSegments = own.split('/');
  const start = segments.length - ownSegments.length + 1;
  const tail = segments.slice(Math.max(start, 1));
  const same = ownSegments.slice(1).every((segment, i) => bare(segment) === bare(tail[i] ?? ''));
  if (!same) return undefined;
  const prefix = segments.slice(0, start).join('/').replace(VERSION_PARAMETER, '/v1');
  return prefix === '' || /\/v\d+$/.test(prefix) ? prefix : undefined;
}

const bare = (segment: string): string => (/^\{[^{}]*\}$/.test(segment) ? '{}' : segment);

/** Once: a version in the server and in the path again is an address that no server has. */
const endsInVersion = (base: string): boolean => base.endsWith('/v1') && !base.endsWith('/v1/v1');
