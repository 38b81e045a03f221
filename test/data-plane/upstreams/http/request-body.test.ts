import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { RequestBody } from '../../../../src/data-plane/upstreams/http/request-body.ts';
import { RawConnection } from '../../../support/raw.ts';
import { listening } from '../../../support/services/http-service.ts';
import { until } from '../../../support/until.ts';

test('a request does not end before the connection to the target has taken its body', async () => {
  let req: IncomingMessage | null = null;
  let body: RequestBody | null = null;
  let takenBytes = 0;
  const service = await listening(
    createServer((incoming, res) => {
      req = incoming;
      body = new RequestBody(incoming);
      // undici pauses in the same way if the connection is full.
      body.on('data', (chunk: Buffer) => {
        takenBytes += chunk.length;
        body?.pause();
      });
      body.once('end', () => res.end());
    }),
  );
  const connection = new RawConnection(service.url);
  connection.send('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello');
  await until(() => takenBytes === 5 && req?.complete === true);
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(req!.readableEnded).toBe(false);
  const ended = once(req!, 'end');
  body!.resume();
  await ended;
  expect((await connection.readResponse()).status).toBe(200);
  connection.close();
  await service.close();
});
