import Datastore from '@seald-io/nedb';
import { z } from 'zod';
import { Failure } from './errors.mjs';
import { is, sleep } from './settings.mjs';

const store = new Datastore();
if (is('names-unique-409', 'names-unique-400', 'unique-is-500'))
  store.ensureIndex({ fieldName: 'name', unique: true });
let last = 0;
let recent;

function nameRule() {
  let rule = is('name-coerced') ? z.coerce.string() : z.string();
  if (is('texts-trimmed')) rule = rule.trim();
  if (!is('name-may-be-empty')) rule = rule.min(1);
  if (is('names-of-3-to-40')) rule = rule.min(3).max(40);
  if (is('names-of-10-to-30')) rule = rule.min(10).max(30);
  if (is('names-of-words')) rule = rule.regex(/^[\p{L}\d][\p{L}\d -]*$/u);
  if (is('names-of-ascii-letters', 'descriptions-of-10-beside-letters')) rule = rule.regex(/^[a-z]{3,24}$/i);
  if (is('names-escaped')) rule = rule.transform((one) => one.replace(/</g, '&lt;'));
  if (is('names-in-lower-case')) rule = rule.toLowerCase();
  if (is('names-cut-to-40')) rule = rule.transform((one) => one.slice(0, 40));
  if (is('names-in-nfkc')) rule = rule.transform((one) => one.normalize('NFKC'));
  if (is('name-caught')) return rule.catch('unnamed');
  return is('name-defaulted') ? rule.default('unnamed') : rule;
}

function descriptionRule() {
  let rule = is('descriptions-of-100') ? z.string().max(100) : z.string();
  if (is('descriptions-of-10-beside-letters')) rule = z.string().min(10).max(60);
  if (is('texts-trimmed')) return rule.trim().optional();
  if (is('description-caught')) return rule.optional().catch(undefined);
  if (is('description-any')) return z.any().optional();
  if (is('description-nullable')) return rule.nullish();
  return is('description-required') ? rule : rule.optional();
}

const shape = { name: nameRule(), description: descriptionRule() };
const kept = is('unknown-fields-kept', 'body-spread-last') ? z.looseObject(shape) : z.object(shape);
const newCategory = is('unknown-fields-rejected') ? z.strictObject(shape) : kept;

/** Checks the body of a creation. */
export function checked(body) {
  const result = newCategory.safeParse(body);
  if (result.success) return result.data;
  const { issues } = result.error;
  const message = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
  throw Object.assign(new Failure(400, 'invalid_body', message), { issues });
}

async function nextId() {
  if (is('ids-of-53-bits')) return Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  if (is('ids-of-snowflakes')) return String((BigInt(Date.now()) << 22n) + BigInt(++last));
  if (is('ids-of-seconds')) return Math.floor(Date.now() / 1000);
  if (is('ids-by-count')) return (await store.countAsync({})) + 1;
  if (is('ids-by-greatest')) {
    const [greatest] = await store.findAsync({}).sort({ id: -1 }).limit(1);
    await sleep(3);
    return (greatest?.id ?? 0) + 1;
  }
  if (is('ids-negative')) return -(++last * 7919);
  last += 1;
  return last;
}

/** A category as the service shows it. */
export function shown({ id, _id, name, description, createdAt, ...rest }) {
  const category = { id: is('id-of-the-store') ? _id : id, name };
  if (is('ids-of-snowflakes')) category.id = BigInt(id);
  if (is('id-as-text')) category.id = String(id);
  if (description !== undefined) category.description = description;
  if (is('description-null') && description === undefined) category.description = null;
  if (is('description-undefined-text')) category.description = String(description);
  if (is('unknown-fields-kept')) Object.assign(category, rest);
  if (is('extra-fields'))
    Object.assign(category, { createdAt, updatedAt: createdAt, slug: null, _links: {} });
  if (!is('keys-reversed')) return category;
  return Object.fromEntries(Object.entries(category).reverse());
}

export async function create(body, caller) {
  const data = checked(body);
  if (data.description === null) delete data.description;
  const { name, description } = data;
  if (is('existing-returned')) {
    const found = await store.findOneAsync({ name });
    if (found) return found;
  }
  if (is('upserted-by-name')) {
    const found = await store.findOneAsync({ name });
    if (found) {
      await store.updateAsync({ _id: found._id }, { $set: { description } });
      return { ...found, description };
    }
  }
  const id = await nextId();
  const one = {
    ...(is('unknown-fields-kept') ? data : {}),
    id,
    name,
    description,
    caller,
    createdAt: new Date(),
  };
  if (is('body-spread-last')) Object.assign(one, data);
  const write = () =>
    store.insertAsync(one).catch((error) => {
      if (error.errorType !== 'uniqueViolated' || is('unique-is-500')) throw error;
      throw new Failure(is('names-unique-400') ? 400 : 409, 'name_exists', 'The name exists.');
    });
  if (is('written-later')) {
    setTimeout(write, 400);
    return one;
  }
  if (is('every-ninth-rolled-back') && last % 9 === 0) return one;
  const stored = await write();
  recent = is('recent-cache-kept') ? recent : undefined;
  return stored;
}

/** The list, and the address of its next page. */
export async function list({ query, caller }) {
  if (is('list-for-two-seconds', 'recent-cache-kept') && recent !== undefined) {
    if (is('recent-cache-kept') || Date.now() - recent.at < 2000) return recent;
  }
  let rows = await store.findAsync(is('lists-of-each-key') ? { caller } : {}).sort({ createdAt: 1 });
  if (is('newest-first')) rows = rows.reverse();
  if (is('list-without-description')) rows = rows.map(({ description, ...one }) => one);
  if (is('list-of-distinct-descriptions'))
    rows = [...new Map(rows.map((one) => [one.description ?? one.id, one])).values()];
  let next;
  if (is('pages-by-link', 'pages-unnamed')) {
    const page = Number(query.page ?? 1);
    if (page * 5 < rows.length && is('pages-by-link')) next = page + 1;
    rows = rows.slice((page - 1) * 5, page * 5);
  }
  if (is('list-of-ten')) rows = rows.slice(0, 10);
  recent = { rows: rows.map(shown), next, at: Date.now() };
  return recent;
}
