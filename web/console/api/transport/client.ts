import createClient from 'openapi-fetch';
import { type Change, sendTo } from '../../../shared/transport/change.ts';
import { fetchWithTimeout } from '../../../shared/transport/fetch.ts';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];

/** Where the admin API is: beside the console, below whatever prefix a reverse proxy adds. */
export const API_URL = new URL('../v1', document.baseURI).href;

/** Reads of the admin API, typed by its own document. The browser adds the session's cookie. */
export const api = createClient<paths>({ baseUrl: API_URL, fetch: fetchWithTimeout });

/** @throws ApiError */
export function send<Answer>(change: Change<Answer>): Promise<Answer> {
  return sendTo(API_URL, change);
}
