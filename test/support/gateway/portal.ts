import { expect } from '@jest/globals';
import { DOCUMENT_FILE, API_PATH_PREFIX } from '../../../src/control-plane/portal/portal-document.ts';
import { errors } from '../../../src/domain/error-codes.ts';
import type { ApiResponse } from './admin.ts';
import { createResponseChecker } from '../document-responses.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

const { document, check } = createResponseChecker(DOCUMENT_FILE, API_PATH_PREFIX);
export { document as portalDocument };

interface PortalSent {
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
}

/** The browser of a consumer on the portal. It keeps its cookie and sends `Origin` and `Sec-Fetch-Site`. */
export class PortalBrowser {
  cookie = '';
  readonly #url: string;

  constructor(url: string) {
    this.#url = url.replace(/\/$/, '');
  }

  get(path: string): Promise<ApiResponse> {
    return this.call('GET', path);
  }

  post(path: string, json: unknown): Promise<ApiResponse> {
    return this.call('POST', path, { json });
  }

  /** Checks every response against the API's OpenAPI document. */
  async call(method: string, path: string, { json, headers: more = {} }: PortalSent = {}): Promise<ApiResponse> {
    const response = await fetch(this.#url + path, {
      method,
      redirect: 'manual',
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(method === 'GET' || method === 'HEAD' ? {} : { Origin: new URL(this.#url).origin }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(this.cookie === '' ? {} : { Cookie: this.cookie }),
        ...more,
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
    const { status, headers } = response;
    const received: ApiResponse = { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
    if (status >= 400 && method !== 'HEAD') {
      expect(errors).toHaveProperty(received.body.code, expect.objectContaining({ status }));
    }
    if (path.startsWith(`${API_PATH_PREFIX}/`)) check(method, path, received);
    const [set] = headers.getSetCookie();
    if (set !== undefined) this.cookie = set.split(';', 1)[0] ?? '';
    return received;
  }
}

export type Portal = Awaited<ReturnType<typeof startPortal>>;

/** Starts a gateway with a portal, the pet store and the shipped plans. */
export async function startPortal(options: TestGatewayOptions = {}) {
  const { settings = {}, ...rest } = options;
  const portal = { enabled: true, requestablePlans: ['pro'], ...(settings['portal'] as object | undefined) };
  const gateway = await startTestGateway({ ...rest, settings: { ...settings, portal } });
  const admin = createAdmin(gateway);
  const browser = () => new PortalBrowser(gateway.portalUrl);

  return {
    gateway,
    admin,
    browser,
    /**
     * Creates an account.
     *
     * @returns the id of the account
     */
    async account(owner: string, more: object = {}): Promise<string> {
      const body = { owner, name: owner, email: null, plan: 'free', ...more };
      return (await admin('POST', '/v1/accounts', body)).id;
    },
    /**
     * Creates a single-use sign-in link.
     *
     * @returns the token of the link
     */
    async link(accountId: string): Promise<string> {
      const { url } = await admin('POST', `/v1/accounts/${accountId}/sign-in-link`, {});
      return url.split('#token=')[1];
    },
    async signInAs(accountId: string): Promise<PortalBrowser> {
      const one = browser();
      const received = await one.post('/api/session', { token: await this.link(accountId) });
      expect(received.status).toBe(201);
      return one;
    },
    async signInWith(key: string): Promise<PortalBrowser> {
      const one = browser();
      expect((await one.post('/api/session', { key })).status).toBe(201);
      return one;
    },
    stop: () => gateway.stop(),
  };
}

function createAdmin(gateway: TestGateway) {
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
  return async (method: string, path: string, json?: unknown): Promise<any> => {
    const response = await gateway.admin(path, {
      method,
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
}
