import { createServer, type AddressInfo, type Socket } from 'node:net';

/** The reaction to the head of a request: bytes to write (Latin-1), or a function to run. */
export type Script = string | ((socket: Socket, head: string) => void);

export interface RawService {
  readonly url: string;
  /** The heads of the received requests, in their order. */
  readonly heads: string[];
  /** The number of open connections, and of all connections so far. */
  readonly connections: { readonly open: number; readonly ever: number };
  /**
   * Plays a script for GET requests to the returned path, and for other requests that name the path in `X-Script`.
   *
   * @returns a path of the contract document
   */
  play(script: Script): string;
  close(): Promise<void>;
}

/** Starts a service that sends the bytes of a test unchanged, even if they are not valid HTTP. */
export async function startRawService(): Promise<RawService> {
  const scripts: Script[] = [];
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const connections = { open: 0, ever: 0 };
  const server = createServer((socket) => {
    sockets.add(socket);
    connections.open++;
    connections.ever++;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      connections.open--;
    });
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = text.slice(0, end);
      text = '';
      heads.push(head);
      const script = scripts[Number(/(?:^GET |^x-script: )\/echo\/(\d+)/im.exec(head)?.[1])];
      if (script === undefined) socket.destroy();
      else if (typeof script === 'string') socket.write(script, 'latin1');
      else script(socket, head);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heads,
    connections,
    play: (script) => `/echo/${scripts.push(script) - 1}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
