import { checkBodies, writeDocument } from '../subject/documents.ts';
import { expectThat } from '../finding.ts';
import { checkResponse, checkRefusal, describe, isClosing, findRequestId } from '../oracle.ts';
import { findValues, type ParsedResponse } from '../response-parser.ts';
import { createBody, ScriptedService } from './scripted-service.ts';
import { isLegal, mayStall, serviceScripts, type Exchange } from './service-scripts.ts';
import { Subject } from '../subject/subject.ts';
import type { Target, World } from '../target.ts';
import { ClientConnection, type Delivery } from '../wire.ts';

/** Fuzzes the bytes that services send. The clients behave correctly. */
export const service: Target<Exchange[]> = { name: 'service', scripts: serviceScripts, open };

const DELIVERY: Delivery = { cuts: [], stopAt: null, ending: 'stay', reads: true };
const BODY = JSON.stringify('b'.repeat(3000));

async function open(): Promise<World<Exchange[]>> {
  const scripted = await ScriptedService.start();
  const subject = new Subject({
    settings: (folder) => ({
      // The timeout is long, so that it does not hide tunnels that should have been closed.
      edge: { tunnelIdle: '5m' },
      upstreams: [
        {
          name: 'raw',
          openapi: writeDocument(folder, 'raw', ['/raw/{token}'], checkBodies),
          validation: 'enforce',
          targets: [scripted.url],
          timeouts: { connect: '1s', response: '4s', idle: '1s' },
        },
      ],
    }),
  });
  await subject.start();
  let cases = 0;
  return {
    async play(exchanges) {
      const name = `s${++cases}`;
      await subject.play(() =>
        exchanges.map((exchange, index) => {
          const mustBeServed = isLegal(exchange) && !mayStall(exchanges);
          return playOne(subject, scripted, exchange, mustBeServed, `${name}-${index}`, index);
        }),
      );
      subject.expectNoError();
      if (!mayStall(exchanges)) return;
      scripted.closeStalled();
      // When the gateway has replied, it has noticed the closed connections.
      await subject.ask();
    },
    heap: () => subject.heap(),
    async close() {
      await subject.stop();
      scripted.close();
    },
  };
}

async function playOne(
  subject: Subject,
  scripted: ScriptedService,
  exchange: Exchange,
  mustBeServed: boolean,
  token: string,
  index: number,
): Promise<void> {
  scripted.exchanges.set(token, exchange);
  const { secret } = subject.keys[index]!;
  const next = `${token}-next`;
  const isFollowed = exchange.followed && exchange.asks !== 'websocket';
  const text = request(exchange.asks, token, secret) + (isFollowed ? request('GET', next, secret) : '');
  const connection = new ClientConnection(subject.publicPort, (at) =>
    at === 0 && exchange.asks === 'HEAD' ? 'HEAD' : 'GET',
  );
  const { parser } = connection;
  const isOver = () =>
    parser.complete > (isFollowed ? 1 : 0) || parser.answers.some((each) => each.complete && isClosing(each));
  try {
    // If its service closes the tunnel, the gateway must close it, too. Otherwise, the client closes it.
    const { afterwards } = exchange.answer;
    const isKept = () => (afterwards === 'end' || afterwards === 'reset' ? false : null);
    await connection.deliver(text, DELIVERY, () => (parser.upgraded ? isKept() : isOver()));
  } finally {
    connection.socket.destroy();
    scripted.exchanges.delete(token);
  }
  connection.finish();
  const [first, second, more] = parser.answers;
  expectThat(more === undefined && (second === undefined || isFollowed), 'more answers than requests');
  if (first !== undefined) checkScripted(first, exchange, mustBeServed, token);
  expectThat(first !== undefined || connection.closed, 'a request that was not answered');
  if (second !== undefined) checkValid(second, next);
}

function request(asks: Exchange['asks'], token: string, secret: string): string {
  const method = asks === 'chunked' ? 'POST' : asks === 'websocket' ? 'GET' : asks;
  const lines = [`${method} /raw/${token} HTTP/1.1`, 'Host: x', `X-API-Key: ${secret}`, `X-Request-Id: ${token}`];
  if (method === 'POST') lines.push('Content-Type: application/json');
  if (asks === 'POST') return `${lines.join('\r\n')}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;
  if (asks === 'chunked') {
    return `${lines.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
  }
  if (asks === 'websocket') {
    lines.push('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13');
    lines.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/**
 * Checks a response of the scripted service.
 *
 * @param mustBeServed true if the consumer must get the response complete and unchanged
 */
function checkScripted(response: ParsedResponse, exchange: Exchange, mustBeServed: boolean, token: string): void {
  // A service that sends a second response instead of the body breaks only its own response.
  const isRestarted = !mustBeServed && exchange.answer.surplus.includes(response.body) && response.body !== '';
  if (!isRestarted) checkCommon(response, token, exchange.asks !== 'HEAD');
  if (!mustBeServed) return;
  const { status, framing } = exchange.answer;
  const detail = () => `${JSON.stringify(exchange.answer).slice(0, 1000)} became ${describe(response)}`;
  expectThat(response.status === Number(status.slice(0, 3)), `a legal answer became ${response.status}`, detail);
  expectThat(response.complete, 'a legal answer is cut off', detail);
  const isBodiless = exchange.asks === 'HEAD' || response.status === 204 || response.status === 304;
  const body = createBody(token, exchange.answer);
  const isWhole = isBodiless
    ? response.bodyBytes === 0
    : response.bodyBytes === body.length && body.startsWith(response.body);
  expectThat(isWhole, `the body of a legal answer changed (${framing})`, detail);
}

function checkValid(response: ParsedResponse, token: string): void {
  checkCommon(response, token, true);
  // If the second request gets a connection that the service broke, it is refused.
  const [by] = findValues(response.headers, 'x-token');
  if (by !== undefined && response.complete)
    expectThat(response.body.startsWith(token), 'the body of another answer', () => describe(response));
}

function checkCommon(response: ParsedResponse, token: string, hasBody: boolean): void {
  checkResponse(response);
  expectThat(
    findRequestId(response) === token,
    'an answer to another request',
    () => `${token}: ${describe(response)}`,
  );
  const [by] = findValues(response.headers, 'x-token');
  // The gateway does not interpret the bytes inside a tunnel.
  if (response.status === 101) return;
  if (by === undefined) checkRefusal(response, hasBody);
  else expectThat(by === token, 'an answer of the service to another request', () => `${token}: ${describe(response)}`);
}
