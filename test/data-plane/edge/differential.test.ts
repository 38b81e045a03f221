/**
 * The attack is request smuggling: one server reads a stream of bytes as one request and the next server reads it as
 * two, or as a different one. The second request would bypass the checks of key, quota and path.
 * The test sends the same streams to the gateway and to nginx, each in front of an upstream that records what it
 * receives. The gateway's upstream must receive exactly the requests that the gateway has checked. If nginx forwards
 * the same request, the method and body must be the same.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import { startNginx, type Nginx } from '../../support/servers/nginx.ts';
import { contractTarget, startGatewayWithUpstreams } from '../../support/gateway/gateway-with-upstreams.ts';
import { RawConnection } from '../../support/raw.ts';
import { startRecorder, type Recorded, type Recorder } from '../../support/services/recorder.ts';

const STREAMS = 600;
const AT_ONCE = 40;

let behindGateway: Recorder;
let behindNginx: Recorder;
let gateway: TestGateway;
let nginx: Nginx;

beforeAll(async () => {
  behindGateway = await startRecorder();
  behindNginx = await startRecorder();
  gateway = await startGatewayWithUpstreams([contractTarget(behindGateway.url)]);
  nginx = await startNginx(
    (port) => `server {
      listen 127.0.0.1:${port}; keepalive_timeout 60s;
      location / { proxy_pass ${behindNginx.url}; proxy_http_version 1.1; proxy_set_header Connection ""; }
    }`,
  );
});
afterAll(async () => {
  await nginx.stop();
  await gateway.stop();
  await behindGateway.close();
  await behindNginx.close();
});

/** Parts of request lines and heads that servers disagree about. `N` is replaced with the number of the stream. */
const inner = 'GET /echo?n=N&inner HTTP/1.1\r\nHost: x\r\nX-API-Key: KEY\r\n\r\n';
const line = fc.constantFrom(
  'POST /echo?n=N HTTP/1.1',
  'PUT /echo?n=N HTTP/1.1',
  'GET /echo?n=N HTTP/1.1',
  'DELETE /echo?n=N HTTP/1.1',
  'POST /echo?n=N HTTP/1.0',
  'GET  /echo?n=N HTTP/1.1',
  'POST http://x/echo?n=N HTTP/1.1',
  'GET /echo/../echo?n=N HTTP/1.1',
  'GET /%65cho?n=N HTTP/1.1',
  'POST /echo?n=N HTTP/1.2',
  '\r\nPOST /echo?n=N HTTP/1.1',
);
const header = fc.constantFrom(
  'Content-Length: 0',
  'Content-Length: 5',
  'Content-Length: 05',
  'Content-Length: +5',
  'Content-Length: 5, 5',
  'Content-Length:5 ',
  'Content-Length: INNER',
  'content_length: 5',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding:chunked ',
  'Transfer-Encoding: Chunked',
  'Transfer-Encoding: identity',
  'Transfer-Encoding: gzip, chunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding : chunked',
  'Transfer_Encoding: chunked',
  'X: y\r\n Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'Connection: Content-Length',
  'Connection: close, Transfer-Encoding',
  'Connection: keep-alive',
  'Upgrade: h2c\r\nConnection: Upgrade',
  'Expect: 100-continue',
  'Host: y',
  'TE: trailers',
  'X-Request-Id: forged',
);
const body = fc.constantFrom(
  '',
  'abcde',
  `abcde${inner}`,
  `0\r\n\r\n${inner}`,
  `5\r\nabcde\r\n0\r\n\r\n${inner}`,
  `5;a=b\r\nabcde\r\n0\r\n\r\n`,
  `5\nabcde\n0\n\n${inner}`,
  `5\r\nabcde\r\n0\r\nX: y\r\n\r\n${inner}`,
  `5\r\nabcde\r\n0\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n${inner}`,
  `5\r\nabcdeXX0\r\n\r\n${inner}`,
  `0000000000000005\r\nabcde\r\n00\r\n\r\n${inner}`,
  `-1\r\n${inner}`,
  inner,
);
/** Half of the streams have at most one oddity, or there would be little to compare. */
const valid = fc
  .tuple(
    fc.constantFrom('POST /echo?n=N HTTP/1.1', 'PUT /%65cho?n=N HTTP/1.1', 'DELETE /echo?n=N HTTP/1.1'),
    fc.constantFrom(
      ['Content-Length: 5', `abcde${inner}`],
      ['Transfer-Encoding: chunked', `5\r\nabcde\r\n0\r\n\r\n${inner}`],
      ['Transfer-Encoding: chunked', `5;a=b\r\nabcde\r\n0\r\nX: y\r\n\r\n${inner}`],
      ['Content-Length: 0', inner],
    ),
    fc.oneof(fc.constant([]), fc.tuple(header)),
  )
  .map(([first, [framing, rest], odd]) => [first, ['Host: x', framing, ...odd], rest] as const);
const random = fc
  .tuple(line, fc.uniqueArray(header, { maxLength: 3 }), fc.boolean(), body)
  .map(([first, headers, host, rest]) => [first, [...(host ? ['Host: x'] : []), ...headers], rest] as const);
const stream = fc
  .oneof(valid, random)
  .map(([first, headers, rest]) => `${[first, 'X-API-Key: KEY', ...headers].join('\r\n')}\r\n\r\n${rest}`);

/** Sends a stream and waits until no more bytes arrive. */
async function sendTo(url: string, bytes: string): Promise<void> {
  const connection = new RawConnection(url).send(bytes);
  for (let before = -1; before !== connection.received.length && !connection.ended;) {
    before = connection.received.length;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
  connection.close();
}

function byStream(records: readonly Recorded[]): Map<string, Recorded[]> {
  return Map.groupBy(records, ({ url }) => /n=(\d+)/.exec(url)?.[1] ?? 'none');
}

const findHeaders = ({ rawHeaders }: Recorded, name: string) =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name);

test('the upstream receives exactly the requests that were checked, and nginx reads them the same way', async () => {
  const streams = fc.sample(stream, { numRuns: STREAMS, seed: 20261121 }).map((text, number) => {
    const named = text.replaceAll('N', (letter, at: number) => (text[at - 1] === '=' ? String(number) : letter));
    const keyed = named.replaceAll('KEY', gateway.demoKey);
    return keyed.replace('INNER', String(inner.length));
  });
  const logged = gateway.responses().length;
  for (let first = 0; first < streams.length; first += AT_ONCE) {
    const batch = streams.slice(first, first + AT_ONCE);
    await Promise.all(batch.flatMap((bytes) => [sendTo(gateway.url, bytes), sendTo(nginx.url, bytes)]));
  }
  // Interrupted requests are logged once the upstream has closed its connection.
  await new Promise((resolve) => setTimeout(resolve, 1000));

  const seen = behindGateway.take();
  const checked = new Set(
    gateway
      .responses()
      .slice(logged)
      .filter(({ operation, keyId }) => operation !== undefined && keyId !== undefined)
      .map(({ requestId }) => requestId),
  );
  const ids = seen.map((record) => findHeaders(record, 'x-request-id'));
  // Each request has passed the checks, has the gateway's headers once, and arrived only once.
  for (const record of seen) expect(findHeaders(record, 'x-consumer-id')).toEqual(['demo']);
  for (const own of ids) expect(own).toHaveLength(1);
  const unforged = ids.flat().filter((id) => id !== 'forged');
  expect(new Set(unforged).size).toBe(unforged.length);
  for (const id of unforged) expect(checked).toContain(id);

  const gatewaySaw = byStream(seen);
  const nginxSaw = byStream(behindNginx.take());
  let both = 0;
  for (const [number, mine] of gatewaySaw) {
    const theirs = nginxSaw.get(number)?.map(({ url, ...rest }) => ({ ...rest, url: url.replace('%65', 'e') })) ?? [];
    for (const { url, method, body: got, complete } of mine) {
      const same = theirs.find((other) => other.url === url);
      // nginx may be stricter and refuse it.
      if (same === undefined || !complete || !same.complete) continue;
      both++;
      const bytes = streams[Number(number)];
      expect({ bytes, method, got }).toEqual({ bytes, method: same.method, got: same.body });
    }
  }
  // Enough streams were valid for a comparison.
  expect(both).toBeGreaterThan(STREAMS / 10);
});
