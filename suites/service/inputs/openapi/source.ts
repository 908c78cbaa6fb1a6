import { readAddress, usesProxy } from '../base-url.ts';

/** Where the target's OpenAPI document is found. */
export type OpenapiSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: URL; readonly proxied: boolean };

/**
 * Reads where the document is found: an address of http or https, or else the path of a file. Undefined where none is
 * named.
 * @param name what the user calls the input, at the beginning of a sentence.
 * @throws {UserError} when it is an address that cannot be used.
 */
export function readOpenapiSource(
  text: string | undefined,
  name: string,
  env: NodeJS.ProcessEnv,
): OpenapiSource | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:\/\//i.test(text)) return { kind: 'file', path: text };
  const url = readAddress(text, name);
  return { kind: 'address', url, proxied: usesProxy(url, env) };
}

/** The name of the document in the journal, without the query, which may hold a credential. */
export const openapiSourceName = (source: OpenapiSource): string =>
  source.kind === 'file' ? source.path : source.url.origin + source.url.pathname;
