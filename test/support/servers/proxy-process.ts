import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { findOnPath } from './install-programs.js';

/** A proxy that runs as a separate process. */
export interface ProxyProcess {
  readonly url: string;
  stop(): Promise<void>;
}

/** Runs nginx or HAProxy with a configuration that listens on this port of 127.0.0.1. */
export async function runProxy(name: string, args: readonly string[], port: number): Promise<ProxyProcess> {
  const child = spawn(findOnPath(name) ?? name, args, { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await listens(port, () => {
    if (child.exitCode !== null) throw new Error(`${name} did not start: ${name} ${args.join(' ')}`);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Waits until something listens on the port.
 *
 * @param check throws if waiting is useless, because the process has ended
 */
async function listens(port: number, check: () => void): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    check();
    const socket = connect(port, '127.0.0.1');
    const connected = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing listens on port ${port}`);
}
