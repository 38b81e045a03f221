import type { Admin, ApiResponse, RequestOptions } from './admin.ts';
import { TOKEN } from './admin.ts';

export interface Browser {
  /** The value of the `Cookie` header. */
  readonly cookie: string;
  /** Sends a request in the same way as a page of the console. */
  call(method: string, path: string, sent?: RequestOptions): Promise<ApiResponse>;
  get(path: string): Promise<ApiResponse>;
}

/** The headers that a browser adds to requests from the console. */
export function sameOrigin(admin: Admin): Record<string, string> {
  return { Origin: admin.url, 'Sec-Fetch-Site': 'same-origin' };
}

/** Reads the cookie that a response sets, as a value for the `Cookie` header. */
export function readCookie(response: { readonly headers: Headers }): string {
  return response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
}

/** Signs in like a page of the console. */
export async function signIn(admin: Admin, token = TOKEN): Promise<Browser> {
  const response = await admin.call('POST', '/v1/session', {
    token: null,
    json: { token },
    headers: sameOrigin(admin),
  });
  if (response.status !== 201) throw new Error(`signing in was answered with ${response.status}: ${response.text}`);
  return createBrowser(admin, readCookie(response));
}

export function createBrowser(admin: Admin, cookie: string): Browser {
  const call = (method: string, path: string, sent: RequestOptions = {}) =>
    admin.call(method, path, {
      token: null,
      ...sent,
      headers: { Cookie: cookie, ...(method === 'GET' ? {} : sameOrigin(admin)), ...sent.headers },
    });
  return { cookie, call, get: (path) => call('GET', path) };
}
