import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../base/error-types.ts';
import { isSecure } from './http-server.ts';

export interface ListenerSettings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The environment variable that sets the port; named in the error if the port is taken. */
  readonly portVariable: string;
  /** Other processes may listen on the same port, if they say so too: the system deals connections out (Linux). */
  readonly reusePort?: boolean;
}

/**
 * @returns the URL it listens at
 * @throws StartError if it cannot listen there
 */
export async function listen(
  server: Server,
  { host, port, portVariable, reusePort = false }: ListenerSettings,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(startError(error, host, port, portVariable)));
    server.listen({ port, host, reusePort }, resolve);
  });
  return urlOf(server);
}

/** Where a server listens. */
export function urlOf(server: Server): string {
  const address = server.address() as AddressInfo;
  const anywhere = address.address === '0.0.0.0' || address.address === '::';
  const name = anywhere ? 'localhost' : address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${isSecure(server) ? 'https' : 'http'}://${name}:${address.port}`;
}

function startError(error: NodeJS.ErrnoException, host: string, port: number, variable: string): Error {
  const where = `${host}:${port}`;
  if (error.code === 'EADDRINUSE') {
    return new StartError(`${where} is taken by another process: stop it, or set ${variable} to another port`);
  }
  if (error.code === 'EACCES') {
    return new StartError(`${where} may not be listened on by this user: set ${variable} to a port above 1023`);
  }
  if (error.code === 'ENOTSUP') {
    return new StartError(`${where} cannot be shared on this system: edge.reusePort needs Linux 3.9 or newer`);
  }
  return new StartError(
    `cannot listen on ${where} (${error.message}): check ${variable} and ${variable.replace('PORT', 'HOST')}`,
  );
}
