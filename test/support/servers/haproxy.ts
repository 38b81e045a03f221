import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../temporary.ts';
import { freePort } from './nginx.ts';
import { type ProxyProcess, runProxy } from './proxy-process.ts';

/**
 * Starts HAProxy.
 *
 * @param sections returns the configuration except for `global`, for a port and a folder for files
 */
export async function startHaproxy(sections: (port: number, folder: string) => string): Promise<ProxyProcess> {
  const folder = temporaryDirectory();
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  // There is only one thread, so that successive requests use the same connection to the gateway.
  writeFileSync(file, `global\n  nbthread 1\n  maxconn 512\n\n${sections(port, folder)}\n`);
  // `-db` keeps HAProxy in the foreground, so that it ends with its process.
  return runProxy('haproxy', ['-db', '-f', file], port);
}
