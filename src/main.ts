import { loadConfig } from './config/load.ts';
import { startGateway, type Gateway } from './gateway.ts';
import { createLogger } from './observability/logger.ts';
import { StartError } from './start-error.ts';

/** The same signal again within this time is the same signal: a terminal and npm may both pass it on. */
const SAME_SIGNAL_MS = 1000;
/** Beyond the drain's own deadline, for what cannot be hurried, such as a write to a full disk. */
const GRACE_MS = 2000;

/** Loads the configuration, starts the gateway, and drains it on SIGTERM or SIGINT. */
export async function main(): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    const logger = createLogger(config.logLevel);
    for (const warning of config.warnings) logger.warn(warning);
    const gateway = await startGateway(config, logger);
    if (gateway.demoKey !== null) showDemo(gateway.publicUrl, gateway.demoKey);
    logger.info({ publicUrl: gateway.publicUrl, adminUrl: gateway.adminUrl }, 'listening');
    drainOnSignal(gateway, config.drain.lameDuck + config.drain.deadline + GRACE_MS, logger);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`tollgate: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/** The one secret that is ever printed: a key for trying things, on the first start. */
function showDemo(publicUrl: string, key: string): void {
  process.stdout.write(`\nTry it:\n\n  curl -i -H 'X-API-Key: ${key}' ${publicUrl}/pets\n\n`);
}

function drainOnSignal(gateway: Gateway, deadline: number, logger: ReturnType<typeof createLogger>): void {
  let drainingSince: number | null = null;
  const exit = (code: number) => {
    logger.flush(() => process.exit(code));
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (drainingSince !== null) {
      if (performance.now() - drainingSince < SAME_SIGNAL_MS) return;
      logger.warn({ signal }, 'stopped before the drain was over');
      exit(1);
      return;
    }
    drainingSince = performance.now();
    logger.info({ signal }, 'draining');
    setTimeout(() => {
      logger.error('the drain took too long');
      exit(1);
    }, deadline).unref();
    gateway.drain().then(
      () => {
        logger.info('stopped');
        exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'the drain failed');
        exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

if (import.meta.main) await main();
