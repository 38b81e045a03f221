import { queryOptions } from '@tanstack/react-query';
import { answerOf } from '../../shared/transport/fetch.ts';
import { api, type Schemas, send } from './transport/client.ts';

export type Key = Schemas['Key'];
export type KeyWithSecret = Schemas['KeyWithSecret'];

/** An account has few keys that work, and some that did: those of the last pages are left out. */
const MAX_KEYS = 100;

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => answerOf(api.GET('/keys', { params: { query: { limit: MAX_KEYS } }, signal })),
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
