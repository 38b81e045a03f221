/** Modules are foreign code, so a module that does not start or close in time must not block a reload or a stop. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { stringify } from 'yaml';
import { ServiceEvents } from '../../../src/control-plane/events/service-events.ts';
import type { Config } from '../../../src/config/config.ts';
import { Upstreams } from '../../../src/data-plane/upstreams/open-upstream.ts';
import { loadTestConfig } from '../../support/gateway/gateway.ts';
import { createDocument, createPlans } from '../../support/gateway/reloading-gateway.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MODULE = `
const recorded = globalThis.recordedByModules;
const never = new Promise(() => {});
export default {
  async create({ name, start, close }) {
    recorded.push(name + ' is created');
    if (start === 'late') await new Promise((resolve) => recorded.push(resolve));
    if (start === 'fails') throw new Error('its disk is full');
    return {
      handler() {},
      close: () => {
        recorded.push(name + ' is closed');
        if (close === 'never') return never;
        if (close === 'fails') throw new Error('its file is gone');
        if (close === 'late') return new Promise((resolve) => recorded.push(resolve));
      },
    };
  },
};`;
const recorded: (string | (() => void))[] = [];
Object.assign(globalThis, { recordedByModules: recorded });
/** The calls that were recorded, without the functions that end them. */
const calls = () => recorded.filter((each) => typeof each === 'string');

let folder: ReturnType<typeof tempFolder>;
let upstreams: Upstreams;
const lines: string[] = [];

beforeEach(() => {
  folder = tempFolder();
  recorded.length = 0;
  lines.length = 0;
  writeFileSync(join(folder.path, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder.path, 'module.js'), MODULE);
  writeFileSync(join(folder.path, 'plans.yaml'), stringify(createPlans({ minute: 1, day: 1 })));
  const logger = pino({}, { write: (line: string) => void lines.push(line) });
  // No events are published here, so no database is needed.
  const events = new ServiceEvents(null as never, [], Date.now);
  upstreams = new Upstreams({ dataDir: folder.path, demo: false }, events, logger);
});
afterEach(() => {
  jest.useRealTimers();
  folder.remove();
});

function createConfig(services: readonly { readonly name: string; start?: string; close?: string }[]): Config {
  const list = services.map((options) => {
    const { name } = options;
    writeFileSync(join(folder.path, `${name}.yaml`), stringify(createDocument({ [name]: {} })));
    return { name, openapi: `${name}.yaml`, module: 'module.js', options };
  });
  writeFileSync(join(folder.path, 'gateway.yaml'), stringify({ plans: 'plans.yaml', upstreams: list }));
  return loadTestConfig(folder.path);
}

const prepare = ({ live }: Config, withinMs?: number) => upstreams.prepare(live.upstreams, live.edge.maxBody, withinMs);

function fakeTimers(): void {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
}

/** Lets everything continue that does not wait for a timer, until the condition holds. */
async function turnsUntil(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise(setImmediate);
}

test('if a service does not start in time, the error names it and all services of that configuration are closed', async () => {
  fakeTimers();
  const prepared = prepare(createConfig([{ name: 'first' }, { name: 'second', start: 'late' }]), 20_000);
  const failed = expect(prepared).rejects.toThrow('upstream second did not start in time');
  await turnsUntil(() => recorded.length === 3);
  await jest.advanceTimersByTimeAsync(20_000);
  await failed;
  expect(calls()).toEqual(['first is created', 'second is created', 'first is closed']);
  (recorded[2] as () => void)();
  await turnsUntil(() => calls().includes('second is closed'));
});

test('a service that never closes does not hide the error of one that failed to start', async () => {
  fakeTimers();
  const services = [
    { name: 'first', close: 'never' },
    { name: 'second', start: 'fails' },
  ];
  const failed = expect(prepare(createConfig(services))).rejects.toThrow('upstream second: its disk is full');
  await turnsUntil(() => calls().includes('first is closed'));
  await jest.advanceTimersByTimeAsync(5000);
  await failed;
  expect(lines.join()).toContain('a removed upstream takes long to close');
});

test('a service that fails to close does not hide the error of one that failed to start', async () => {
  const services = [
    { name: 'first', close: 'fails' },
    { name: 'second', start: 'fails' },
  ];
  await expect(prepare(createConfig(services))).rejects.toThrow('upstream second: its disk is full');
  expect(lines.join()).toContain('its file is gone');
});

test('a stop waits for services that a reload is closing', async () => {
  await (await prepare(createConfig([{ name: 'first', close: 'late' }]))).use()();
  const close = (await prepare(createConfig([{ name: 'second' }]))).use();
  void close();
  await turnsUntil(() => recorded.includes('first is closed'));
  let stopped = false;
  const stopping = upstreams.close(0).then(() => (stopped = true));
  await turnsUntil(() => recorded.includes('second is closed'));
  for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
  expect(stopped).toBe(false);
  (recorded.find((each) => typeof each === 'function') as () => void)();
  await stopping;
  expect(calls().filter((each) => each === 'first is closed')).toHaveLength(1);
});

test('a service that finishes starting after the stop is closed', async () => {
  const prepared = prepare(createConfig([{ name: 'first', start: 'late' }]));
  const failed = expect(prepared).rejects.toThrow('the gateway is shutting down');
  await turnsUntil(() => recorded.length === 2);
  await upstreams.close(0);
  (recorded[1] as () => void)();
  await failed;
  expect(calls()).toEqual(['first is created', 'first is closed']);
});
