import * as fc from 'fast-check';

/** An action of a module that handles a request, such as a method call. */
interface Op {
  readonly do: string;
  readonly args: readonly unknown[];
  /** `later` runs the action in a timer for which nobody waits. */
  readonly when: 'now' | 'tick' | 'immediate' | 'later';
}

export interface ModuleScript {
  readonly asks: 'GET' | 'HEAD' | 'POST' | 'websocket';
  /** True if the module is an Express app, which replaces the prototypes of `req` and `res`. */
  readonly express: boolean;
  readonly ops: readonly Op[];
  /** The client resets its connection after this many ms. Null if it stays. */
  readonly leavesAfter: number | null;
}

const when = fc.constantFrom<Op['when']>('now', 'now', 'now', 'tick', 'immediate', 'later');

function op(name: string, ...args: fc.Arbitrary<unknown>[]): fc.Arbitrary<Op> {
  return fc.record({ do: fc.constant(name), args: fc.tuple(...args), when });
}

const text = fc.constantFrom('', 'a', 'hello', 'x\r\n\r\nHTTP/1.1 200 OK\r\n\r\n');
const status = fc.constantFrom<unknown>(200, 200, 200, 201, 204, 304, 404, 500, 99, 1000, -1, 'x', null, 101, 100, 103);
const reason = fc.constantFrom('OK', '', 'Schön', 'a\r\nb', '☃');
const headerName = fc.constantFrom(
  'X-A',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'X-RateLimit-Limit',
  'Bad Name',
  '',
  'Link',
  'Date',
);
const headerValue = fc.constantFrom<unknown>(
  'b',
  '1',
  '5',
  5,
  '100',
  'chunked',
  'close',
  'keep-alive',
  'a\r\nb',
  '☃',
  null,
  ['x', 'y'],
  '',
);
const headers = fc.oneof(
  fc.dictionary(headerName, headerValue, { maxKeys: 3 }),
  fc.array(fc.oneof(headerName, headerValue), { maxLength: 4 }),
);

const ops = fc.oneof(
  { weight: 6, arbitrary: op('end') },
  { weight: 5, arbitrary: op('end', text) },
  { weight: 5, arbitrary: op('write', text) },
  { weight: 2, arbitrary: op('writeBig', fc.constantFrom(100_000, 3_000_000)) },
  { weight: 3, arbitrary: op('writeHead', status) },
  { weight: 2, arbitrary: op('writeHead', status, headers) },
  { weight: 1, arbitrary: op('writeHead', status, reason, headers) },
  { weight: 4, arbitrary: op('setHeader', headerName, headerValue) },
  {
    weight: 1,
    arbitrary: op(
      'set',
      fc.constantFrom('statusCode', 'statusMessage', 'shouldKeepAlive', 'sendDate'),
      fc.oneof(status, reason),
    ),
  },
  {
    weight: 1,
    arbitrary: op(
      'call',
      fc.constantFrom(
        'flushHeaders',
        'cork',
        'uncork',
        'writeContinue',
        'writeProcessing',
        'removeAllListeners',
        'writeEarlyHints',
        'addTrailers',
        'detachSocket',
        'assignSocket',
        'setTimeout',
        'strictContentLength',
      ),
      fc.constantFrom<unknown>(undefined, 'x', { link: 'x' }, { A: 'b' }, { 'X-RateLimit-Limit': '1' }, 1),
    ),
  },
  { weight: 2, arbitrary: op('destroy') },
  { weight: 2, arbitrary: op('destroyWithError') },
  { weight: 1, arbitrary: op('emit', fc.constantFrom('error', 'drain')) },
  { weight: 2, arbitrary: op('throw', fc.constantFrom<unknown>('error', null, 'text')) },
  { weight: 1, arbitrary: op('never') },
  {
    weight: 1,
    arbitrary: op(
      'req',
      fc.constantFrom('pause', 'resume', 'destroy', 'removeAllListeners', 'destroyWithError', 'unshift', 'read'),
    ),
  },
  { weight: 1, arbitrary: op('pipe') },
  {
    weight: 1,
    arbitrary: op('socket', fc.constantFrom('destroy', 'end', 'destroyWithError', 'resetAndDestroy')),
  },
  { weight: 1, arbitrary: op('wait') },
);

/** The actions of an upgrade handler on its socket. */
const socketOps = fc.oneof(
  op(
    'write',
    fc.constantFrom(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      'HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno',
      'HTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 101\r\n',
      'garbage',
      '\r\n\r\n',
      '\x81\x02hi',
      '',
    ),
  ),
  op('end'),
  op('end', fc.constantFrom('HTTP/1.1 403 No\r\n\r\n', 'x')),
  op('destroy'),
  op('destroyWithError'),
  op('throw', fc.constantFrom<unknown>('error', null)),
  op('never'),
  op('wait'),
  op(
    'call',
    fc.constantFrom(
      'pause',
      'resume',
      'removeAllListeners',
      'resetAndDestroy',
      'cork',
      'uncork',
      'unref',
      'destroySoon',
    ),
  ),
  op('emit', fc.constantFrom('error', 'close', 'end')),
);

const leavesAfter = fc.option(fc.constantFrom(0, 2, 10), { freq: 1 }).map((ms) => ms);
const common = {
  express: fc.boolean(),
  leavesAfter: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: leavesAfter }),
};

export const moduleScripts: fc.Arbitrary<ModuleScript[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        asks: fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
        ops: fc.array(ops, { maxLength: 7 }),
        ...common,
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        asks: fc.constant('websocket' as const),
        ops: fc.array(socketOps, { maxLength: 5 }),
        ...common,
      }),
    },
  ),
  { minLength: 1, maxLength: 5 },
);
