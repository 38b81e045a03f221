import type { IncomingMessage, ServerResponse } from 'node:http';
import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { settings } from './settings.ts';

/**
 * Checks key and limits as most people do it with rate-limiter-flexible: one limiter for each window, called in
 * parallel. This has a flaw: a request that one window refuses is still charged to the other.
 */
export function createKeyAndLimits(prefix: string) {
  const storeClient = new Redis({ port: settings.redisPort });
  const { limits } = settings;
  const minute = new RateLimiterRedis({ storeClient, keyPrefix: `${prefix}:m`, points: limits.minute, duration: 60 });
  const day = new RateLimiterRedis({ storeClient, keyPrefix: `${prefix}:d`, points: limits.day, duration: 86_400 });

  return async (req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => unknown): Promise<void> => {
    const key = req.headers['x-api-key'];
    const consumer = typeof key === 'string' ? settings.consumers.get(key) : undefined;
    if (consumer === undefined) {
      res.statusCode = 401;
      res.end();
      return;
    }
    try {
      const [minuteResult, dayResult] = await Promise.all([minute.consume(consumer), day.consume(consumer)]);
      const [limit, tightest] =
        dayResult.remainingPoints < minuteResult.remainingPoints
          ? [limits.day, dayResult]
          : [limits.minute, minuteResult];
      setHeaders(res, limit, tightest);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) return void next(refused);
      setHeaders(res, limits.minute, refused);
      res.statusCode = 429;
      res.setHeader('Retry-After', Math.ceil(refused.msBeforeNext / 1000));
      res.end();
      return;
    }
    next();
  };
}

function setHeaders(res: ServerResponse, limit: number, { remainingPoints, msBeforeNext }: RateLimiterRes): void {
  res.setHeader('X-RateLimit-Limit', limit);
  res.setHeader('X-RateLimit-Remaining', remainingPoints);
  res.setHeader('X-RateLimit-Reset', Math.ceil((Date.now() + msBeforeNext) / 1000));
}
