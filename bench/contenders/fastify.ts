import type { Contender } from './contender.ts';
import { startNodeServer } from './node-server.ts';

export const fastify: Contender = {
  name: 'fastify',
  title: '`@fastify/http-proxy`, `@fastify/rate-limit` on Redis',
  differs: 'static key map; charges one window after the other; no bans, no metrics; logs two lines',
  redis: { command: 'eval', calls: 2 },
  start: (lab) => startNodeServer(lab, 'fastify.ts'),
};
