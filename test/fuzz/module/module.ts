import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../support/gateway/gateway.ts';
import { checkBodies, writeDocument } from '../subject/documents.ts';
import { expectThat } from '../finding.ts';
import { moduleScripts, type ModuleScript } from './module-scripts.ts';
import { checkResponse, describe, isClosing, findRequestId } from '../oracle.ts';
import { SCRIPT_HEADER } from './scripted-module.ts';
import { Subject } from '../subject/subject.ts';
import type { Target, World } from '../target.ts';
import { ClientConnection, type Delivery } from '../wire.ts';

/** Fuzzes modules that misuse their request, response or socket. */
export const module: Target<ModuleScript[]> = { name: 'module', scripts: moduleScripts, open };

const STAYS: Delivery = { cuts: [], stopAt: null, ending: 'stay', reads: true };
/**
 * The time without any bytes after which a test stops waiting. A response that a module begins and does not end stays
 * open.
 */
const QUIET_MS = 1500;

async function open(): Promise<World<ModuleScript[]>> {
  const subject = new Subject({
    settings: (folder) => ({
      upstreams: [
        {
          name: 'misuse',
          openapi: writeDocument(folder, 'misuse', ['/misuse/{token}'], (method) => ({
            ...checkBodies(method),
            'x-tollgate-timeout': '300ms',
          })),
          validation: 'enforce',
          module: join(root, 'test/fuzz/module/scripted-module.ts'),
        },
      ],
    }),
  });
  await subject.start();
  let cases = 0;
  return {
    async play(scripts) {
      const name = `m${++cases}`;
      await subject.play(() => scripts.map((script, index) => playOne(subject, script, `${name}-${index}`, index)));
    },
    heap: () => subject.heap(),
    close: () => subject.stop(),
  };
}

/** Sends the script's request, and then another one that the module handles correctly. */
async function playOne(subject: Subject, script: ModuleScript, token: string, index: number): Promise<void> {
  const { asks, leavesAfter } = script;
  const { secret } = subject.keys[index]!;
  const next = `${token}-next`;
  const isHandshake = asks === 'websocket';
  const text = request(script, token, secret) + (isHandshake ? '' : request(null, next, secret));
  const connection = new ClientConnection(subject.publicPort, (at) => (at === 0 && asks === 'HEAD' ? 'HEAD' : 'GET'));
  const { parser, socket } = connection;
  const isOver = () => parser.complete > 1 || parser.answers.some((each) => each.complete && isClosing(each));
  try {
    if (leavesAfter !== null) void sleep(leavesAfter).then(() => socket.resetAndDestroy());
    await connection.deliver(text, STAYS, () => isOver() || connection.quietMs > QUIET_MS);
  } finally {
    socket.destroy();
  }
  if (leavesAfter !== null) return;
  const isWritten = script.ops.some((op) => op.do === 'socket');
  // If a module writes to the socket directly, the gateway cannot protect the connection.
  if (isWritten || isHandshake) return;
  connection.finish();
  checkResponses();

  function checkResponses(): void {
    const [first, second, more] = parser.answers;
    expectThat(more === undefined, 'more answers than requests', () => describe(more!));
    for (const [at, response] of [first, second].entries()) {
      if (response === undefined) continue;
      checkResponse(response);
      const asked = at === 0 ? token : next;
      expectThat(
        findRequestId(response) === asked,
        'an answer to another request',
        () => `${asked}: ${describe(response)}`,
      );
    }
    if (second?.complete === true)
      expectThat(second.body === next, 'the body of another answer', () => describe(second));
    const isCut = first?.complete === false && endsResponse(script) && connection.wasOpen;
    expectThat(!isCut, 'an incomplete response on a connection that stays open', () => describe(first!));
  }
}

/** True if the module ends its response before it throws or hangs. */
function endsResponse({ ops }: ModuleScript): boolean {
  const stop = ops.findIndex((op) => op.when !== 'later' && (op.do === 'never' || op.do === 'throw'));
  return ops.slice(0, stop === -1 ? ops.length : stop).some((op) => op.do === 'end');
}

function request(script: ModuleScript | null, token: string, secret: string): string {
  const method = script === null || script.asks === 'websocket' ? 'GET' : script.asks;
  const lines = [`${method} /misuse/${token} HTTP/1.1`, 'Host: x', `X-API-Key: ${secret}`, `X-Request-Id: ${token}`];
  if (script !== null) lines.push(`${SCRIPT_HEADER}: ${Buffer.from(JSON.stringify(script)).toString('base64url')}`);
  if (method === 'POST')
    return `${lines.join('\r\n')}\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n"hello"`;
  if (script?.asks === 'websocket') {
    lines.push('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13');
    lines.push('Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==');
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
