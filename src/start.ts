import { loadWithNamedFiles } from './config/named-files.ts';
import { loadInThread } from './config/openapi-thread.ts';
import { createPreview } from './config/preview-thread.ts';
import { tuneGarbageCollector } from './process/garbage-collector.ts';
import { findExamplePath } from './control-plane/registry/first-start.ts';
import type { Gateway } from './assembly/context.ts';
import { startGateway } from './gateway.ts';
import { openLog } from './telemetry/log/logger.ts';
import { reloadOnSighup, drainOnSignal, exitAfterLog } from './process/signals.ts';
import { StartError } from './base/error-types.ts';
import { MINUTE_MS } from './base/time.ts';
import { LINK_LIFETIME_MS } from './control-plane/admin/access/console-sessions.ts';
import { computeDrainLimitMs } from './config/drain-settings.ts';

/** Loads the configuration, starts the gateway, and drains it on a signal. */
export async function start(): Promise<void> {
  try {
    await startAndServe();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`tollgate: ${error.message}\n`);
    process.exitCode = 1;
  }
}

/** @throws StartError if the configuration cannot be used; after that, a StartError is printed and ends the process */
async function startAndServe(): Promise<void> {
  const folder = process.cwd();
  const config = loadWithNamedFiles(process.env, folder);
  const { fixed, live } = config;
  const { logger, output } = await openLog(live.logLevel);
  for (const warning of live.warnings) logger.warn({ warning }, 'configuration warning');
  let gateway: Gateway | undefined;
  // Handle signals before anything is opened, because a signal may arrive at any time, and the last lines must still
  // reach the log.
  drainOnSignal(async () => gateway?.drain(), computeDrainLimitMs(fixed.drain), logger);
  const allowReload = reloadOnSighup(logger);
  try {
    gateway = await startGateway(config, logger, {
      log: output,
      loadConfig: (before) => loadInThread(process.env, folder, before),
      previewConfig: createPreview(process.env, folder),
    });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`tollgate: ${error.message}\n`);
    // Exit explicitly, because a module may have left something running that would keep the process alive.
    return exitAfterLog(logger, 1);
  }
  const path = findExamplePath(live.upstreams.flatMap(({ document }) => document.operations));
  const exampleUrl = gateway.publicUrl + path;
  if (gateway.demoKey !== null) output.write(formatDemoText(exampleUrl, gateway.demoKey));
  else if (fixed.demo && gateway.isFirstStart) output.write(formatNextSteps(exampleUrl));
  if (gateway.demoKey !== null && gateway.portalPagesUrl !== null)
    output.write(formatPortalText(gateway.portalPagesUrl));
  if (gateway.consoleLink !== null) output.write(formatConsoleText(gateway.consoleLink));
  allowReload(gateway.reload);
  tuneGarbageCollector();
  const { publicUrl, adminUrl, portalUrl } = gateway;
  logger.info({ publicUrl, adminUrl, portalUrl: portalUrl ?? undefined }, 'listening');
}

/**
 * Formats the demo key for the terminal on the first start. The console link is the only other secret that is ever
 * printed.
 */
function formatDemoText(url: string, key: string): string {
  return `\nTry it:\n\n  curl -i -H 'X-API-Key: ${key}' ${url}\n\n`;
}

/** Formats what to do after the first start of a demo installation that other machines can reach, as in a container. */
function formatNextSteps(url: string): string {
  return `
Nobody can call the gateway yet: no demo key was created, because the log would show it. Create a key and use it:

  tollgate keys create --owner demo --name Demo --plan free
  curl -i -H 'X-API-Key: KEY' ${url}

In a container, run the first command with "docker exec CONTAINER", and publish the port with "docker run -p 8080:8080".
To serve your own API, write a gateway.yaml, and set TOLLGATE_CONFIG to its path.

`;
}

function formatPortalText(url: string): string {
  return `Open the portal, and sign in with that key:\n\n  ${url}\n\n`;
}

/** Formats the console link for the terminal. The link works only once, and only for a limited time. */
function formatConsoleText(link: string): string {
  return `\nOpen the console (the link signs in once, within ${LINK_LIFETIME_MS / MINUTE_MS} minutes; "tollgate console" creates another):\n\n  ${link}\n\n`;
}
