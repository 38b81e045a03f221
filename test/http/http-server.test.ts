import { expect, test } from '@jest/globals';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../../src/http/http-server.ts';

test('servers share a port if all of them set reusePort, and the system distributes the connections', async () => {
  const served = [0, 0];
  const servers = served.map((_, index) =>
    createServer((_req, res) => {
      served[index] = (served[index] ?? 0) + 1;
      res.setHeader('Connection', 'close').end();
    }),
  );
  const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]];
  const at = { host: '127.0.0.1', portVariable: 'TOLLGATE_PORT', reusePort: true };
  try {
    const url = await listen(first, { ...at, port: 0 });
    const { port } = first.address() as AddressInfo;
    await expect(listen(createServer(), { ...at, port, reusePort: false })).rejects.toThrow(
      /is in use by another process/,
    );
    expect(await listen(second, { ...at, port })).toBe(url);
    for (let call = 0; call < 200; call++) {
      await new Promise((resolve, reject) =>
        get(url, (res) => res.resume().once('end', resolve)).once('error', reject),
      );
    }
    expect(served[0]).toBeGreaterThan(0);
    expect(served[1]).toBeGreaterThan(0);
  } finally {
    for (const server of servers) server.close();
  }
});
