import type { Logger } from 'pino';
import { buildConnector } from 'undici';
import { readConfiguredFile } from '../../../base/configured-file.ts';
import { StartError } from '../../../base/error-types.ts';
import { targetNames } from '../../../base/host-names.ts';
import { Certificate, type KeyPair } from '../../../http/reloaded-certificate.ts';

/** Paths of the PEM files for TLS connections to targets. */
export interface TargetTls {
  /** The authorities that sign certificates of targets, instead of Node's own list. */
  readonly ca?: string | undefined;
  /** The gateway's client certificate and its key: both, or neither. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

interface TargetConnector {
  /** Opens the sockets of connections to targets with a URL. */
  readonly connect: buildConnector.connector;
  /** The client certificate in use; null without one. */
  readonly certificate: () => KeyPair | null;
  close(): void;
}

/**
 * TLS sessions are not cached, so that each connection has a full handshake. A connection that resumed an earlier session
 * would keep using the old certificates after they were replaced.
 *
 * @param timeoutMs time limit for connecting
 * @throws StartError if a file cannot be used
 */
export function createTargetConnector(
  timeoutMs: number,
  { ca, cert, key }: TargetTls,
  logger: Logger,
): TargetConnector {
  const { lookup } = targetNames;
  const authorities = ca === undefined ? {} : { ca: readAuthorities(ca) };
  const settings = { timeout: timeoutMs, allowH2: false, lookup, maxCachedSessions: 0, ...authorities };
  if (cert === undefined || key === undefined) {
    return { connect: buildConnector(settings), certificate: () => null, close: () => undefined };
  }
  const certificate = new Certificate({ cert, key }, logger);
  let connect = buildConnector({ ...settings, ...certificate.pair });
  certificate.onRenewed((pair) => {
    connect = buildConnector({ ...settings, ...pair });
  });
  return {
    connect: (options, done) => connect(options, done),
    certificate: () => certificate.pair,
    close: () => certificate.close(),
  };
}

/** Opens the sockets of connections to a Unix socket. */
export function createSocketConnector(socketPath: string, timeoutMs: number): buildConnector.connector {
  return buildConnector({ socketPath, timeout: timeoutMs, allowH2: false });
}

function readAuthorities(file: string): string {
  try {
    return readConfiguredFile(file);
  } catch (error) {
    throw new StartError(`tls: ${file} cannot be read (${(error as Error).message})`);
  }
}
