import type { Logger } from 'pino';
import type { Config } from '../config/load.ts';
import { drainLimitMs } from '../config/sections/listener-settings.ts';
import type { LockWait } from '../storage/sqlite/sqlite-file.ts';

/** In a rolling restart, a gateway starts while the one before it drains. */
export function lockWait({ drain }: Pick<Config, 'drain'>, logger: Logger): LockWait {
  return { limitMs: drainLimitMs(drain), onWait: (message) => logger.warn(message) };
}
