import { createApi } from '../../../shared/transport/api.ts';
import { type Change, sendTo } from '../../../shared/transport/change.ts';
import { fileAddress } from './root.ts';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];

/** The portal's API is below the pages, and below the prefix that a reverse proxy may add. */
export const API_URL = fileAddress('api');

/** Reads of the portal's API, typed by its own document. The browser adds the session's cookie. */
export const api = createApi<paths>(API_URL);

/** @throws ApiError */
export function send<Content>(change: Change<Content>): Promise<Content> {
  return sendTo(API_URL, change);
}
