import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { requireProgram } from '../program.ts';
import { temporaryDirectory } from '../temporary.ts';

export interface Nginx {
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * Starts nginx with one server.
 *
 * @param server returns the directives of its server for a port and a folder for files
 */
export async function startNginx(server: (port: number, folder: string) => string): Promise<Nginx> {
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
    http { access_log off; ${temporary} server { ${server(port, folder)} } }`,
  );
  return runNginx(folder, file, port);
}

/** Runs nginx with a configuration that listens on this port of 127.0.0.1. */
export async function runNginx(folder: string, file: string, port: number): Promise<Nginx> {
  const program = requireProgram('nginx');
  const child = spawn(program, ['-c', file, '-p', folder, '-e', join(folder, 'error.log')], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await listens(port, () => child.exitCode !== null);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listens(port: number, failed: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !failed(); attempt++) {
    const socket = connect(port, '127.0.0.1');
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('nginx did not start');
}
