import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { api, type Schemas, send } from './transport/client.ts';

export type Key = Schemas['Key'];
export type KeyWithSecret = Schemas['KeyWithSecret'];

const PAGE_SIZE = 100;
/** An account has few keys that work, and some that did; operators may have given one owner thousands. */
const MAX_PAGES = 50;

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => {
    const read = (cursor?: string) =>
      answerOf(api.GET('/keys', { params: { query: { limit: PAGE_SIZE, cursor } }, signal }));
    const { nextCursor, ...first } = await read();
    const items = [...first.items];
    for (let cursor = nextCursor, page = 1; cursor !== null && page < MAX_PAGES; page++) {
      // oxlint-disable-next-line no-await-in-loop -- each page is asked for with the cursor of the one before
      const next = await read(cursor);
      items.push(...next.items);
      cursor = next.nextCursor;
    }
    return { ...first, items };
  },
});

export function createKey(name: string): Promise<KeyWithSecret> {
  return send<KeyWithSecret>({ method: 'POST', path: '/keys', body: { name } });
}

export function renameKey(id: string, name: string): Promise<Key> {
  return send<Key>({ method: 'PATCH', path: at(id), body: { name } });
}

export function rotateKey(id: string, graceSeconds: number): Promise<KeyWithSecret> {
  return send<KeyWithSecret>({ method: 'POST', path: `${at(id)}/rotate`, body: { graceSeconds } });
}

export function revokeKey(id: string): Promise<Key> {
  return send<Key>({ method: 'POST', path: `${at(id)}/revoke` });
}

function at(id: string): string {
  return `/keys/${encodeURIComponent(id)}`;
}
