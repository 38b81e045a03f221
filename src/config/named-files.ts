import { accessSync, constants, statSync } from 'node:fs';
import { Faults } from '../base/configuration-faults.ts';
import { StartError } from '../base/start-error.ts';
import { readPair } from '../base/tls/renewing-certificate.ts';
import type { Config } from './load.ts';

type Tls = Readonly<Record<string, string | undefined>>;

/**
 * Looks for the files that a configuration names besides documents and plans, as a start does when it opens them. Modules
 * are not run.
 *
 * @throws ConfigError listing each that cannot be used
 */
export function checkNamedFiles({ file, tls, admin, portal, upstreams }: Config): void {
  const faults = new Faults();
  const checkFile = (setting: string, path: string | undefined) => {
    const fault = path === undefined ? null : faultOf(path);
    if (fault !== null) faults.add(file, setting, fault);
  };
  const checkTls = (setting: string, { ca, cert, key }: Tls = {}) => {
    checkFile(`${setting}.ca`, ca);
    if (cert === undefined || key === undefined) return;
    try {
      readPair({ cert, key });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      faults.add(file, setting === 'tls' ? '' : `${setting}:`, error.message);
    }
  };
  checkTls('tls', tls);
  if (isOther(admin.tls, tls)) checkTls('admin.tls', admin.tls);
  if (portal.enabled) {
    if (isOther(portal.tls, tls)) checkTls('portal.tls', portal.tls);
    checkFile('portal.logo', portal.logo);
  }
  for (const [index, upstream] of upstreams.entries()) {
    if ('module' in upstream) checkFile(`upstreams[${index}].module`, upstream.module);
    else checkTls(`upstreams[${index}].tls`, upstream.tls);
  }
  faults.throwIfAny();
}

/** A listener without files of its own has those of all. */
function isOther(own: Tls | undefined, common: Tls | undefined): boolean {
  return own?.['cert'] !== common?.['cert'] || own?.['key'] !== common?.['key'];
}

function faultOf(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? null : `names ${path}, which is no file`;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return `names ${path}, which cannot be read (${code}): check the path and its permissions`;
  }
}
