import { FILE_BASE } from '../../suites/evidence/openapi/description.ts';
import { readText } from '../../suites/evidence/openapi/read-text.ts';
import { referencesIn, targetOf } from '../../suites/evidence/openapi/references.ts';
import type { PublishedDocument } from '../../suites/model/journal.ts';
import { quoted } from '../../words/text.ts';

/** The text that stands at one address, or why it was not read, as the end of a sentence about the address. */
export type Reading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unread'; readonly why: string };

/** How a further document is read: at most so many bytes of it. */
export type ReadPart = (address: URL, mostBytes: number) => Promise<Reading>;

/** The most documents that are looked for because a description refers to them. */
export const MOST_PARTS = 50;

/** The most bytes of all of them together. */
const MOST_BYTES = 1024 * 1024;

/**
 * Reads every document that a description refers to, directly or through
 * others, one after another and each once. References are hostile until shown
 * otherwise: none is followed to another origin, nor out of the folder of a
 * file, and number and size are bounded. What is not read is recorded with the
 * reason, so that a judge knows what it does not know.
 */
export async function readParts(root: Root, read: ReadPart): Promise<readonly PublishedDocument[]> {
  const known = new Set([root.address]);
  const queue = targetsOf(root);
  const parts: PublishedDocument[] = [];
  let bytes = MOST_BYTES;
  for (const address of queue) {
    if (known.has(address)) continue;
    if (parts.length >= MOST_PARTS) break;
    known.add(address);
    const url = new URL(address);
    const why = whyForbidden(url, new URL(root.address));
    const reading: Reading = why === undefined ? await read(url, bytes) : { kind: 'unread', why };
    const part = recorded(url, reading);
    bytes -= Buffer.byteLength(part.text);
    parts.push(part);
    queue.push(...targetsOf(part));
  }
  return parts;
}

/** The description itself: it says where it was read, so that its references can be resolved. */
export type Root = PublishedDocument & { readonly address: string };

function whyForbidden(address: URL, { protocol, origin }: URL): string | undefined {
  if (address.username !== '' || address.password !== '') return 'holds credentials';
  if (protocol === 'file:')
    return address.href.startsWith(FILE_BASE) ? undefined : 'lies outside the folder of the document';
  // The origin of every address that is not HTTP is "null".
  return address.origin === origin && origin !== 'null'
    ? undefined
    : 'is at another origin, which is not followed';
}

function recorded(address: URL, reading: Reading): PublishedDocument {
  const document = { source: shown(address), address: address.href };
  return reading.kind === 'text'
    ? { ...document, text: reading.text }
    : { ...document, text: '', unread: `${quoted(document.source)} ${reading.why}` };
}

/** An address as it is written down: a query may hold a credential and is left out. */
function shown({ protocol, origin, pathname, href }: URL): string {
  if (href.startsWith(FILE_BASE)) return decodeURIComponent(href.slice(FILE_BASE.length));
  return protocol === 'http:' || protocol === 'https:' ? origin + pathname : `${protocol}${pathname}`;
}

/** The addresses of the other documents that this one refers to. */
function targetsOf({ address = '', text, unread }: PublishedDocument): string[] {
  const content = unread === undefined ? readText(text) : undefined;
  if (content === undefined || !('value' in content)) return [];
  const targets = [...referencesIn(content.value)].map((reference) => targetOf(reference, address)?.address);
  return [...new Set(targets.filter((target) => target !== undefined))];
}
