import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

/** What a service on Express costs before it does anything: the measure of all the others. */
export const bareExpress: Contender = {
  name: 'bare-express',
  title: 'bare Express',
  differs: 'answers a fixed pet; no key, no limits, no log',
  start: (lab) => startNodeServer(lab, 'bare-express.ts'),
};
