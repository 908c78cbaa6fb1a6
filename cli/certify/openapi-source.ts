import { readAddress } from '../../suites/inputs/base-url.ts';

/** Where the target's OpenAPI document is to be found. */
export type OpenapiSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: URL };

/** Tells a file from an address. @throws {UserError} when it is an address that cannot be used. */
export function openapiSource(text: string): OpenapiSource {
  return /^https?:\/\//i.test(text)
    ? { kind: 'address', url: readAddress(text, '--openapi') }
    : { kind: 'file', path: text };
}

/** What the journal calls the document: a query may hold a credential and is left out. */
export const sourceName = (source: OpenapiSource): string =>
  source.kind === 'file' ? source.path : source.url.origin + source.url.pathname;
