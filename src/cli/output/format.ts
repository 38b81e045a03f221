import type { Limits } from '../../base/limits.ts';
import type { LinkAnswer } from '../admin/answers.ts';
import type { Io } from '../io.ts';

/** RFC 3339 as people read it: `2026-11-21 09:30:00`, in UTC. */
export function time(text: string): string {
  return new Date(text).toISOString().slice(0, 19).replace('T', ' ');
}

export function day(text: string | null): string {
  return text === null ? 'never' : time(text).slice(0, 10);
}

export function limitsInWords({ minute, day: perDay }: Limits): string {
  return `${minute} a minute, ${perDay} a day`;
}

/** `1 key`, `2 keys`. */
export function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

export function tellLink(io: Io, { url, expiresAt }: LinkAnswer): void {
  io.out(`${url}\n\nIt signs in once, until ${time(expiresAt)} (UTC), whoever opens it.\n`);
}

/** Tells people that a list was cut short. */
export function tellOfMore(io: Io, { nextCursor }: { readonly nextCursor: string | null }): void {
  if (nextCursor !== null) io.err('There are more: see --limit and --all.\n');
}
