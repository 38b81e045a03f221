import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { loadInThread } from '../../../src/config/openapi-thread.ts';
import { createPreview } from '../../../src/config/preview-thread.ts';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { RequestsPerMinute } from '../../../src/control-plane/portal/access/caller-limits.ts';
import { startGateway } from '../../../src/gateway.ts';

export const root = resolve(import.meta.dirname, '../../..');

export interface TestGateway {
  readonly url: string;
  readonly adminUrl: string;
  /** Empty unless `portal.enabled` is set. */
  readonly portalUrl: string;
  readonly adminToken: string;
  /** The secret of a key on the plan Free. */
  readonly demoKey: string;
  readonly dataDir: string;
  /** The log lines so far. */
  readonly logs: readonly string[];
  /** The parsed log lines of responses. */
  responses(): Record<string, unknown>[];
  /** Calls the public listener, with the demo key unless `key` is set. */
  call(path: string, init?: RequestInit & { key?: string | null }): Promise<Response>;
  admin(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

export interface TestGatewayOptions {
  /** Settings that replace those of the shipped configuration. */
  readonly settings?: Record<string, unknown>;
  readonly env?: Record<string, string>;
  readonly dataDir?: string;
  readonly clock?: () => number;
  readonly lastUsesFlushMs?: number;
  readonly portalRequestsPerMinute?: RequestsPerMinute;
}

/**
 * The interval at which the history is written. It is short, because tests read the history of calls that they have
 * just made.
 */
const HISTORY_FLUSH_MS = 100;

export const petstore = {
  name: 'petstore',
  openapi: join(root, 'config/petstore.openapi.yaml'),
  module: join(root, 'src/petstore/upstream.ts'),
  options: { database: 'petstore.db' },
};

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'tollgate-'));
}

/** Creates a configuration with free ports and its own data directory, which the caller must delete. */
export function testConfig(dataDir: string, { settings = {}, env = {} }: TestGatewayOptions = {}): Config {
  const file = join(dataDir, 'gateway.yaml');
  const base = {
    demo: true,
    plans: join(root, 'config/plans.yaml'),
    upstreams: [petstore],
    // Do not wait for idle connections of the test's client.
    drain: { deadline: '50ms' },
  };
  writeFileSync(file, stringify({ ...base, ...settings }));
  return loadTestConfig(dataDir, env);
}

/** Loads the configuration file in its current state. */
export function loadTestConfig(dataDir: string, env?: Record<string, string>): Config {
  return loadConfig(testEnvironment(dataDir, env), dataDir);
}

function testEnvironment(dataDir: string, env: Record<string, string> = {}) {
  return {
    TOLLGATE_CONFIG: join(dataDir, 'gateway.yaml'),
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_PORT: '0',
    TOLLGATE_ADMIN_PORT: '0',
    TOLLGATE_PORTAL_PORT: '0',
    ...env,
  };
}

/** Starts a gateway in this process. */
export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? temporaryFolder();
  const adminToken = 'test-admin-token-0123456789abcdef';
  const env = { TOLLGATE_ADMIN_TOKEN: adminToken, ...options.env };
  const config = testConfig(dataDir, { ...options, env });
  const logs: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logs.push(line) });
  const gateway = await startGateway(config, logger, {
    clock: options.clock,
    historyFlushMs: HISTORY_FLUSH_MS,
    lastUsesFlushMs: options.lastUsesFlushMs,
    portalRequestsPerMinute: options.portalRequestsPerMinute,
    loadConfig: (before) => loadInThread(testEnvironment(dataDir, env), dataDir, before),
    previewConfig: createPreview(testEnvironment(dataDir, env), dataDir),
  });
  const demoKey = gateway.demoKey ?? '';
  return {
    url: gateway.publicUrl,
    adminUrl: gateway.adminUrl,
    portalUrl: gateway.portalUrl ?? '',
    adminToken,
    demoKey,
    dataDir,
    logs,
    responses: () => logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'response'),
    call(path, { key = demoKey, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (key !== null && !headers.has('x-api-key')) headers.set('x-api-key', key);
      return fetch(gateway.publicUrl + path, { ...init, headers });
    },
    async admin(path, init = {}) {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${adminToken}`);
      if (init.body !== undefined) headers.set('content-type', 'application/json');
      const response = await fetch(gateway.adminUrl + path, { ...init, headers });
      if (IN_TEST && path.startsWith('/v1/') && isJsonResponse(response)) {
        await checkAgainstDocument(init.method ?? 'GET', path, response);
      }
      return response;
    },
    async stop() {
      await gateway.drain();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true });
    },
  };
}

/** False outside of Jest, where `expect` does not exist. `npm run screenshots` uses this file there. */
const IN_TEST = process.env['JEST_WORKER_ID'] !== undefined;

function isJsonResponse({ ok, headers }: Response): boolean {
  return ok && headers.get('content-type') === 'application/json';
}

/**
 * Checks a response against the admin API's document. The code is imported on demand, because most tests do not need
 * it.
 */
async function checkAgainstDocument(method: string, path: string, response: Response): Promise<void> {
  const { checkAdminResponse } = await import('./admin-responses.ts');
  const text = await response.clone().text();
  const { status, headers } = response;
  checkAdminResponse(method, path, { status, headers, text, body: text === '' ? undefined : JSON.parse(text) });
}
