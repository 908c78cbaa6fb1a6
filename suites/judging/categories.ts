import type { Exchange } from '../model/exchange.ts';
import { answerOf, statusOf } from '../model/headers.ts';
import { creations, firstCreation } from '../probes/creations.ts';
import { documented } from './answers.ts';
import type { Evidence } from './evidence.ts';
import { fieldsOf, jsonOf, numberText } from './json.ts';
import type { Json } from './schemas.ts';
import { isJson } from './schemas.ts';

/** A category as it stood in an answer. */
export interface Seen {
  readonly exchange: Exchange;
  readonly json: Json;
  /** The id's JSON text, so that no digit is lost. */
  readonly id: string | undefined;
  readonly name: unknown;
  readonly description: unknown;
}

/** A creation that was accepted: what was sent and what came back. */
export interface Creation {
  readonly exchange: Exchange;
  readonly sent: { readonly name: string; readonly description: string | undefined };
  readonly seen: Seen | undefined;
}

/** A list that arrived whole. */
export interface List {
  readonly exchange: Exchange;
  readonly items: readonly Seen[];
}

/** Every 200 list of the run that is a JSON array. */
export function lists(evidence: Evidence): readonly List[] {
  return documented(evidence, 200)
    .filter((exchange) => exchange.request.method === 'GET')
    .flatMap((exchange) => {
      const json = jsonValue(exchange);
      if (json === undefined || !Array.isArray(json.value) || !Array.isArray(json.plain)) return [];
      const { plain } = json;
      return [{ exchange, items: json.value.map((value, i) => seen(exchange, { value, plain: plain[i] })) }];
    });
}

/**
 * Every creation that was answered 201 and whose name is this run's alone. The
 * creations that the specification leaves open are not among them: a service
 * may change what they send, and an earlier run may have left the same blank name.
 */
export function creationsSeen(evidence: Evidence): readonly Creation[] {
  return evidence
    .of(firstCreation, creations)
    .filter((exchange) => statusOf(exchange) === 201)
    .flatMap((exchange) => {
      const sent = sentCategory(exchange);
      if (sent === undefined) return [];
      const json = jsonValue(exchange);
      return [{ exchange, sent, seen: json === undefined ? undefined : seen(exchange, json) }];
    });
}

/** What every 201 to a creation showed, whether the specification shows the creation's shape or leaves it open. */
export function created(evidence: Evidence): readonly Seen[] {
  return documented(evidence, 201).flatMap((exchange) => {
    const json = jsonValue(exchange);
    return json === undefined ? [] : [seen(exchange, json)];
  });
}

/** The name and description that a creation sent; undefined where its body is not a plain NewCategory. */
function sentCategory(exchange: Exchange): Creation['sent'] | undefined {
  const body = exchange.request.body === null ? undefined : jsonOf(exchange.request.body);
  const fields = body !== undefined && isJson(body) ? fieldsOf(body.value) : undefined;
  const name = fields?.get('name');
  const description = fields?.get('description');
  if (typeof name !== 'string') return undefined;
  return { name, description: typeof description === 'string' ? description : undefined };
}

function seen(exchange: Exchange, json: Json): Seen {
  const fields = fieldsOf(json.value);
  return {
    exchange,
    json,
    id: numberText(fields?.get('id')),
    name: fields?.get('name'),
    description: fields?.get('description'),
  };
}

function jsonValue(exchange: Exchange): Json | undefined {
  const answer = answerOf(exchange);
  if (answer === undefined || answer.broken !== undefined) return undefined;
  const body = jsonOf(answer.body);
  return isJson(body) ? body : undefined;
}
