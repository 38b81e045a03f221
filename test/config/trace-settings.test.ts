import { describe, expect, test } from '@jest/globals';
import { Faults } from '../../src/base/configuration-faults.ts';
import { readTraceSettings } from '../../src/config/trace-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

function read(env: Record<string, string>) {
  const faults = new Faults();
  return { settings: readTraceSettings(env, faults), faults: faults.lines };
}

test('setting an endpoint turns tracing on with the defaults of OpenTelemetry', () => {
  expect(read(ENDPOINT).settings).toEqual({
    url: 'http://collector:4318/v1/traces',
    protocol: 'http/protobuf',
    ratio: 1,
    isParentBased: true,
    maxQueued: 2048,
    maxBatch: 512,
    delayMs: 5000,
    exportTimeoutMs: 10_000,
  });
});

test.each<[string, Record<string, string>]>([
  ['without an endpoint', {}],
  ['with an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }],
  ['if the SDK is disabled', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
  ['if the exporter is none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  [
    'without an endpoint, and other variables are not checked',
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER_ARG: 'x' },
  ],
])('tracing is off %s', (_, env) => {
  expect(read(env)).toEqual({ settings: null, faults: [] });
});

test.each<[Record<string, string>, object]>([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c/otlp/' }, { url: 'https://c/otlp/v1/traces' }],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://c/spans' }, { url: 'https://c/spans' }],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' }, { protocol: 'http/json' }],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf' },
    { protocol: 'http/protobuf' },
  ],
  [{ OTEL_TRACES_SAMPLER_ARG: '0.01' }, { ratio: 0.01, isParentBased: true }],
  [
    { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.5' },
    { ratio: 0.5, isParentBased: false },
  ],
  [
    { OTEL_TRACES_SAMPLER: 'always_on', OTEL_TRACES_SAMPLER_ARG: '0.5' },
    { ratio: 1, isParentBased: false },
  ],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, { ratio: 0, isParentBased: false }],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, { ratio: 0, isParentBased: true }],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '100' }, { maxQueued: 100, maxBatch: 100 }],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: '2000' }, { exportTimeoutMs: 2000 }],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: '2000', OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: '3000' }, { exportTimeoutMs: 3000 }],
])('the variables %j change the settings as OpenTelemetry specifies', (env, expected) => {
  expect(read({ ...ENDPOINT, ...env })).toMatchObject({ settings: expected, faults: [] });
});

describe('an invalid value is rejected:', () => {
  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', /http/],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', /must be one of http\/protobuf, http\/json/],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', /must be one of parentbased_traceidratio/],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', /from 0 to 1/],
    ['OTEL_TRACES_SAMPLER_ARG', 'few', /from 0 to 1/],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', /greater than 0/],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', /greater than 0/],
    ['OTEL_TRACES_EXPORTER', 'zipkin', /otlp, none/],
  ])('%s=%s', (name, value, message) => {
    const { settings, faults } = read({ ...ENDPOINT, [name]: value });
    expect(settings).toBeNull();
    expect(faults).toEqual([expect.stringMatching(message)]);
    expect(faults[0]).toContain(name);
  });
});
