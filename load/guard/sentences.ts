import type { Limits } from '../../spec/plans.ts';
import type { Day, Refusal } from './day.ts';

/** What the ledger knows of a key's day, in a clause for people. `now` in milliseconds since the Unix epoch. */
export function dayText({ used, left, freeAt }: Day, { perDay }: Limits, now: number): string {
  const again = freeAt === undefined ? 'now' : momentText(freeAt, now);
  return `${number(used)} of ${number(perDay)} used within a day, as far as this machine knows; ${number(left)} left below nine tenths, all of it again ${again}`;
}

/** Why a run of so many requests may not begin, and what to do. `whose` begins the sentence: `The key`. */
export function refusalText(
  refusal: Refusal,
  { whose, requests, limits, now }: { whose: string; requests: number; limits: Limits; now: number },
): string {
  const { used, left } = refusal.day;
  const wants = `this run would send ${number(requests)}`;
  switch (refusal.kind) {
    case 'used up':
      return `${whose} has used ${number(used)} of its ${number(limits.perDay)} requests a day at this target, ${number(left)} are left below nine tenths, and ${wants}: there is room for it ${momentText(refusal.freeAt, now)}.`;
    case 'touched':
      return `${whose} has used ${number(used)} of its ${number(limits.perDay)} requests a day at this target, and a run that spends a whole day needs an untouched one: there is one ${momentText(refusal.freeAt, now)}.`;
    case 'never fits':
      return `${whose} may send ${number(limits.perDay)} requests a day, and ${wants}, more than nine tenths of them: add --spend-day if this key may be useless for a day, or give it a plan file with a short day.`;
  }
}

/** `in 3 h 12 min (2026-11-22 08:14 UTC)`. */
function momentText(at: number, now: number): string {
  const minutes = Math.ceil((at - now) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const span = hours === 0 ? `${rest} min` : `${hours} h ${rest} min`;
  return `in ${span} (${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC)`;
}

const number = (value: number): string => value.toLocaleString('en');
