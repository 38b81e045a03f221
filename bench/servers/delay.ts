import { connect, createServer, type Socket } from 'node:net';

/** A TCP relay that delays every byte in each direction, to simulate a network. */
const { PORT, TARGET_PORT, DELAY_MS } = process.env;
const delay = Number(DELAY_MS);

function relay(from: Socket, to: Socket): void {
  from.on('data', (bytes) => setTimeout(() => to.write(bytes), delay));
  from.on('close', () => setTimeout(() => to.destroy(), delay));
  from.on('error', () => to.destroy());
}

createServer({ noDelay: true }, (near) => {
  const far = connect({ port: Number(TARGET_PORT), host: '127.0.0.1', noDelay: true });
  relay(near, far);
  relay(far, near);
}).listen(Number(PORT), '127.0.0.1');
