import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { temporaryDirectory } from '../temporary.ts';
import { startTestGateway, type TestGateway, type TestGatewayOptions } from './gateway.ts';

interface JsonResponse {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
  readonly body: any;
}

/** A gateway whose configuration a test can rewrite and reload. */
export interface ReloadingGateway extends TestGateway {
  /**
   * Writes a file to the configuration's folder.
   *
   * @returns the path of the file
   */
  write(name: string, content: object | string): string;
  /** Writes the configuration file with these settings. */
  configure(settings: Record<string, unknown>): void;
  reload(): Promise<JsonResponse>;
  ask(method: string, path: string, token?: string): Promise<JsonResponse>;
}

export const ADMIN_TOKEN = 'test-admin-token-0123456789abcdef';

/**
 * Starts a gateway whose configuration can be reloaded.
 *
 * @param begin writes the initial files and returns the initial settings
 */
export async function startReloadingGateway(
  begin: (
    write: ReloadingGateway['write'],
  ) => Pick<TestGatewayOptions, 'settings' | 'env' | 'clock' | 'portalRequestsPerMinute'>,
): Promise<ReloadingGateway> {
  const dataDir = temporaryDirectory();
  const write = (name: string, content: object | string) => {
    const file = join(dataDir, name);
    writeFileSync(file, typeof content === 'string' ? content : stringify(content));
    return file;
  };
  const base = { demo: true, drain: { deadline: '50ms' } };
  const gateway = await startTestGateway({ dataDir, ...begin(write) });
  const ask = async (method: string, path: string, token = ADMIN_TOKEN): Promise<JsonResponse> => {
    const response = await fetch(`${gateway.adminUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return {
    ...gateway,
    write,
    configure: (settings) => void write('gateway.yaml', { ...base, ...settings }),
    reload: () => ask('POST', '/v1/config/reload'),
    ask,
  };
}

/** Creates an OpenAPI document with a GET operation for each entry. */
export function createDocument(operations: Record<string, object>): object {
  const paths = Object.fromEntries(
    Object.entries(operations).map(([name, more]) => [
      `/${name}`,
      { get: { operationId: name, ...more, responses: { 200: { description: 'it is there' } } } },
    ]),
  );
  return { openapi: '3.1.0', info: { title: 'A service', version: '1' }, paths };
}

export function createPlans(limits: { readonly minute: number; readonly day: number }): object {
  return { plans: [{ id: 'free', name: 'Free', limits }] };
}
