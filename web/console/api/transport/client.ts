import createClient from 'openapi-fetch';
import { ApiError, errorOf, UNREACHABLE } from './error.ts';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];

/** Where the admin API is: beside the console, below whatever prefix a reverse proxy adds. */
export const API_URL = new URL('../v1', document.baseURI).href;

const REQUEST_TIMEOUT_MS = 20_000;

/** Reads of the admin API, typed by its own document. The browser adds the session's cookie. */
export const api = createClient<paths>({ baseUrl: API_URL, fetch: fetchWithTimeout });

interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws ApiError for every answer that is not a success */
export async function answerOf<T>(pending: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await pending;
  if (!response.ok) throw errorOf(response.status, error);
  return data as T;
}

/** @throws ApiError with the code `unreachable` if there is no answer in time */
export async function fetchWithTimeout(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) });
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError(UNREACHABLE);
  }
}
