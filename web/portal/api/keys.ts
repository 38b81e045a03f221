import { queryOptions } from '@tanstack/react-query';
import { readResponse } from '../../shared/transport/fetch.ts';
import type { KeyGrace } from '../../shared/ui/controls/grace-field.tsx';
import { api, type Schemas, sendRequest } from './transport/client.ts';

export type Key = Schemas['Key'];
export type KeyWithSecret = Schemas['KeyWithSecret'];

const PAGE_SIZE = 100;
/**
 * The maximum number of pages that are loaded. An account has few keys, but operators may have given one owner
 * thousands.
 */
const MAX_PAGES = 50;

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => {
    const read = (cursor?: string) =>
      readResponse(api.GET('/keys', { params: { query: { limit: PAGE_SIZE, cursor } }, signal }));
    const { nextCursor, ...first } = await read();
    const items = [...first.items];
    for (let cursor = nextCursor, page = 1; cursor !== null && page < MAX_PAGES; page++) {
      // oxlint-disable-next-line no-await-in-loop -- each page needs the cursor of the previous one
      const next = await read(cursor);
      items.push(...next.items);
      cursor = next.nextCursor;
    }
    return { ...first, items };
  },
});

export function createKey(name: string): Promise<KeyWithSecret> {
  return sendRequest<KeyWithSecret>({ method: 'POST', path: '/keys', body: { name } });
}

export function renameKey(id: string, name: string): Promise<Key> {
  return sendRequest<Key>({ method: 'PATCH', path: at(id), body: { name } });
}

/** @param addresses the addresses from which the key may be used; null allows all */
export function restrictKey(id: string, addresses: readonly string[] | null): Promise<Key> {
  return sendRequest<Key>({ method: 'PATCH', path: at(id), body: { addresses } });
}

export function rotateKey(id: string, grace: KeyGrace): Promise<KeyWithSecret> {
  return sendRequest<KeyWithSecret>({ method: 'POST', path: `${at(id)}/rotate`, body: grace });
}

/** @param withPredecessors true to also revoke the keys that this one replaced */
export function revokeKey(id: string, withPredecessors: boolean): Promise<Key> {
  return sendRequest<Key>({ method: 'POST', path: `${at(id)}/revoke${withPredecessors ? '' : '?predecessors=false'}` });
}

/** Creates a label that distinguishes keys with the same name. */
export function formatKeyLabel({ name, token, lastFour, rotatedTo }: Key): string {
  if (token !== null) return `${name} (access tokens)`;
  return `${name} (…${lastFour}${rotatedTo === null ? '' : ', old secret'})`;
}

/** True if calls with the key are served, unless it is banned or has reached a limit. */
export function isWorking({ status, expiresAt }: Key, now: number): boolean {
  return status === 'active' && (expiresAt === null || Date.parse(expiresAt) > now);
}

function at(id: string): string {
  return `/keys/${encodeURIComponent(id)}`;
}
