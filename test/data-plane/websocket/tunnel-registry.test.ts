import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Socket } from 'node:net';
import { pino } from 'pino';
import { Tunnel } from '../../../src/data-plane/websocket/tunnel.ts';
import { TunnelRegistry } from '../../../src/data-plane/websocket/tunnel-registry.ts';

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

test('a WebSocket is closed within a second after its token expires, even if the client does not respond', () => {
  const tunnels = new TunnelRegistry({ maxPerKey: 1, idleMs: 300_000, logger: pino({ enabled: false }) });
  const socket = new Socket();
  let hasExpired = false;
  const permission = { isStillAllowed: () => Promise.resolve(true), isExpired: () => hasExpired };
  tunnels.add('corp:app', new Tunnel(socket, Buffer.alloc(0)), permission);
  jest.advanceTimersByTime(60_001);
  expect(socket.destroyed).toBe(false);
  hasExpired = true;
  // The deadline is a second. A quarter of it is left for a busy gateway.
  jest.advanceTimersByTime(750);
  expect(socket.destroyed).toBe(true);
});
