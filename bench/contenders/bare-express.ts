import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

const differs = 'returns a fixed pet; no key, no limits, no log';

/** A service on Express that does nothing. All other contenders are compared with it. */
export const bareExpress: Contender = {
  name: 'bare-express',
  title: 'bare Express',
  differs,
  start: (lab) => startNodeServer(lab, 'bare-express.ts'),
};

/** The fastest way to use Express, so that no ratio looks better than it is. */
export const bareExpressLean: Contender = {
  name: 'bare-express-lean',
  title: 'bare Express, without ETag and `res.json`',
  differs,
  start: (lab) => startNodeServer(lab, 'bare-express-lean.ts'),
};

/** A service on Express that sends one command to Redis for each request. */
export const bareExpressPing: Contender = {
  name: 'bare-express-ping',
  title: 'bare Express, with a PING to Redis in each request',
  differs,
  redis: { command: 'ping', calls: 1 },
  start: (lab) => startNodeServer(lab, 'bare-express-ping.ts'),
};
