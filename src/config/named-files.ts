import { accessSync, constants, statSync } from 'node:fs';
import { Faults } from '../base/configuration-faults.ts';
import { StartError } from '../base/error-types.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import { readPair } from '../http/reloaded-certificate.ts';
import type { Environment } from './environment.ts';
import type { Config } from './config.ts';
import { loadConfig } from './load.ts';
import { readLogo } from './logo.ts';

interface TlsFiles {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * Like `loadConfig`, but also checks all other files that the configuration names. So `config check` and a reload
 * report the same errors as a start.
 *
 * @throws ConfigError
 */
export function loadWithNamedFiles(processEnv: Environment, cwd: string, known?: readonly UpstreamDocument[]): Config {
  const config = loadConfig(processEnv, cwd, known);
  checkNamedFiles(config);
  return config;
}

/**
 * Checks the files that a configuration names, except documents and plans, with the functions that a start uses.
 * Modules are not run.
 *
 * @throws ConfigError listing each file that cannot be used
 */
function checkNamedFiles({ fixed: { file, tls, admin, portal }, live: { upstreams } }: Config): void {
  const faults = new Faults();
  /** @returns whether the file can be read */
  const checkFile = (setting: string, path: string | undefined): boolean => {
    const fault = path === undefined ? null : findFault(path);
    if (fault !== null) faults.add(file, setting, fault);
    return fault === null;
  };
  const attempt = (setting: string, read: () => unknown) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      faults.add(file, setting, error.message);
    }
  };
  const checkTls = (setting: string, { ca, cert, key }: TlsFiles = {}) => {
    checkFile(`${setting}.ca`, ca);
    if (cert === undefined || key === undefined) return;
    attempt(setting === 'tls' ? '' : `${setting}:`, () => readPair({ cert, key }));
  };
  checkTls('tls', tls);
  if (hasOwnCertificate(admin.tls, tls)) checkTls('admin.tls', admin.tls);
  if (portal.enabled) {
    if (hasOwnCertificate(portal.tls, tls)) checkTls('portal.tls', portal.tls);
    const { logo } = portal;
    if (checkFile('portal.logo', logo) && logo !== undefined) attempt('', () => readLogo(logo));
  }
  for (const [index, { service }] of upstreams.entries()) {
    if ('module' in service) checkFile(`upstreams[${index}].module`, service.module);
    else checkTls(`upstreams[${index}].tls`, service.tls);
  }
  faults.throwIfAny();
}

/** Whether a listener has its own certificate. Otherwise, it uses the common one, which is checked once. */
function hasOwnCertificate(listenerTls: TlsFiles | undefined, commonTls: TlsFiles | undefined): boolean {
  return listenerTls?.cert !== commonTls?.cert || listenerTls?.key !== commonTls?.key;
}

function findFault(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile() ? null : `names ${path}, which is not a file`;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return `names ${path}, which cannot be read (${code}): check the path and its permissions`;
  }
}
