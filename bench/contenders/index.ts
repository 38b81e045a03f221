import { bareExpress, bareExpressLean } from './bare-express.ts';
import { bareHttp } from './bare-http.ts';
import { bannedEmbedded, bannedRedis } from './banned.ts';
import type { Contender } from './contender.ts';
import { fastGateway, fastGateway3 } from './fast-gateway.ts';
import { fastify } from './fastify.ts';
import { floorHttpEmbedded, floorHttpRedis, floorProxyEmbedded, floorProxyRedis } from './floors.ts';
import { haproxy } from './haproxy.ts';
import { httpUpstreamEmbedded, httpUpstreamRedis } from './http-upstream.ts';
import { inProcessEmbedded, inProcessRedis } from './in-process.ts';
import { listById, listPage } from './lists.ts';
import { nginxLua, nginxLuaFixed } from './nginx-lua.ts';
import { obvious } from './obvious.ts';
import { refusedEmbedded, refusedRedis } from './refused.ts';
import { undiciProxy } from './undici-proxy.ts';

/**
 * Groups of contenders that are measured in turn. While a contender is idle, V8 drops its compiled code, and caches
 * fill with data of the others. The groups are small, so that no contender is idle for long. Bare Express is in both
 * groups, and every ratio is taken within a round of one group.
 */
export const contenderGroups: readonly (readonly Contender[])[] = [
  [
    bareHttp,
    bareExpress,
    bareExpressLean,
    floorHttpEmbedded,
    floorHttpRedis,
    inProcessEmbedded,
    inProcessRedis,
    refusedEmbedded,
    refusedRedis,
    bannedEmbedded,
    bannedRedis,
    listById,
    listPage,
    nginxLua,
    nginxLuaFixed,
    haproxy,
  ],
  [
    bareExpress,
    undiciProxy,
    floorProxyEmbedded,
    floorProxyRedis,
    httpUpstreamEmbedded,
    httpUpstreamRedis,
    obvious,
    fastGateway,
    fastGateway3,
    fastify,
  ],
];

/** All contenders, in the order of the table. */
export const contenders: readonly Contender[] = [...new Set(contenderGroups.flat())];
