import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { root } from '../../support/gateway/gateway.ts';
import { render, type Sent } from './client-bytes.ts';
import { clientScripts, type ClientScript } from './client-scripts.ts';
import { checkBodies, writeDocument } from '../subject/documents.ts';
import { ECHO_PATHS, startEchoService } from '../subject/echo-service.ts';
import { expectThat } from '../finding.ts';
import { checkResponse, checkRefusal, describe, isClosing, findRequestId } from '../oracle.ts';
import { findValues, type ParsedResponse } from '../response-parser.ts';
import { Subject } from '../subject/subject.ts';
import type { Target, World } from '../target.ts';
import { ClientConnection } from '../wire.ts';

/** Fuzzes the bytes that clients send. The services behave correctly. */
export const client: Target<ClientScript[]> = { name: 'client', scripts: clientScripts, open };

async function open(): Promise<World<ClientScript[]>> {
  const service = await startEchoService();
  const subject = new Subject({
    settings: (folder) => ({
      upstreams: [
        {
          name: 'module',
          prefix: '/module',
          openapi: writeDocument(folder, 'module', ECHO_PATHS, checkBodies),
          validation: 'enforce',
          module: join(root, 'test/fuzz/subject/echo-service.ts'),
        },
        {
          name: 'http',
          prefix: '/http',
          openapi: writeDocument(folder, 'http', ECHO_PATHS, checkBodies),
          validation: 'enforce',
          candidate: writeDocument(folder, 'next', ECHO_PATHS, checkBodies),
          targets: [`http://127.0.0.1:${(service.address() as AddressInfo).port}`],
        },
      ],
    }),
  });
  await subject.start();
  let cases = 0;
  return {
    async play(scripts) {
      const name = `c${++cases}`;
      await subject.play(() => scripts.map((script, index) => playOne(subject, script, `${name}-${index}`, index)));
      subject.expectNoError();
    },
    heap: () => subject.heap(),
    async close() {
      await subject.stop();
      service.closeAllConnections();
      service.close();
    },
  };
}

async function playOne(subject: Subject, script: ClientScript, name: string, index: number): Promise<void> {
  const own = subject.keys[index]!;
  const { elements, delivery } = script;
  const rendered = render(elements, name, { own, tiny: subject.tiny });
  const { sent } = rendered;
  const certain = rendered.certain && delivery.stopAt === null;
  const before = await subject.countCharged(own);
  const connection = new ClientConnection(subject.publicPort, (index) => sent[index]?.method ?? 'GET');
  const { parser } = connection;
  const isOver = () =>
    parser.complete >= sent.length || parser.answers.some((each) => each.complete && isClosing(each));
  try {
    await connection.deliver(rendered.text, delivery, () => (certain ? isOver() : null));
  } finally {
    connection.socket.destroy();
  }
  connection.finish();
  checkResponses(parser.answers, sent, certain);
  if (!certain || delivery.ending !== 'stay' || !delivery.reads) return;
  const last = parser.answers.at(-1);
  expectThat(isOver(), 'requests without a response', () => {
    return `${parser.complete} of ${sent.length}; ${last === undefined ? '' : describe(last)} ${parser.pending}`;
  });
  const charged = (await subject.countCharged(own)) - before;
  expectThat(charged <= parser.complete, 'charged without a response', () => {
    return `${charged} charged, ${parser.complete} answered`;
  });
}

/** Checks that the n-th response belongs to the n-th request. */
function checkResponses(responses: readonly ParsedResponse[], sent: readonly Sent[], certain: boolean): void {
  for (const [index, response] of responses.entries()) {
    if (!response.complete && index < responses.length - 1)
      throw new Error('the parser began a response before the previous one was complete');
    checkResponse(response);
    const id = findRequestId(response);
    const request = sent[index];
    const before = responses[index - 1];
    expectThat(before === undefined || !isClosing(before), 'a response after one that closes the connection', () =>
      describe(response),
    );
    if (request === undefined) {
      expectThat(!certain, 'more answers than requests', () => describe(response));
      continue;
    }
    // A request that the parser rejects has no id, and its response is the last one.
    const isUnparsed = id === null && response.status >= 400 && !certain && index === responses.length - 1;
    if (!isUnparsed) checkIdentity(response, id, request, index);
    else checkRefusal(response, request.method !== 'HEAD');
  }
}

function checkIdentity(
  response: ParsedResponse,
  id: string | null,
  { token, method, element }: Sent,
  index: number,
): void {
  const detail = `the answer to ${token} is ${describe(response)}`;
  if (method === 'CONNECT')
    return expectThat(response.status === 405, 'CONNECT was not refused with 405', () => detail);
  expectThat(id === token, 'an answer to another request', () => detail);
  const [by] = findValues(response.headers, 'x-token');
  if (by === undefined) return checkRefusal(response, method !== 'HEAD');
  expectThat(by === token, 'an answer of the service to another request', () => detail);
  const isJson = response.status === 200 && response.complete && method !== 'HEAD' && response.bodyBytes < 300_000;
  if (isJson) expectThat(response.body.includes(`"${token}"`), 'the body of another answer', () => detail);
  if (element.is === 'handshake')
    expectThat(response.status === 101 || index > 0, 'a handshake that failed', () => detail);
}
