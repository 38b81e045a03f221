import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { EventLoopBatch } from '../../src/base/event-loop-batch.ts';
import { DAY_MS, MINUTE_MS } from '../../src/base/time.ts';
import { banSettings, toBanPolicy } from '../../src/config/ban-settings.ts';
import { defineScripts } from '../../src/data-plane/admission/redis/redis-scripts.ts';
import { settings } from './settings.ts';

/** What a quota has used after a request, as in the reply of the script. */
interface Usage {
  readonly minuteStart: number;
  readonly minuteUsed: number;
  readonly dayUsed: number;
  /** The store's time, in ms since the Unix epoch. */
  readonly now: number;
}

type Done = (usage: Usage) => void;

const { limits } = settings;

/**
 * Charges a request. With Redis, one call of the gateway's own script decides all requests of a turn of the event loop, with the
 * same arguments. There is no timeout, no retry, no local decision during an outage, and no metric. Without Redis, two numbers
 * are increased.
 */
export const charge: (done: Done) => void = process.env['STORE'] === 'redis' ? chargeInRedis() : chargeInMemory();

function chargeInRedis(): (done: Done) => void {
  const client = new Redis({ port: settings.redisPort });
  const { admit } = defineScripts(client, toBanPolicy(banSettings.parse({})));
  const key = `floor-${process.pid}:q:{key_${'f'.repeat(20)}}`;
  const terms = `1 ${limits.minute} ${limits.day} 0`;
  const batch = new EventLoopBatch<Done>(async (waiting) => {
    const [, , text = ''] = await admit(
      waiting.length,
      ...waiting.map(() => key),
      Date.now() + 1000,
      ...waiting.map(() => terms),
    );
    for (const [index, reply] of text.split(';').entries()) {
      const [, now = 0, minuteStart = 0, minuteUsed = 0, dayUsed = 0] = reply.split(' ').map(Number);
      waiting[index]!({ now, minuteStart, minuteUsed, dayUsed });
    }
  });
  return (done) => batch.add(done);
}

function chargeInMemory(): (done: Done) => void {
  let [minuteStart, minuteUsed, dayUsed] = [0, 0, 0];
  return (done) => {
    const now = Date.now();
    if (now >= minuteStart + MINUTE_MS) [minuteStart, minuteUsed] = [now, 0];
    done({ now, minuteStart, minuteUsed: ++minuteUsed, dayUsed: ++dayUsed });
  };
}

/** Lists the header fields that the gateway adds to the benchmark's operation, as a flat list of names and values. */
export function listGatewayHeaders({ now, minuteStart, minuteUsed, dayUsed }: Usage): string[] {
  const [minuteLeft, dayLeft] = [limits.minute - minuteUsed, limits.day - dayUsed];
  const minuteSeconds = Math.ceil((minuteStart + MINUTE_MS - now) / 1000);
  const dayEnd = now - (now % DAY_MS) + DAY_MS;
  const daySeconds = Math.ceil((dayEnd - now) / 1000);
  return [
    'X-Request-Id',
    randomUUID(),
    'Deprecation',
    '@1793491200',
    'Sunset',
    'Fri, 31 Dec 2027 00:00:00 GMT',
    'Link',
    '</_gateway/openapi.json>; rel="deprecation", </pets?id=1>; rel="successor-version"',
    'X-RateLimit-Limit',
    String(limits.day),
    'X-RateLimit-Remaining',
    String(Math.min(minuteLeft, dayLeft)),
    'X-RateLimit-Reset',
    String(dayEnd / 1000),
    'RateLimit-Policy',
    `"minute";q=${limits.minute};w=60, "day";q=${limits.day};w=86400`,
    'RateLimit',
    `"minute";r=${minuteLeft};t=${minuteSeconds}, "day";r=${dayLeft};t=${daySeconds}`,
  ];
}

export const VARY = ['Vary', 'X-API-Key, Authorization'] as const;
