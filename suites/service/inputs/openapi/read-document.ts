import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { UserError } from '../../../../kernel/basics/errors.ts';
import { groupedNumber, quoted } from '../../../../kernel/basics/text.ts';
import { fileTrouble } from '../../../../kernel/basics/user-files.ts';
import { FILE_BASE } from '../../evidence/openapi/description.ts';
import { readText, referencesIn, targetOf } from '../../evidence/openapi/documents.ts';
import type { PublishedDocument } from '../../model/journal.ts';
import { isPageText } from '../../model/target-reading.ts';
import { readAddress, usesProxy } from '../base-url.ts';

/** How the first bytes of a text in UTF-16 look: with a byte order mark, or an ASCII character. */
const UTF_16: readonly (readonly [encoding: string, begins: (first: number, second: number) => boolean])[] = [
  ['utf-16le', (first, second) => (first === 0xff && second === 0xfe) || (first !== 0 && second === 0)],
  ['utf-16be', (first, second) => (first === 0xfe && second === 0xff) || (first === 0 && second !== 0)],
];

/** The text of a document in UTF-8 or UTF-16, without a byte order mark (YAML 1.2 §5.2: a reader supports both). */
export function documentText(bytes: Uint8Array): string {
  const [first = 1, second = 1] = bytes;
  const encoding = UTF_16.find(([, begins]) => begins(first, second))?.[0] ?? 'utf-8';
  return new TextDecoder(encoding).decode(bytes);
}

/** What was read, and where redirects ended; or why nothing was, as the end of a sentence. */
type DocumentReading = { readonly text: string; readonly address: string } | { readonly unread: string };

export const MOST_REFERENCED_DOCUMENTS = 50;

/** The most bytes of all of them together. */
const MOST_REFERENCED_BYTES = 1024 * 1024;

/** References are hostile: none leads to another origin or out of the folder, and number and size are bounded. Gaps have a reason. */
async function withReferenced(
  source: string,
  description: DocumentReading,
  read: (address: URL, mostBytes: number) => DocumentReading | Promise<DocumentReading>,
): Promise<readonly PublishedDocument[]> {
  if ('unread' in description)
    throw new UserError(
      `The OpenAPI document ${source} ${description.unread}; give its final address or a copy in a file, or leave it out.`,
    );
  if (isPageText(description.text))
    throw new UserError(
      `The OpenAPI document ${source} is a page of HTML: give the JSON or YAML document that it shows, or leave it out.`,
    );
  const root = new URL(description.address);
  const documents: PublishedDocument[] = [{ source, ...description }];
  const known = new Set([root.href]);
  let bytes = MOST_REFERENCED_BYTES;
  // Every document that is read is added behind the others, and its own references follow.
  for (const document of documents) {
    for (const address of targetsOf(document)) {
      if (known.has(address) || documents.length > MOST_REFERENCED_DOCUMENTS) continue;
      known.add(address);
      const url = new URL(address);
      const unread = whyForbidden(url, root);
      const found = recorded(url, unread === undefined ? await read(url, bytes) : { unread });
      bytes -= Buffer.byteLength(found.text);
      documents.push(found);
    }
  }
  return documents;
}

function whyForbidden(address: URL, { protocol, origin }: URL): string | undefined {
  if (address.username !== '' || address.password !== '') return 'holds credentials';
  if (protocol === 'file:')
    return address.href.startsWith(FILE_BASE) ? undefined : 'lies outside the folder of the document';
  // The origin of every address that is not HTTP is "null".
  return address.origin === origin && origin !== 'null'
    ? undefined
    : 'is at another origin, and such references are not followed';
}

function recorded(url: URL, reading: DocumentReading): PublishedDocument {
  const document = { source: recordedName(url), address: url.href };
  return 'unread' in reading
    ? { ...document, text: '', unread: `${quoted(document.source)} ${reading.unread}` }
    : { ...document, text: reading.text };
}

/** An address as the journal records it: without the query, which may hold a credential. */
function recordedName({ protocol, origin, pathname, href }: URL): string {
  if (href.startsWith(FILE_BASE)) return decodeURIComponent(href.slice(FILE_BASE.length));
  return protocol === 'http:' || protocol === 'https:' ? origin + pathname : `${protocol}${pathname}`;
}

function targetsOf({ address = '', text, unread }: PublishedDocument): string[] {
  const content = unread === undefined ? readText(text) : undefined;
  if (content === undefined || !('value' in content)) return [];
  const targets = [...referencesIn(content.value)].map((reference) => targetOf(reference, address)?.address);
  return [...new Set(targets.filter((target) => target !== undefined))];
}

export type OpenapiSource =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'address'; readonly url: URL; readonly proxied: boolean };

/** An address, or else a path. @param name what the user calls the input. @throws {UserError} when the address cannot be used. */
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

interface FetchOptions {
  /** PEM text of a certificate authority to trust besides the built-in ones. */
  readonly certificateAuthority: string | undefined;
  readonly signal: AbortSignal;
}

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_MS = 10_000;

/** Sends no key and no header of the run. Undefined when `options.signal` aborted. @throws {UserError} when the description cannot be read. */
export async function readOpenapiDocuments(
  source: OpenapiSource,
  options: FetchOptions,
): Promise<readonly PublishedDocument[] | undefined> {
  const name = openapiSourceName(source);
  if (source.kind === 'file') {
    const { path } = source;
    const address = FILE_BASE + encodeURIComponent(basename(path));
    return withReferenced(name, readFile(path, address, MOST_BYTES), (url, most) =>
      readSibling(path, url, most),
    );
  }
  const dispatcher = await dispatcherFor(source.proxied, options.certificateAuthority);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(MOST_MS)]);
  try {
    const description = await fetchDocument(
      source.url,
      { most: MOST_BYTES, redirects: 5 },
      dispatcher,
      signal,
    );
    if (options.signal.aborted) return undefined;
    const documents = await withReferenced(name, description, (url, most) =>
      fetchDocument(url, { most, redirects: 0 }, dispatcher, signal),
    );
    return options.signal.aborted ? undefined : documents;
  } finally {
    await dispatcher.destroy();
  }
}

function readFile(path: string, address: string, most: number): DocumentReading {
  try {
    return statSync(path).size > most ? tooLarge(most) : { text: documentText(readFileSync(path)), address };
  } catch (error) {
    return unread(`cannot be read: ${fileTrouble(error)}`);
  }
}

/** Reads a file in the document's own folder. A link that leads out of it is not followed. */
function readSibling(document: string, { href }: URL, most: number): DocumentReading {
  try {
    const folder = realpathSync(dirname(document));
    const path = realpathSync(join(folder, decodeURIComponent(href.slice(FILE_BASE.length))));
    if (!path.startsWith(folder + sep)) return unread('leads out of the folder of the document');
    return statSync(path).isFile() ? readFile(path, href, most) : unread('is not a file');
  } catch (error) {
    return unread(`cannot be read: ${fileTrouble(error)}`);
  }
}

const unread = (unread: string): DocumentReading => ({ unread });

const tooLarge = (most: number): DocumentReading =>
  unread(`is too large: at most ${groupedNumber(most)} bytes of it are read`);

async function dispatcherFor(
  proxied: boolean,
  certificateAuthority: string | undefined,
): Promise<Dispatcher> {
  // Most runs read no document over HTTP.
  const {
    default: { Agent, EnvHttpProxyAgent },
  } = await import('undici');
  const tls = certificateAuthority === undefined ? {} : { ca: [...rootCertificates, certificateAuthority] };
  return proxied ? new EnvHttpProxyAgent({ requestTls: tls, connect: tls }) : new Agent({ connect: tls });
}

/** References are relative to the address that the redirects end at (RFC 3986 §5.1.3). */
async function fetchDocument(
  first: URL,
  { most, redirects }: { readonly most: number; readonly redirects: number },
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<DocumentReading> {
  try {
    let url = first;
    for (let hops = 0; ; hops += 1) {
      const { origin, pathname, search } = url;
      const request = { origin, path: `${pathname}${search}`, method: 'GET', signal } as const;
      const { statusCode, headers, body } = await dispatcher.request(request);
      if (statusCode === 200) {
        const text = await boundedText(body, most);
        return text === undefined ? tooLarge(most) : { text, address: origin + pathname };
      }
      await body.dump();
      const { location } = headers;
      if (redirects === 0 || statusCode < 300 || statusCode > 399 || typeof location !== 'string')
        return unread(
          `cannot be fetched: the response has status ${statusCode} (the request carries no key)`,
        );
      if (hops === redirects) return unread(`is redirected more than ${redirects} times`);
      const to = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
      if (to?.origin !== origin) return unread('is redirected to another origin, which is not followed');
      url = to;
    }
  } catch (error) {
    return unread(
      `cannot be fetched: ${signal.aborted ? `no response within ${MOST_MS / 1000} s` : errorText(error)}`,
    );
  }
}

async function boundedText(body: AsyncIterable<Uint8Array>, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return documentText(Buffer.concat(chunks));
}

const errorText = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
