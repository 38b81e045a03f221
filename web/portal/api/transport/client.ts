import { createApi } from '../../../shared/transport/api.ts';
import { type Change, sendTo } from '../../../shared/transport/change.ts';
import { fileAddress } from './root.ts';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];

/** The portal's API is below the path of the pages, and below the path prefix of a reverse proxy, if any. */
export const API_URL = fileAddress('api');

/** Reads from the portal's API, with the types of its OpenAPI document. The browser adds the session's cookie. */
export const api = createApi<paths>(API_URL);

/** @throws ApiError */
export function send<Content>(change: Change<Content>): Promise<Content> {
  return sendTo(API_URL, change);
}
