import { createServer, type AddressInfo } from 'node:net';

/** Returns a URL on which nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return `http://127.0.0.1:${port}`;
}
