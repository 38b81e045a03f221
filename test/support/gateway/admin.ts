import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { pino } from 'pino';
import { type AdminAppDependencies, createAdmin } from '../../../src/control-plane/admin/admin-app.ts';
import { Accounts } from '../../../src/control-plane/accounts/accounts.ts';
import { ConsoleSessions } from '../../../src/control-plane/admin/access/console-sessions.ts';
import { createEmbeddedStore } from '../../../src/data-plane/admission/embedded/embedded-store.ts';
import { errors } from '../../../src/domain/error-codes.ts';
import { createApiServer } from '../../../src/control-plane/api-server/server.ts';
import { listen } from '../../../src/http/http-server.ts';
import { openCounters } from '../../../src/storage/counters.ts';
import { openSqliteDatabase } from '../../../src/storage/sqlite.ts';
import { DocumentComparisons } from '../../../src/control-plane/documents/document-comparisons.ts';
import { Events } from '../../../src/control-plane/events/events.ts';
import { ServiceEvents } from '../../../src/control-plane/events/service-events.ts';
import { openSqliteHistory } from '../../../src/control-plane/history/sqlite/sqlite-history.ts';
import type { Retention } from '../../../src/control-plane/history/store/retention.ts';
import { Registry } from '../../../src/control-plane/registry/registry.ts';
import { checkAdminResponse } from './admin-responses.ts';
import { defaultPolicy } from '../models/admission-history.ts';
import { enterprise, free, pro } from '../registry-data.ts';
import { eventTypesOf } from '../services/event-types.ts';
import { tempFolder } from '../temp-folder.ts';
import { ARRIVED, createWebhooks } from '../webhooks/webhooks.ts';
import { degradedSystem } from './system.ts';
import { createUnknownEffects } from '../../../src/control-plane/system/reload-effects.ts';

export const TOKEN = 'an-admin-token-of-the-tests';
export const VIEWER = 'a-viewer-token-of-the-tests';
/** The token of a publisher for the upstream `pets`. */
export const PUBLISHER = 'a-publisher-token-of-the-tests';
export const NOW = Date.parse('2026-06-15T12:00:00Z');
export const PORTAL_URL = 'https://portal.example.com/';
const HOUR = 3_600_000;
const KEEP: Retention = { minutes: 48 * HOUR, hours: 90 * 24 * HOUR, days: 730 * 24 * HOUR };

/** The event types that services may publish. */
const eventSources = [
  { name: 'pets', eventTypes: eventTypesOf({ 'pet.created': { properties: { id: { type: 'integer' } } } }) },
  { name: 'mice', eventTypes: eventTypesOf({ 'mouse.created': {} }) },
];

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
  readonly body: any;
}

export interface RequestOptions {
  readonly json?: unknown;
  /** The body, which is sent unchanged. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  /** The token of the call. Null sends none. */
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

export type Admin = Awaited<ReturnType<typeof startAdmin>>;

/** Starts the admin API on a free port with a new SQLite database and the plans free, pro and enterprise. */
export async function startAdmin(over: Partial<AdminAppDependencies> = {}) {
  const folder = tempFolder();
  const database = await openSqliteDatabase(join(folder.path, 'tollgate.db'));
  const counters = await openCounters(join(folder.path, 'counters.db'));
  const history = await openSqliteHistory({
    file: join(folder.path, 'history.db'),
    recordsFile: join(folder.path, 'tollgate.db'),
    keep: KEEP,
  });
  const registry = new Registry(database);
  await registry.seedPlans([free, pro, enterprise], { actor: 'system', reason: null, at: NOW });
  const time = { now: NOW };
  const clock = () => time.now;
  const onError = (error: unknown) => {
    throw error;
  };
  const store = createEmbeddedStore({ database: counters, clock, policy: defaultPolicy, onError });
  const logs: string[] = [];
  const logger = pino({ level: 'trace' }, { write: (line: string) => void logs.push(line) });
  const accounts = new Accounts(database, logger);
  const events = new Events(database, logger);
  const sessions = new ConsoleSessions(database, logger);
  const outcome = { next: ARRIVED };
  const admin = createApiServer({
    section: 'admin',
    limits: { maxConnections: 2000 },
    isTrustedProxy: () => false,
    clock,
    logger,
  });
  const settings: AdminAppDependencies = {
    ...admin.listener,
    registry,
    store,
    history,
    historyRetention: KEEP,
    maxGraceMs: 30 * 86_400_000,
    tokens: [
      { name: 'ops', role: 'admin', secret: TOKEN },
      { name: 'board', role: 'viewer', secret: VIEWER },
      { name: 'pets', role: 'publisher', upstream: 'pets', secret: PUBLISHER },
    ],
    clientAddress: (req) => req.socket.remoteAddress ?? '',
    sessions,
    accounts,
    events,
    serviceEvents: new ServiceEvents(database, eventSources, clock),
    webhooks: createWebhooks(database, { sender: { send: async () => outcome.next } }),
    serviceWebhooks: { webhooks: {}, components: {} },
    portalUrl: () => PORTAL_URL,
    console: null,
    publicUrl: null,
    oidc: null,
    served: [],
    services: [],
    comparisons: new DocumentComparisons(),
    tokenIssuers: [],
    reportIssuers: () => [],
    defaultPlan: 'free',
    system: degradedSystem(database, NOW),
    previewReload: async () => createUnknownEffects('not read'),
    reload: async () => {
      return { changed: [], restart: [], warnings: [], effects: Promise.resolve(createUnknownEffects('not read')) };
    },
    publicListensAt: () => 'http://127.0.0.1:8080',
    health: () => 'ready',
    logger,
    clock,
    ...over,
  };
  admin.use(() => createAdmin(settings));
  const url = await listen(admin.server, { host: '127.0.0.1', port: 0, portVariable: '' });
  return {
    url,
    folder: folder.path,
    registry,
    accounts,
    events,
    sessions,
    store,
    history,
    database,
    time,
    /** The outcome of the next test delivery of a webhook. */
    outcome,
    logs,
    call: (method: string, path: string, sent?: RequestOptions) => callAdmin(url, method, path, sent),
    get: (path: string) => callAdmin(url, 'GET', path),
    post: (path: string, json: unknown) => callAdmin(url, 'POST', path, { json }),
    put: (path: string, json: unknown) => callAdmin(url, 'PUT', path, { json }),
    patch: (path: string, json: unknown) => callAdmin(url, 'PATCH', path, { json }),
    delete: (path: string, json?: unknown) => callAdmin(url, 'DELETE', path, { json }),
    /** Sends text unchanged over a new connection. Resolves to the status and the whole response. */
    raw: (text: string) => sendRaw(Number(new URL(url).port), text),
    async stop() {
      await admin.drain(0);
      await store.close();
      await history.close();
      await events.close();
      await database.close();
      counters.close();
      folder.remove();
    },
  };
}

/** Checks every response against the API's OpenAPI document. */
async function callAdmin(url: string, method: string, path: string, sent: RequestOptions = {}): Promise<ApiResponse> {
  const { json, raw, token = TOKEN } = sent;
  const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...sent.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type') === 'application/json' && text !== '';
  const { status, headers } = response;
  const received: ApiResponse = { status, headers, text, body: isJson ? JSON.parse(text) : undefined };
  expect(headers.get('cache-control')).toBe('no-store');
  if (status >= 400 && method !== 'HEAD') checkError(received);
  if (path.startsWith('/v1/')) checkAdminResponse(method, path, received);
  return received;
}

const WITH_DETAILS = ['validation_failed', 'document_invalid'];

function checkError({ status, body }: ApiResponse): void {
  const fields = ['code', 'message', 'status', ...(WITH_DETAILS.includes(body.code) ? ['details'] : [])];
  expect(Object.keys(body)).toEqual(fields);
  expect(errors).toHaveProperty(body.code, expect.objectContaining({ status }));
  expect(body.status).toBe(status);
}

/** Asserts an error and, for validation errors, the paths of its details. */
export function expectError(received: ApiResponse, status: number, code: string, ...paths: string[]): void {
  expect({ status: received.status, code: received.body?.code }).toEqual({ status, code });
  const actual = (received.body.details ?? []).map((detail: { path: string }) => detail.path);
  if (paths.length > 0) expect(actual).toEqual(paths);
}

function sendRaw(port: number, text: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve({ status: Number(received.split(' ')[1]), text: received }));
  });
}

/** Creates a webhook for all event types. `over` replaces fields. */
// oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a body is what it asserts
export async function makeWebhook(admin: Admin, over: object = {}): Promise<any> {
  return (await admin.post('/v1/webhooks', { url: 'https://hooks.example.com/in', types: ['*'], ...over })).body;
}
