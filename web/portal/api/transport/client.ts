import { createApi } from '../../../shared/transport/api.ts';
import { type Change, sendChange } from '../../../shared/transport/change.ts';
import { fileAddress } from './root.ts';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];

/**
 * The URL of the portal's API, which is below the URL of the pages. It includes the path prefix of a reverse proxy, if
 * there is one.
 */
export const API_URL = fileAddress('api');

/** The client that reads from the portal's API. The browser adds the session's cookie to its requests. */
export const api = createApi<paths>(API_URL);

/** @throws ApiError */
export function sendRequest<Content>(change: Change<Content>): Promise<Content> {
  return sendChange(API_URL, change);
}
