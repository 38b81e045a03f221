import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { buildConnector } from 'undici';
import { StartError } from '../../../../base/error-types.ts';
import { Certificate } from '../../../../http/certificate.ts';
import { TargetNames } from './target-names.ts';

/** How targets know this gateway, and this gateway them. Files in PEM. */
export interface TargetTls {
  /** The authorities that may vouch for targets, in place of those that Node knows. */
  readonly ca?: string | undefined;
  /** What the gateway shows to them; both or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

export interface TargetConnector {
  /** Opens the sockets of connections to targets. */
  readonly connect: buildConnector.connector;
  close(): void;
}

/** Those of all upstreams, as the threads that find them are the whole process'. */
const names = new TargetNames();

/**
 * @param timeoutMs for a connection to be made
 * @throws StartError if a file cannot be used
 */
export function createTargetConnector(
  timeoutMs: number,
  { ca, cert, key }: TargetTls,
  logger: Logger,
): TargetConnector {
  const { lookup } = names;
  const authorities = ca === undefined ? {} : { ca: readAuthorities(ca) };
  const settings = { timeout: timeoutMs, allowH2: false, lookup, ...authorities };
  if (cert === undefined || key === undefined) return { connect: buildConnector(settings), close: () => undefined };
  const certificate = new Certificate({ cert, key }, logger);
  let connect = buildConnector({ ...settings, ...certificate.pair });
  certificate.onRenewed((pair) => {
    connect = buildConnector({ ...settings, ...pair });
  });
  return { connect: (options, done) => connect(options, done), close: () => certificate.close() };
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartError(`tls: ${file} cannot be read (${(error as Error).message})`);
  }
}
