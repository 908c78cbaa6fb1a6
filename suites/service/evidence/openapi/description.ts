import { quoted } from '../../../../kernel/basics/text.ts';
import type { PublishedDocument } from '../../model/journal.ts';
import type { Mismatch } from './documents.ts';
import { at, itemsOf, membersOf, readText, referencesIn, stepsOf, targetOf } from './documents.ts';

/** A value of a description, and the address of the document in which it stands. */
export interface Located {
  readonly address: string;
  readonly value: unknown;
}

/** A path of a description, and its Path Item; undefined where that was not read. */
type PathItem = readonly [path: string, item: Located | undefined];

/** What a reference leads to: a value, nothing at all, or a document that was not read. */
type Followed =
  | { readonly kind: 'found'; readonly located: Located }
  | { readonly kind: 'nowhere' }
  | { readonly kind: 'unread'; readonly why: string };

const MOST_HOPS = 50;

/** What following the references of a description may take in all, in characters of pointers: a few of them can lead through one another without end. */
const MOST_WORK = 4_000_000;

/** The base of a document that is a file: whatever lies beside it has an address beneath this one. */
export const FILE_BASE = 'file:///document/';

const NOWHERE: Followed = { kind: 'nowhere' };
const TOO_FAR: Followed = { kind: 'unread', why: 'its references lead through too many further references' };

/** A published interface description and every document that it refers to, as they were recorded. */
export class Description {
  readonly root: Located;
  readonly #values = new Map<string, unknown>();
  readonly #unread = new Map<string, string>();
  #items: readonly PathItem[] | undefined;
  #work = 0;

  private constructor(root: Located, parts: readonly PublishedDocument[]) {
    this.root = root;
    this.#values.set(root.address, root.value);
    for (const part of parts) {
      const address = addressOf(part);
      const content = part.unread === undefined ? readText(part.text) : undefined;
      if (content !== undefined && 'value' in content) this.#values.set(address, content.value);
      else this.#unread.set(address, part.unread ?? (content?.text as string));
    }
  }

  /** Reads the documents of a run, the root first; the reason where the root cannot be read. */
  static of(root: PublishedDocument, parts: readonly PublishedDocument[]): Description | Mismatch {
    const content = readText(root.text);
    return 'value' in content
      ? new Description({ address: addressOf(root), value: content.value }, parts)
      : content;
  }

  /** Follows references from a value to one that is not a reference, which may be the value itself. A cycle leads nowhere. */
  follow(from: Located): Followed {
    let here = from;
    const met = new Set<unknown>();
    for (let hops = 0; hops < MOST_HOPS; hops += 1) {
      const reference = at(here.value, '$ref');
      if (typeof reference !== 'string') return { kind: 'found', located: here };
      if (met.has(here.value)) return NOWHERE;
      met.add(here.value);
      const next = this.#resolve(reference, here.address, MOST_HOPS);
      if (next.kind !== 'found') return next;
      here = next.located;
    }
    return TOO_FAR;
  }

  /** What stands under these names, with the references on the way followed. */
  within(from: Located, ...names: readonly string[]): Followed {
    let here = this.follow(from);
    for (const name of names) {
      if (here.kind !== 'found') return here;
      const { address, value } = here.located;
      if (at(value, name) === undefined) return NOWHERE;
      here = this.follow({ address, value: at(value, name) });
    }
    return here;
  }

  /** The references of all documents that lead to no value: each dangling one, and each reason why one was not followed. */
  references(): { readonly dangling: ReadonlySet<string>; readonly unread: ReadonlySet<string> } {
    const dangling = new Set<string>();
    const unread = new Set<string>();
    for (const [address, value] of this.#values) {
      for (const reference of referencesIn(value)) {
        const followed = this.#resolve(reference, address, MOST_HOPS);
        if (followed.kind === 'nowhere') dangling.add(reference);
        if (followed.kind === 'unread') unread.add(followed.why);
      }
    }
    return { dangling, unread };
  }

  /** Every Path Item by its path, wherever it stands; undefined where it was not read. */
  items(): readonly PathItem[] {
    const { address, value } = this.root;
    this.#items ??= membersOf(at(value, 'paths')).map(([path, item]) => {
      const followed = this.follow({ address, value: item });
      return [path, followed.kind === 'found' ? followed.located : undefined] as const;
    });
    return this.#items;
  }

  /** The Path Items that stand elsewhere, by the path that refers to them. */
  itemsElsewhere(): readonly (readonly [path: string, item: unknown])[] {
    const paths = at(this.root.value, 'paths');
    return this.items().flatMap(([path, item]) =>
      item === undefined || at(at(paths, path), '$ref') === undefined ? [] : [[path, item.value] as const],
    );
  }

  #resolve(reference: string, base: string, hops: number): Followed {
    this.#work += reference.length + 1;
    if (hops === 0 || this.#work > MOST_WORK) return TOO_FAR;
    const target = targetOf(reference, base);
    const steps = target === undefined ? undefined : stepsOf(target.pointer);
    // A name of JSON Schema (`#name`) is not resolved here.
    if (target === undefined || steps === undefined)
      return {
        kind: 'unread',
        why: `the reference ${quoted(reference)} is not an address with a JSON Pointer`,
      };
    const { address } = target;
    if (!this.#values.has(address))
      return { kind: 'unread', why: this.#unread.get(address) ?? `${quoted(address)} was not read` };
    return this.#walk({ address, value: this.#values.get(address) }, steps, hops);
  }

  /** Follows a pointer; where it passes through another reference that one is followed first. */
  #walk(from: Located, steps: readonly string[], hops: number): Followed {
    let here = from;
    for (const step of steps) {
      const reference = at(here.value, '$ref');
      if (typeof reference === 'string' && at(here.value, step) === undefined) {
        const through = this.#resolve(reference, here.address, hops - 1);
        if (through.kind !== 'found') return through;
        here = through.located;
      }
      const value = at(here.value, step);
      if (value === undefined) return NOWHERE;
      here = { address: here.address, value };
    }
    return { kind: 'found', located: here };
  }
}

/** Where a document was read, as the base of the references in it; of a journal that does not say so, where it was looked for. */
function addressOf({ address, source }: PublishedDocument): string {
  if (address !== undefined) return address;
  if (/^https?:/i.test(source) && URL.canParse(source)) return new URL(source).href;
  return FILE_BASE + encodeURIComponent(source.replace(/^.*[\\/]/s, ''));
}

/** Schemas within `allOf` that are followed, at the most; no real description nests them so far. */
const MOST_PARTS = 50;

/** Keywords by which a value may have other fields than those that stand beside them. */
const ALTERNATIVES = ['oneOf', 'anyOf', 'not'] as const;

/**
 * Reads a schema with all that it takes over by references and `allOf`. Pure, and bounded for any nesting. `open`: a part
 * of it was not read or has alternatives, so that what is absent may be there.
 */
export function shapeOf(description: Description, schema: Located) {
  const types = new Set<string>();
  const properties = new Map<string, Located>();
  const required = new Set<string>();
  let [format, open, parts] = [undefined as string | undefined, false, 0];
  const left = [schema];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const followed = description.follow(next);
    parts += 1;
    if (followed.kind !== 'found' || parts > MOST_PARTS) {
      open = true;
      continue;
    }
    const { address, value } = followed.located;
    const type = at(value, 'type');
    for (const one of Array.isArray(type) ? type : [type]) if (typeof one === 'string') types.add(one);
    if (typeof at(value, 'format') === 'string') format = at(value, 'format') as string;
    open ||= ALTERNATIVES.some((keyword) => at(value, keyword) !== undefined);
    for (const [name, property] of membersOf(at(value, 'properties')))
      if (!properties.has(name)) properties.set(name, { address, value: property });
    for (const name of itemsOf(at(value, 'required'))) if (typeof name === 'string') required.add(name);
    for (const part of itemsOf(at(value, 'allOf')).slice(0, MOST_PARTS)) left.push({ address, value: part });
  }
  return { types, format, properties, required, open };
}
