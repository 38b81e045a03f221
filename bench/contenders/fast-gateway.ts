import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

const differs = 'static key map; charges each window separately; no bans, no metrics, no access log';

export const fastGateway: Contender = {
  name: 'fast-gateway',
  title: 'fast-gateway 5, two rate-limiter-flexible on Redis',
  differs: `${differs}; runs with fast-proxy-lite 1.1.2, because the required 1.1.3 was not available`,
  redis: { command: 'eval', calls: 2 },
  start: (lab) => startNodeServer(lab, 'fast-gateway.ts', { PACKAGE: 'fast-gateway' }),
};

/** The newest version that can be installed exactly as published. */
export const fastGateway3: Contender = {
  name: 'fast-gateway-3',
  title: 'fast-gateway 3, two rate-limiter-flexible on Redis',
  differs,
  redis: { command: 'eval', calls: 2 },
  start: (lab) => startNodeServer(lab, 'fast-gateway.ts', { PACKAGE: 'fast-gateway-3' }),
};
