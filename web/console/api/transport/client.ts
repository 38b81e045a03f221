import { createApi } from '../../../shared/transport/api.ts';
import { type Change, sendChange } from '../../../shared/transport/change.ts';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];

/** The admin API is next to the console, below the path prefix of a reverse proxy, if any. */
export const API_URL = new URL('../v1', document.baseURI).href;

/** Reads from the admin API with the types of its OpenAPI document. The browser adds the session cookie. */
export const api = createApi<paths>(API_URL);

/** @throws ApiError */
export function sendRequest<Content>(change: Change<Content>): Promise<Content> {
  return sendChange(API_URL, change);
}
