import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

const differs = 'returns a fixed pet; no key, no limits, no log';

/** The cost of a service on Express before it does anything: the measure of all the others. */
export const bareExpress: Contender = {
  name: 'bare-express',
  title: 'bare Express',
  differs,
  start: (lab) => startNodeServer(lab, 'bare-express.ts'),
};

/** Express at its leanest, so that no ratio flatters. */
export const bareExpressLean: Contender = {
  name: 'bare-express-lean',
  title: 'bare Express, without ETag and `res.json`',
  differs,
  start: (lab) => startNodeServer(lab, 'bare-express-lean.ts'),
};

/** The cost of any service on Node that asks Redis once for each request. */
export const bareExpressPing: Contender = {
  name: 'bare-express-ping',
  title: 'bare Express, with a PING to Redis in each request',
  differs,
  redis: { command: 'ping', calls: 1 },
  start: (lab) => startNodeServer(lab, 'bare-express-ping.ts'),
};
