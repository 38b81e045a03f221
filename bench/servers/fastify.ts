import httpProxy from '@fastify/http-proxy';
import rateLimit from '@fastify/rate-limit';
import Fastify, { type FastifyRequest } from 'fastify';
import { Redis } from 'ioredis';
import { settings } from './settings.ts';

const redis = new Redis({ port: settings.redisPort });
const findConsumer = (request: FastifyRequest) => settings.consumers.get(String(request.headers['x-api-key']));

const app = Fastify({ logger: true });
app.addHook('onRequest', async (request, reply) => {
  if (findConsumer(request) === undefined) await reply.code(401).send();
});
// A route can have only one limit, and that limit sets the headers. The hook below checks the limit of the day.
await app.register(rateLimit, {
  redis,
  nameSpace: 'fastify:',
  max: settings.limits.minute,
  timeWindow: '1 minute',
  keyGenerator: (request) => findConsumer(request) ?? '',
});
const limitDay = app.createRateLimit({ max: settings.limits.day, timeWindow: '1 day' });
app.addHook('preHandler', async (request, reply) => {
  const result = await limitDay(request);
  if (!result.isAllowed && result.isExceeded) await reply.code(429).send();
});
await app.register(httpProxy, { upstream: settings.upstream });
await app.listen({ port: settings.port, host: '127.0.0.1' });
