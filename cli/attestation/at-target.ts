import { createdCategories } from '../../attestation/challenge.ts';
import type { JournalLine } from '../../suites/index.ts';
import { requestBounds } from '../../suites/inputs/bounds.ts';
import { COMMAND_LINE } from '../../suites/inputs/input-names.ts';
import { readTargetAccess } from '../../suites/inputs/target-access.ts';
import { systemClock } from '../../suites/wire/clock.ts';
import { HttpWire } from '../../suites/wire/http-wire.ts';
import { parsedJson } from '../../words/json.ts';
import { UserError } from '../../words/user-error.ts';

/** How many of the categories that a run created a target lists. */
export interface ListedAtTarget {
  readonly created: number;
  /** At least 1. */
  readonly listed: number;
}

/**
 * Asks the target for its list, with one request, and looks for what the journal says was created there. One of them
 * with its id and its name is enough: a list may come in pages.
 * @throws {UserError} where the list cannot be had or holds none of them.
 */
export async function listedAtTarget(
  lines: readonly JournalLine[],
  target: string,
  options: { readonly apiKeyEnv?: string; readonly ca?: string },
): Promise<ListedAtTarget> {
  const created = createdCategories(lines);
  const listed = new Set((await listOf(target, options)).map(fingerprint));
  const found = created.filter((category) => listed.has(fingerprint(category))).length;
  if (found > 0) return { created: created.length, listed: found };
  throw new UserError(
    `The target lists none of the ${created.length} categories that the journal shows as created: the run was made against another service, or its data were reset since.`,
  );
}

const fingerprint = ({ id, name }: { readonly id: unknown; readonly name: unknown }): string =>
  JSON.stringify([id, name]);

async function listOf(
  target: string,
  options: { readonly apiKeyEnv?: string; readonly ca?: string },
): Promise<readonly { readonly id: unknown; readonly name: unknown }[]> {
  const { baseUrl, keys, certificateAuthority, proxied } = readTargetAccess(
    target,
    options,
    COMMAND_LINE,
    process.env,
  );
  const wire = new HttpWire({
    baseUrl,
    clock: systemClock,
    ...requestBounds({ perMinute: 1, perDay: 1, minuteSeconds: 1, daySeconds: 1 }),
    proxied,
    ...(certificateAuthority === undefined ? {} : { ca: certificateAuthority }),
  });
  try {
    const reply = await wire.send({
      method: 'GET',
      path: '/categories',
      headers: [
        ['Host', baseUrl.host],
        ['Authorization', `Bearer ${keys.key}`],
        ['Accept', 'application/json'],
      ],
      body: null,
      route: 'new',
    });
    const status = reply.kind === 'answer' ? reply.status : reply.cause;
    const list: unknown =
      reply.kind === 'answer' && status === 200
        ? parsedJson(Buffer.from(reply.body).toString('utf8'))
        : undefined;
    if (Array.isArray(list)) return list.filter((one) => typeof one === 'object' && one !== null);
    throw new UserError(`The target could not be asked for its categories: GET /categories gave ${status}.`);
  } finally {
    await wire.closeConnections();
  }
}
