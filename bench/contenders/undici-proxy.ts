import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

/** The lowest cost that any HTTP proxy on Node can have. */
export const undiciProxy: Contender = {
  name: 'undici-proxy',
  title: 'bare undici proxy',
  differs: 'forwards and nothing else: no key, no limits, no log, no backpressure, no timeouts',
  start: (lab) => startNodeServer(lab, 'undici-proxy.ts'),
};
