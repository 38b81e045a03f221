import { writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../temporary.ts';
import { type ProxyProcess, runProxy } from './proxy-process.ts';

export type Nginx = ProxyProcess;

/**
 * Starts nginx.
 *
 * @param http returns the contents of the section `http`, for a port and a folder for files
 */
export async function startNginx(http: (port: number, folder: string) => string): Promise<Nginx> {
  const folder = temporaryDirectory();
  const port = await freePort();
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
    events { worker_connections 512; }
    http { access_log off; ${temporary} ${http(port, folder)} }`,
  );
  return runNginx(folder, file, port);
}

/** Runs nginx with a configuration that listens on this port of 127.0.0.1. */
export function runNginx(folder: string, file: string, port: number): Promise<Nginx> {
  return runProxy('nginx', ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], port);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
