import { type OutgoingHttpHeaders, request } from 'node:http';

export const ADMIN_TOKEN = 'fuzz-admin-token-0123456789-0123456789';

export interface Called {
  readonly status: number;
  readonly text: string;
}

/** Calls the admin listener. */
export function callAdmin(port: number, method: string, path: string, body?: unknown): Promise<Called> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' };
  return call(port, method, path, headers, body === undefined ? undefined : JSON.stringify(body));
}

/** Calls a listener over a new connection, so that no connection stays open. */
export function call(
  port: number,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<Called> {
  return new Promise((resolve, reject) => {
    const calling = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    calling.on('error', reject).end(body);
  });
}
