import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { petstore, root, startTestGateway } from '../../support/gateway/gateway.ts';
import { contractTarget } from '../../support/gateway/gateway-with-upstreams.ts';
import { TestAuthority } from '../../support/servers/certificates.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { callWithToken } from '../../support/gateway/token-gateway.ts';
import { createIssuerKey, signToken, startTokenIssuer } from '../../support/servers/token-issuer.ts';

/**
 * Metrics that the dashboard does not show, because they are redundant, or useful only when someone searches for a
 * leak.
 */
const ABSENT = [
  'process_cpu_user_seconds_total',
  'process_cpu_system_seconds_total',
  'process_virtual_memory_bytes',
  'process_heap_bytes',
  'process_max_fds',
  'nodejs_eventloop_lag_seconds',
  'nodejs_eventloop_lag_min_seconds',
  'nodejs_eventloop_lag_max_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
  'nodejs_eventloop_lag_p50_seconds',
  'nodejs_eventloop_lag_p90_seconds',
  'nodejs_active_resources',
  'nodejs_active_resources_total',
  'nodejs_active_handles',
  'nodejs_active_handles_total',
  'nodejs_active_requests',
  'nodejs_active_requests_total',
  'nodejs_heap_size_total_bytes',
  'nodejs_external_memory_bytes',
  'nodejs_heap_space_size_total_bytes',
  'nodejs_heap_space_size_used_bytes',
  'nodejs_heap_space_size_available_bytes',
  'nodejs_version_info',
];

/** Gauges that have an age as their value. All other durations are histograms. */
const AGES = ['tollgate_history_lag_seconds', 'tollgate_token_keys_age_seconds', 'tollgate_webhook_lag_seconds'];
/** Gauges that have a point in time as their value. */
const TIMES = ['tollgate_certificate_expiry_seconds'];

interface Described {
  readonly type: string;
  /** The labels of the metric's samples, except `le`. */
  readonly labels: ReadonlySet<string>;
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const dashboard = JSON.parse(read('ops/grafana-dashboard.json')) as {
  panels: { id: number; targets?: { expr: string }[] }[];
};
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const alerts = parse(read('ops/prometheus-alerts.yaml')) as { groups: { rules: Rule[] }[] };
const rules = alerts.groups.flatMap(({ rules }) => rules);

let exposed: Map<string, Described>;
let reasons: Set<string>;
beforeAll(async () => {
  const portal = { enabled: true, tls: new TestAuthority(temporaryDirectory()).issue('portal') };
  // The target does not exist, but nothing calls it.
  const upstreams = [{ ...petstore, validation: 'report' }, contractTarget('http://127.0.0.1:9')];
  const key = createIssuerKey('ES256', 'one');
  const issuer = await startTokenIssuer([key.jwk]);
  const tokens = [{ name: 'corp', issuer: issuer.url, audience: ['api'] }];
  const gateway = await startTestGateway({ settings: { portal, upstreams, tokens } });
  const token = signToken(key, { alg: key.alg, kid: 'one' }, { iss: issuer.url });
  await callWithToken(gateway, token);
  for (const [path, sent] of [
    ['/pets'],
    ['/pets?limit=many'],
    ['/nowhere'],
    ['/pets', null],
    ['/_gateway/usage'],
  ] as const) {
    await gateway.call(path, sent === undefined ? {} : { key: sent });
  }
  const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
  await gateway.stop();
  issuer.stop();
  exposed = describeExposition(text);
  reasons = new Set(Array.from(text.matchAll(/reason="(\w+)"/g), ([, reason]) => reason ?? ''));
});

function describeExposition(text: string): Map<string, Described> {
  const described = new Map<string, { type: string; labels: Set<string> }>();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    described.set(name, { type, labels: new Set() });
  }
  for (const [, sample = '', labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const metric = described.get(sample) ?? described.get(findBaseName(sample));
    expect([sample, metric]).not.toEqual([sample, undefined]);
    for (const [, label = ''] of labels.matchAll(/(\w+)="?/g)) if (/^[a-z]+$/.test(label)) metric?.labels.add(label);
  }
  return described;
}

function findBaseName(sample: string): string {
  return sample.replace(/_(?:bucket|sum|count)$/, '');
}

/** Finds the metrics in an expression. The suffixes of histograms are removed. */
function namesIn(expr: string): string[] {
  const names = expr.match(/\b(?:tollgate|process|nodejs)_\w+/g) ?? [];
  return names.map((name) => (exposed.has(name) ? name : findBaseName(name)));
}

test('the dashboard and the alerts use only existing metrics', () => {
  for (const expr of [...shown, ...rules.map(({ expr }) => expr)]) {
    for (const name of namesIn(expr)) expect([...exposed.keys()]).toContain(name);
  }
});

test('the dashboard shows every metric, except those omitted on purpose', () => {
  const onDashboard = new Set(shown.flatMap(namesIn));
  const missing = [...exposed.keys()].filter((name) => !onDashboard.has(name) && !ABSENT.includes(name));
  expect(missing).toEqual([]);
  expect(ABSENT.filter((name) => onDashboard.has(name))).toEqual([]);
});

test("the dashboard's panels have unique ids", () => {
  const ids = dashboard.panels.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('an alert', () => {
  test.each(rules)('$alert has a duration, a severity, a summary and a runbook', (rule) => {
    expect(rule.for).toMatch(/^\d+m$/);
    expect(['critical', 'warning', 'info']).toContain(rule.labels.severity);
    expect(rule.annotations.summary).not.toBe('');
    expect(rule.annotations.runbook.length).toBeGreaterThan(40);
  });

  test('on a refusal reason uses an existing reason', () => {
    for (const { expr } of rules) {
      for (const [, reason = ''] of expr.matchAll(/reason="(\w+)"/g)) expect(reasons).toContain(reason);
    }
  });
});

test('the documented table of metrics matches the names, types and labels of the exposed metrics', () => {
  const rows = Array.from(read('docs/operators/metrics.md').matchAll(/^\| `(tollgate_\w+)` *\| (\w+) *\| ([^|]*)\|/gm));
  const documented = rows.map(([, name = '', type = '', labels = '']) => [name, type, labels.match(/\w+/g) ?? []]);
  const own = [...exposed].filter(([name]) => name.startsWith('tollgate_'));
  const inCode = own.map(([name, { type, labels }]) => [name, type, [...labels].filter((label) => label !== 'le')]);
  expect(new Map(documented.map((row) => [row[0], row]))).toEqual(new Map(inCode.map((row) => [row[0], row])));
  expect(documented).toHaveLength(own.length);
});

test('names follow the Prometheus conventions, with seconds as unit and _total on counters only', () => {
  for (const [name, { type }] of exposed) {
    if (!name.startsWith('tollgate_')) continue;
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
    expect([name, name.endsWith('_seconds')]).toEqual([
      name,
      type === 'histogram' || [...AGES, ...TIMES].includes(name),
    ]);
  }
});
