import { FILE_BASE } from './description.ts';
import { at, itemsOf, membersOf } from './json-value.ts';

/** The most addresses that the servers and their variables are taken to make; more than that decide nothing. */
const MOST_ADDRESSES = 256;

/**
 * The base addresses that a description states, without a slash at their end. `own` are the servers of the operation
 * or its Path Item, which replace those of the document (OpenAPI 3.0.3, Server Object). None at all where the document
 * states none, or where one depends on where a file is served from: then the base is undecided.
 */
export function basesOf(document: unknown, own: unknown, address: string): readonly string[] {
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
