import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

/** The lowest cost that any server on Node can have. */
export const bareHttp: Contender = {
  name: 'bare-http',
  title: 'bare `node:http`',
  differs: 'returns a fixed pet; no key, no limits, no log',
  start: (lab) => startNodeServer(lab, 'bare-http.ts'),
};
