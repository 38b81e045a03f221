/** Targets can be Unix sockets. The suite in `test/contract/upstream.contract.ts` also runs against one. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestGateway } from '../../../support/gateway/gateway.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../../support/raw.ts';
import { createService } from '../../../support/services/contract-service.ts';
import { type HttpService, serveHttp } from '../../../support/services/http-service.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { until } from '../../../support/until.ts';

let folder: ReturnType<typeof tempFolder>;
let service: HttpService;
let gateway: TestGateway;

const { handler, upgrade } = createService();
async function serve(): Promise<void> {
  service = await serveHttp(handler, join(folder.path, 'app.sock'));
  service.server.on('upgrade', upgrade);
}

beforeEach(async () => {
  folder = tempFolder();
  await serve();
});
afterEach(async () => {
  await gateway.stop();
  await service.close();
  folder.remove();
});

const start = async (more: object = {}) => {
  gateway = await startGatewayWithUpstreams([{ ...contractTarget(service.url), ...more }]);
};

test('requests through a Unix socket have the Host localhost, and its connections are used again', async () => {
  await start();
  let connections = 0;
  service.server.on('connection', () => connections++);
  for (let call = 0; call < 5; call++) {
    const { headers } = (await (await gateway.call('/echo')).json()) as { headers: Record<string, string> };
    expect(headers['host']).toBe('localhost');
  }
  expect(connections).toBe(1);
});

test('a WebSocket can be opened through a Unix socket', async () => {
  await start();
  const connection = new RawConnection(gateway.url).send(
    `GET /echo?a=1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${gateway.demoKey}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  expect(await connection.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 101 [^]*X-Seen-Url: \/echo\?a=1\r\n/i);
  connection.close();
});

test('without a service at its path, a call gets a 502 and the log names the target', async () => {
  await service.close();
  await start();
  expect((await gateway.call('/echo')).status).toBe(502);
  const lines = gateway.logs.map((line) => JSON.parse(line) as { msg: string; target?: string; err?: object });
  expect(lines.find(({ msg }) => msg === 'target unreachable')).toMatchObject({
    target: service.url,
    err: { code: 'ENOENT' },
  });
  await serve();
  expect((await gateway.call('/echo')).status).toBe(200);
});

test('health checks use the socket, and take the target out of rotation when the socket is gone', async () => {
  await start({ health: { path: '/echo', every: '50ms' } });
  const readState = async () => {
    const { components } = (await (await gateway.admin('/v1/system')).json()) as {
      components: { name: string; state: string; cause: string | null }[];
    };
    return components.find(({ name }) => name === 'upstream contract');
  };
  await until(async () => (await readState())?.state === 'ready');
  rmSync(join(folder.path, 'app.sock'));
  await until(async () => (await readState())?.state === 'away');
  expect((await readState())?.cause).toContain(service.url);
});
