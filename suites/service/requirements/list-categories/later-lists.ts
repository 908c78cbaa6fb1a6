import { firstFrom, groupedBy } from '../../../../kernel/exchanges/collections.ts';
import type { Creation } from '../../evidence/categories.ts';
import { callerOf } from '../../evidence/categories.ts';
import type { List } from '../../evidence/category-list.ts';
import { isPart } from '../../evidence/category-list.ts';

/** The lists that the caller of a creation requested after it was answered. */
export interface LaterLists {
  readonly hasAny: boolean;
  /** The last one that does not say that it is a part. */
  readonly lastComplete: List | undefined;
  /** Those with the id of the creation's 201, or with its name where the 201 shows no id; in the order of sending. */
  candidates(creation: Creation): readonly List[];
  /** The first one that does not say so and is none of these. */
  firstCompleteBesides(lists: ReadonlySet<List>): List | undefined;
  /** Those that say that they are a part. */
  parts(): readonly List[];
}

/**
 * Finds the later lists of any creation, by an index that is made once: a long journal has thousands of lists and of
 * creations, and comparing each with each takes minutes.
 * @param all in the order of sending.
 */
export function laterLists(all: readonly List[]): (creation: Creation) => LaterLists {
  const byCaller = groupedBy(all, ({ exchange }) => callerOf(exchange));
  const indexes = new Map([...byCaller].map(([caller, own]) => [caller, new ListIndex(own)]));
  const none = new ListIndex([]);
  return ({ exchange }) => (indexes.get(callerOf(exchange)) ?? none).after(exchange.received.mono);
}

/** The lists of one caller by what they hold. */
class ListIndex {
  readonly #all: readonly List[];
  readonly #complete: readonly number[];
  readonly #parts: readonly number[];
  readonly #byId: ReadonlyMap<string | undefined, readonly number[]>;
  readonly #byName: ReadonlyMap<unknown, readonly number[]>;

  constructor(all: readonly List[]) {
    this.#all = all;
    const parts = all.map(isPart);
    const positions = all.map((_, at) => at);
    this.#complete = positions.filter((at) => parts[at] === false);
    this.#parts = positions.filter((at) => parts[at] === true);
    this.#byId = positionsBy(all, ({ id }) => id);
    this.#byName = positionsBy(all, ({ name }) => name);
  }

  /** @param mono milliseconds on the clock of the run. */
  after(mono: number): LaterLists {
    const start = firstFrom(this.#all.length, (at) => (this.#all[at]?.exchange.sent.mono ?? mono) >= mono);
    const from = (positions: readonly number[]): readonly number[] =>
      positions.slice(firstFrom(positions.length, (at) => (positions[at] ?? start) >= start));
    const listsAt = (positions: readonly number[]): readonly List[] =>
      positions.flatMap((at) => this.#all[at] ?? []);
    const lastComplete = this.#complete.at(-1) ?? -1;
    return {
      hasAny: start < this.#all.length,
      lastComplete: lastComplete < start ? undefined : this.#all[lastComplete],
      candidates: ({ sent, seen }) => {
        const positions = seen?.id === undefined ? this.#byName.get(sent?.name) : this.#byId.get(seen.id);
        return listsAt(from(positions ?? []));
      },
      firstCompleteBesides: (lists) => {
        const first = firstFrom(this.#complete.length, (at) => (this.#complete[at] ?? start) >= start);
        for (let at = first; at < this.#complete.length; at += 1) {
          const list = this.#all[this.#complete[at] ?? -1];
          if (list !== undefined && !lists.has(list)) return list;
        }
        return undefined;
      },
      parts: () => listsAt(from(this.#parts)),
    };
  }
}

/** For each value of its items, the positions of the lists that hold it, in ascending order. */
function positionsBy<K>(
  all: readonly List[],
  keyOf: (item: List['contents']['items'][number]) => K,
): ReadonlyMap<K, readonly number[]> {
  const found = new Map<K, number[]>();
  for (const [at, { contents }] of all.entries()) {
    for (const item of contents.items) {
      const positions = found.get(keyOf(item));
      if (positions === undefined) found.set(keyOf(item), [at]);
      else if (positions.at(-1) !== at) positions.push(at);
    }
  }
  return found;
}
