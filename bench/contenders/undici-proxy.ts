import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

/** The floor for any HTTP proxy on Node. */
export const undiciProxy: Contender = {
  name: 'undici-proxy',
  title: 'bare undici proxy',
  differs: 'forwards and nothing else: no key, no limits, no log, no backpressure, no timeouts',
  start: (lab) => startNodeServer(lab, 'undici-proxy.ts'),
};
