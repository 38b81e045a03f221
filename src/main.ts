import { loadConfig } from './config/load.ts';
import { startGateway } from './gateway.ts';
import { createLogger } from './observability/logger.ts';
import { drainOnSignal } from './signals.ts';
import { StartError } from './start-error.ts';

/** Beyond the drain's own deadline, for what cannot be hurried, such as a write to a slow disk. */
const GRACE_MS = 2000;

/** Loads the configuration, starts the gateway, and drains it when it is told to stop. */
export async function main(): Promise<void> {
  try {
    const config = loadConfig(process.env, process.cwd());
    const logger = createLogger(config.logLevel);
    for (const warning of config.warnings) logger.warn(warning);
    const gateway = await startGateway(config, logger);
    // Before it says that it listens: whoever waits for that may answer with a signal at once.
    drainOnSignal(() => gateway.drain(), config.drain.lameDuck + config.drain.deadline + GRACE_MS, logger);
    if (gateway.demoKey !== null) showDemo(gateway.publicUrl, gateway.demoKey);
    logger.info({ publicUrl: gateway.publicUrl, adminUrl: gateway.adminUrl }, 'listening');
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

if (import.meta.main) await main();
