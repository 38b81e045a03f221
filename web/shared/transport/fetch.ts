import { ApiError, parseError, UNREACHABLE } from './error.ts';

export const REQUEST_TIMEOUT_MS = 20_000;

interface Result<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** @throws ApiError unless the response is a success */
export async function readResponse<T>(pending: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await pending;
  if (!response.ok) throw parseError(response.status, error);
  return data as T;
}

/** Options of an infinite query for a list that our APIs return in pages. */
export const cursorPaging = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }: { readonly nextCursor: string | null }) => nextCursor ?? undefined,
};

/** @throws ApiError with the code `unreachable` if no response arrives in time */
export function fetchWithTimeout(request: Request): Promise<Response> {
  return fetchWithin(REQUEST_TIMEOUT_MS, request);
}

/** @throws ApiError with the code `unreachable` if no response arrives in time */
export async function fetchWithin(timeoutMs: number, request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeoutMs)]) });
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw new ApiError(UNREACHABLE);
  }
}

/**
 * Reads the signed-in user, or null. It does not use `createApi`, for which a 401 is an error.
 *
 * @throws ApiError
 */
export async function readSession<Session>(apiUrl: string): Promise<Session | null> {
  const response = await fetchWithTimeout(new Request(`${apiUrl}/session`));
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status === 401) return null;
  if (!response.ok) throw parseError(response.status, body);
  return body as Session;
}

/** Parses JSON. Returns undefined for other text, such as the error page of a proxy. */
export function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
