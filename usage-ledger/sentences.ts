import type { Limits } from '../spec/plans.ts';
import type { Day, Refusal } from './day.ts';

/** What the ledger knows of a key's day, in a clause for people. `now` in milliseconds since the Unix epoch. */
export function dayText({ used, left, freeAt }: Day, { perDay }: Limits, now: number): string {
  const again = freeAt === undefined ? 'now' : momentText(freeAt, now);
  return `${number(used)} of ${number(perDay)} used within a day, as far as this machine knows; ${number(left)} left below nine tenths, all of it again ${again}`;
}

/** What a run asks for, and of whom. */
interface Asked {
  /** Begins the sentence: `The key`. */
  readonly whose: string;
  readonly requests: number;
  readonly limits: Limits;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The folder of the ledger, for whoever knows better. */
  readonly ledger: string;
}

/** Why a run of so many requests may not begin, and what to do. */
export function refusalText(limited: Refusal, { whose, requests, limits, now, ledger }: Asked): string {
  const { used, left } = limited.day;
  const wants = `this run would send ${number(requests)}`;
  switch (limited.kind) {
    case 'used up':
      return `${whose} has used ${number(used)} of its ${number(limits.perDay)} requests a day at this target, as the ledger in ${ledger} has it, ${number(left)} are left below nine tenths, and ${wants}: there is room for it ${momentText(limited.freeAt, now)}.`;
    case 'touched':
      return `${whose} has used ${number(used)} of its ${number(limits.perDay)} requests a day at this target, as the ledger in ${ledger} has it, and a run that spends a whole day needs an untouched one: there is one ${momentText(limited.freeAt, now)}.`;
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
