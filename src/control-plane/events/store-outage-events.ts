import { hostname } from 'node:os';
import { createGatewayEvent } from './gateway-events.ts';
import type { Clock } from '../../base/time.ts';
import type { OutageListener } from '../../data-plane/boundary-types.ts';
import type { NewEvent } from './event.ts';

/**
 * Notes when the shared store becomes unreachable, and when it can be reached again. The events contain the host,
 * because there may be several gateways.
 */
export function createStoreOutageEvents(noteEvent: (event: NewEvent) => void, clock: Clock): OutageListener {
  const host = hostname();
  const createContext = (agoMs: number) => ({ subject: host, owner: null, at: Math.round(clock() - agoMs) });
  return {
    onDegraded: (reason, agoMs) =>
      noteEvent(createGatewayEvent('store.degraded', { host, reason }, createContext(agoMs))),
    onRecovered(degradedForMs, agoMs) {
      const data = { host, degradedForMs: Math.round(degradedForMs) };
      noteEvent(createGatewayEvent('store.recovered', data, createContext(agoMs)));
    },
  };
}
