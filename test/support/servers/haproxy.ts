import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../temporary.ts';
import { freePort } from './nginx.ts';
import { type ProxyProcess, runProxy } from './proxy-process.ts';

/**
 * Starts HAProxy.
 *
 * @param sections returns its configuration except `global`, for a port and a folder for files
 */
export async function startHaproxy(sections: (port: number, folder: string) => string): Promise<ProxyProcess> {
  const folder = temporaryDirectory();
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  // One thread, so that requests that follow each other use the same connection to the gateway.
  writeFileSync(file, `global\n  nbthread 1\n  maxconn 512\n\n${sections(port, folder)}\n`);
  // It would otherwise leave a process in the background.
  return runProxy('haproxy', ['-db', '-f', file], port);
}
