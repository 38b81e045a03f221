/**
 * The attack: connect, send a request and disconnect before the response, again and again, until the gateway or the
 * services behind it run out of sockets, timers or memory.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { createService } from '../../support/services/contract-service.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { serveHttp, type HttpService } from '../../support/services/http-service.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { until } from '../../support/until.ts';

const REQUESTS = 10_000;
const AT_ONCE = 100;

let service: HttpService;
let gateway: TestGateway;
const warnings: Error[] = [];
const onWarning = (warning: Error) => void warnings.push(warning);

beforeAll(async () => {
  process.on('warning', onWarning);
  service = await serveHttp(createService().handler);
  gateway = await startGatewayWithUpstreams([contractTarget(service.url)]);
});
afterAll(async () => {
  process.off('warning', onWarning);
  await gateway.stop();
  await service.close();
});

function resources(kind: RegExp): number {
  return process.getActiveResourcesInfo().filter((name) => kind.test(name)).length;
}

test('10,000 abandoned requests leak nothing', async () => {
  const { hostname, port } = new URL(gateway.url);
  const head = `Host: x\r\nX-API-Key: ${gateway.demoKey}\r\n`;
  const kinds = [
    // The client disconnects while the service is working, within the request body, and within the response.
    `GET /hang HTTP/1.1\r\n${head}\r\n`,
    `POST /hang HTTP/1.1\r\n${head}Content-Length: 100\r\n\r\nabc`,
    `POST /mirror HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`,
    `GET /large?bytes=10000000 HTTP/1.1\r\n${head}\r\n`,
  ];
  await (await gateway.call('/headers')).text();
  const before = resources(/^TCP.*Wrap$/);
  let left = REQUESTS;
  const client = async () => {
    while (left-- > 0) {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(kinds[left % kinds.length] ?? '');
      await new Promise((resolve) => setTimeout(resolve, left % 20));
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));

  // The gateway keeps idle connections to the service for some seconds, so wait until they are closed.
  await until(() => resources(/^TCP.*Wrap$/) <= before);
  // Nothing but idle connections may be left.
  expect(await new Promise((resolve) => service.server.getConnections((_, count) => resolve(count)))).toBeLessThan(10);
  expect(warnings.filter(({ name }) => name === 'MaxListenersExceededWarning')).toEqual([]);
  expect((await gateway.call('/headers')).status).toBe(200);
});
