/** The numbers in documents and messages equal those in the code. */
import { expect, test } from '@jest/globals';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { errors } from '../src/domain/error-codes.ts';
import { isObject, type JsonObject } from '../src/base/json.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../src/base/time.ts';
import { MAX_LOGO_BYTES } from '../src/config/logo.ts';
import { FAILED_ATTEMPTS } from '../src/control-plane/api-server/failed-attempts.ts';
import { MAX_BODY_BYTES } from '../src/control-plane/api-server/read-request.ts';
import {
  DEFAULT_LIMIT,
  readEndpointsDocument,
  MAX_LIMIT,
} from '../src/control-plane/gateway-endpoints/endpoint-handlers.ts';
import { MAX_POINTS, MAX_DEFAULT_INTERVALS } from '../src/control-plane/history/store/period.ts';
import { REFUSALS_KEPT_MS } from '../src/control-plane/history/store/retention.ts';
import { MAX_PER_SESSION } from '../src/control-plane/portal/try/running-calls.ts';
import { MAX_RESPONSE_BYTES, TIMEOUT_MS } from '../src/control-plane/portal/try/make-call.ts';
import { LINK_LIFETIME_MS } from '../src/control-plane/admin/access/console-sessions.ts';
import { MAX_IDLE_MS, LIFETIME_MS } from '../src/control-plane/sessions/session-store.ts';
import { GONE_AFTER_MS, GATEWAY_RETENTION_MS } from '../src/control-plane/system/heartbeat.ts';
import { DISABLE_AFTER_MS } from '../src/control-plane/webhooks/disable-gone-or-failing.ts';
import { RETRY_DELAYS } from '../src/control-plane/webhooks/retry-schedule.ts';
import { ATTEMPT_MS } from '../src/control-plane/webhooks/sender.ts';
import { readDocument } from './support/documents.ts';
import { root } from './support/gateway/gateway.ts';

const ADMIN = 'src/control-plane/admin/openapi';
const PORTAL = 'src/control-plane/portal/openapi';
const GATEWAY = 'src/control-plane/gateway-endpoints/gateway.openapi.yaml';

const seconds = (ms: number) => `${ms / SECOND_MS} seconds`;
const minutes = (ms: number) => `${ms / MINUTE_MS} minutes`;
const hours = (ms: number) => `${ms / HOUR_MS} hours`;
const days = (ms: number) => `${ms / DAY_MS} days`;

const operators = (...names: string[]) => names.map((name) => `docs/operators/${name}.md`);
const bothApis = (name: string) => [`${ADMIN}/${name}.yaml`, `${PORTAL}/${name}.yaml`];

const documented: [what: string, text: string, files: string[]][] = [
  [
    'how long refusals can be explained',
    hours(REFUSALS_KEPT_MS),
    [...bothApis('history'), GATEWAY, 'docs/consumers.md', ...operators('history', 'usage-and-history')],
  ],
  [
    'maximum points of a report',
    `${MAX_POINTS.toLocaleString('en')} points`,
    [...bothApis('history'), 'docs/consumers.md', ...operators('usage-and-history')],
  ],
  ['longest report by minute', `${MAX_DEFAULT_INTERVALS.minute / 60} hours`, bothApis('history')],
  ['longest report by hour', `hours up to ${MAX_DEFAULT_INTERVALS.hour / 24} days`, bothApis('history')],
  [
    'how long an unused session lasts',
    hours(MAX_IDLE_MS),
    [...bothApis('sessions'), 'docs/consumers.md', ...operators('console', 'portal')],
  ],
  ['how long a session lasts', days(LIFETIME_MS.link), ['docs/consumers.md', ...operators('console', 'portal')]],
  ['how long a session with OpenID Connect lasts', hours(LIFETIME_MS.oidc), operators('console', 'portal')],
  [
    'how long a sign-in link to the console works',
    minutes(LINK_LIFETIME_MS),
    [`${ADMIN}/sessions.yaml`, ...operators('console')],
  ],
  ['allowed failed attempts', `${FAILED_ATTEMPTS.limit} failed attempts`, operators('portal')],
  [
    'largest body of both APIs',
    `(${MAX_BODY_BYTES} bytes)`,
    [`${ADMIN}/admin.openapi.yaml`, `${PORTAL}/portal.openapi.yaml`],
  ],
  ['largest body of a tried call', `(${MAX_RESPONSE_BYTES} bytes)`, [`${PORTAL}/try.yaml`]],
  ['timeout of a tried call', seconds(TIMEOUT_MS), [`${PORTAL}/try.yaml`]],
  ['concurrent tried calls', `${MAX_PER_SESSION} calls`, [`${PORTAL}/try.yaml`]],
  ['how long gateways are listed', hours(GATEWAY_RETENTION_MS), [`${ADMIN}/system.yaml`]],
  ['when a gateway counts as gone', seconds(GONE_AFTER_MS), [`${ADMIN}/system.yaml`]],
  ['timeout of a webhook', seconds(ATTEMPT_MS), ['docs/consumers.md']],
  ['first retry of a webhook', seconds(RETRY_DELAYS[0] ?? 0), ['docs/consumers.md']],
  ['last retry of a webhook', hours(RETRY_DELAYS.at(-1) ?? 0), ['docs/consumers.md']],
  ['when a failing webhook is disabled', days(DISABLE_AFTER_MS), ['docs/consumers.md']],
  ['largest logo', `${MAX_LOGO_BYTES / 1024} KB`, ['config/gateway.yaml', ...operators('settings')]],
];

test.each(documented)('%s: %s', (_, text, files) => {
  const words = new RegExp(`(?<![\\d.,])${RegExp.escape(text)}`);
  expect(files.filter((file) => !words.test(readDocument(file).replaceAll(/\s+/g, ' ')))).toEqual([]);
});

test('the error for an unknown request says how long refusals can be explained', () => {
  expect(errors.request_not_found.message).toContain(hours(REFUSALS_KEPT_MS));
});

test('the limit parameter of the usage history has the default and maximum in the code', () => {
  const { parameters } = at(readEndpointsDocument(), 'paths', '/_gateway/usage/history', 'get');
  const limit = (parameters as JsonObject[]).find(({ name }) => name === 'limit');
  expect(limit?.['schema']).toEqual({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT });
});

test('the lifetime of a sign-in link matches the API document', () => {
  const document = parse(readDocument(`${ADMIN}/accounts.yaml`)) as JsonObject;
  const [schema] = schemasIn(document).filter(({ default: value, maximum }) => value === 900 && maximum !== undefined);
  const option = readDocument('src/cli/accounts.ts');
  const page = readDocument('docs/operators/accounts.md');
  const [defaultMs, maxMs] = [Number(schema?.['default']) * SECOND_MS, Number(schema?.['maximum']) * SECOND_MS];
  for (const text of [option, page]) {
    expect(text).toContain(minutes(defaultMs));
    expect(text).toContain(days(maxMs));
  }
});

test('a maximum in seconds matches the number of days in its description', () => {
  const files = globSync('src/control-plane/{admin,portal}/openapi/*.yaml', { cwd: root });
  const documents = files.map((file) => parse(readDocument(join(file))) as JsonObject);
  const described = documents.flatMap(schemasIn).flatMap(({ maximum, description }) => {
    const [, count] = /\b(\d+) days\b/.exec(String(description)) ?? [];
    return maximum === undefined || count === undefined
      ? []
      : [{ maximum, documentedSeconds: Number(count) * (DAY_MS / SECOND_MS) }];
  });
  expect(described.length).toBeGreaterThan(2);
  for (const { maximum, documentedSeconds } of described) expect(maximum).toBe(documentedSeconds);
});

function at(document: JsonObject, ...steps: string[]): JsonObject {
  return steps.reduce((value, step) => value[step] as JsonObject, document);
}

/** Collects all objects in a document, at any depth. */
function schemasIn(value: unknown): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap(schemasIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(schemasIn)] : [];
}
