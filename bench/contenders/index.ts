import { bareExpress, bareExpressLean } from './bare-express.ts';
import { bareHttp } from './bare-http.ts';
import { bannedEmbedded, bannedRedis } from './banned.ts';
import type { Contender } from './contender.ts';
import { fastGateway, fastGateway3 } from './fast-gateway.ts';
import { fastify } from './fastify.ts';
import { haproxy } from './haproxy.ts';
import { httpUpstreamEmbedded, httpUpstreamRedis } from './http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from './in-process.ts';
import { nginxLua, nginxLuaFixed } from './nginx-lua.ts';
import { obvious } from './obvious.ts';
import { refusedEmbedded, refusedRedis } from './refused.ts';
import { undiciProxy } from './undici-proxy.ts';

/** All of them, in the order of the table. */
export const contenders: readonly Contender[] = [
  bareHttp,
  bareExpress,
  bareExpressLean,
  inProcessEmbedded,
  inProcessRedis,
  refusedEmbedded,
  refusedRedis,
  bannedEmbedded,
  bannedRedis,
  undiciProxy,
  httpUpstreamEmbedded,
  httpUpstreamRedis,
  obvious,
  fastGateway,
  fastGateway3,
  fastify,
  nginxLua,
  nginxLuaFixed,
  haproxy,
];
