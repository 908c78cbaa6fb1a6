import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Dispatcher } from 'undici';
import { Agent, EnvHttpProxyAgent, request } from 'undici';
import { FILE_BASE } from '../../suites/evidence/openapi/description.ts';
import { usesProxy } from '../../suites/inputs/base-url.ts';
import type { PublishedDocument } from '../../suites/model/journal.ts';
import { fileTrouble } from '../../words/file-trouble.ts';
import { UserError } from '../../words/user-error.ts';
import type { Reading } from './openapi-parts.ts';
import { readParts } from './openapi-parts.ts';
import type { OpenapiSource } from './openapi-source.ts';
import { sourceName } from './openapi-source.ts';

/** How the document may be fetched. */
export interface FetchOptions {
  readonly ca: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

const MOST_BYTES = 5 * 1024 * 1024;
const MOST_MS = 10_000;
const MOST_REDIRECTS = 5;

/**
 * Reads the document and those that it refers to, bounded in number, size and
 * time. No key and no header of the run goes with the requests, and nothing
 * leads to another origin or out of the folder of a file.
 * @returns the documents, the description itself first, or undefined when `options.signal` aborted.
 * @throws {UserError} when the description itself cannot be had.
 */
export async function readOpenapi(
  source: OpenapiSource,
  options: FetchOptions,
): Promise<readonly PublishedDocument[] | undefined> {
  if (source.kind === 'file') return readFiles(source.path);
  const dispatcher = dispatcherFor(source.url, options);
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(MOST_MS)]);
  try {
    const { text, address } = await fetchDocument(source.url, dispatcher, signal);
    const root = { source: sourceName(source), address, text };
    const parts = await readParts(root, (url, most) => fetchPart(url, most, dispatcher, signal));
    return options.signal.aborted ? undefined : [root, ...parts];
  } catch (error) {
    if (options.signal.aborted) return undefined;
    if (error instanceof UserError) throw error;
    throw new UserError(
      `The OpenAPI document at ${sourceName(source)} cannot be fetched: ${whyLost(error, signal)}.`,
    );
  } finally {
    await dispatcher.destroy();
  }
}

async function readFiles(path: string): Promise<readonly PublishedDocument[]> {
  const text = readDocumentFile(path);
  const root = { source: path, address: FILE_BASE + encodeURIComponent(basename(path)), text };
  return [root, ...(await readParts(root, (url, most) => Promise.resolve(readSibling(path, url, most))))];
}

function readDocumentFile(path: string): string {
  try {
    if (statSync(path).size > MOST_BYTES) throw tooLarge(path);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`The OpenAPI document ${path} cannot be read: ${fileTrouble(error)}.`);
  }
}

/** Reads a file of the document's own folder, and no other by a link that leads out of it. */
function readSibling(document: string, { href }: URL, most: number): Reading {
  try {
    const folder = realpathSync(dirname(document));
    const path = realpathSync(join(folder, decodeURIComponent(href.slice(FILE_BASE.length))));
    if (!path.startsWith(folder + sep)) return unread('leads out of the folder of the document');
    const found = statSync(path);
    if (!found.isFile()) return unread('is no file');
    return found.size > most ? unread(TOO_MUCH) : { kind: 'text', text: readFileSync(path, 'utf8') };
  } catch (error) {
    return unread(`cannot be read: ${fileTrouble(error)}`);
  }
}

async function fetchPart(
  url: URL,
  most: number,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<Reading> {
  try {
    const { statusCode, body } = await request(url, { dispatcher, signal });
    if (statusCode === 200) {
      const text = await boundedText(body, most);
      return text === undefined ? unread(TOO_MUCH) : { kind: 'text', text };
    }
    await body.dump();
    return unread(`was answered with status ${statusCode} (no key is sent for it)`);
  } catch (error) {
    return unread(`cannot be fetched: ${whyLost(error, signal)}`);
  }
}

const TOO_MUCH = 'is too large, with the other documents that are referred to';

const unread = (why: string): Reading => ({ kind: 'unread', why });

const whyLost = (error: unknown, signal: AbortSignal): string =>
  signal.aborted ? `no answer within ${MOST_MS / 1000} s` : causeOf(error);

function dispatcherFor(url: URL, { ca, env }: FetchOptions): Dispatcher {
  const tls = ca === undefined ? {} : { ca };
  return usesProxy(url, env)
    ? new EnvHttpProxyAgent({ requestTls: tls, connect: tls })
    : new Agent({ connect: tls });
}

/** A document of the first address and where it was found in the end, which its references are relative to (RFC 3986 §5.1.3). */
async function fetchDocument(
  first: URL,
  dispatcher: Dispatcher,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly address: string }> {
  let url = first;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const { statusCode, headers, body } = await request(url, { dispatcher, signal });
    const location = headers['location'];
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      await body.dump();
      url = sameOrigin(url, location);
    } else if (statusCode === 200) {
      const text = await boundedText(body, MOST_BYTES);
      if (text === undefined) throw tooLarge(url.origin + url.pathname);
      return { text, address: url.origin + url.pathname };
    } else {
      await body.dump();
      throw new UserError(
        `The OpenAPI document at ${url.origin + url.pathname} cannot be fetched: it was answered with status ${statusCode} (no key is sent for it); save it and pass the file.`,
      );
    }
  }
  throw new UserError(`The OpenAPI document at ${first.origin + first.pathname} is redirected too often.`);
}

function sameOrigin(from: URL, location: string): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (to?.origin === from.origin) return to;
  throw new UserError(
    `The OpenAPI document at ${from.origin + from.pathname} is redirected to another origin, which is not followed; give the final address.`,
  );
}

/** The text of a body, or undefined where it has more bytes than these. */
async function boundedText(body: AsyncIterable<Uint8Array>, most: number): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (name: string): UserError =>
  new UserError(`The OpenAPI document ${name} is larger than ${MOST_BYTES / 1024 / 1024} MiB.`);

const causeOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);
