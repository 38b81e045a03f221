import { EventEmitter } from 'node:events';

/**
 * Is loaded into a process before the process's own code (`--import`). It watches every emitter that is created there,
 * and reports those without an `error` listener at the end of a turn of the event loop. An `error` event of such an
 * emitter would end the process.
 */
export interface MissingListener {
  readonly kind: string;
  /** The place in `src` where the emitter was created, or else the nearest frames of the stack. */
  readonly createdAt: string;
}

/** Kinds of emitters that never emit `error` without a listener, with the reason. */
const EXEMPT = new Map([
  ['ServerResponse', 'emits errors of its writer; another test checks the responses that modules get'],
  ['GatewayResponse', 'a ServerResponse, see there'],
  ['IncomingMessage', 'emits it only if there is a listener (`onError` in Node’s _http_incoming.js)'],
  ['Agent', 'of http: its sockets emit their own errors'],
  ['Client', 'of undici: rejects the request in question; emits `connectionError`'],
  ['TargetConnection', 'a Client of undici, see there'],
  ['Pool', 'of undici: rejects the request in question; emits `connectionError`'],
  ['Query', 'of pg: rejects the promise of its caller'],
]);

/** Matches emitters that Node creates when it starts. */
const CREATED_BY_NODE = /node:internal\/(?:cluster|deps)\//;

interface Watched {
  readonly ref: WeakRef<EventEmitter>;
  readonly stack: string;
}

const watched = new Set<Watched>();
const missing = new Map<string, MissingListener>();

const hook = EventEmitter as unknown as { init: (this: EventEmitter, options: unknown) => void };
const { init } = hook;
hook.init = function watch(options) {
  init.call(this, options);
  watched.add({ ref: new WeakRef(this), stack: new Error('created').stack ?? '' });
};

/** Runs at the end of each turn. By then, the emitters that were created in it have had time to get listeners. */
function checkAll(): void {
  for (const entry of watched) {
    const emitter = entry.ref.deref();
    if (emitter === undefined || isOver(emitter)) watched.delete(entry);
    else check(emitter, entry.stack);
  }
  setImmediate(checkAll).unref();
}

function check(emitter: EventEmitter, stack: string): void {
  const kind = emitter.constructor.name;
  if (EXEMPT.has(kind) || CREATED_BY_NODE.test(stack) || emitter.listenerCount('error') > 0) return;
  const createdAt = /\/src\/\S+/.exec(stack)?.[0] ?? stack.split('\n').slice(3, 8).join(' ').replaceAll(/\s+/g, ' ');
  missing.set(`${kind} ${createdAt}`, { kind, createdAt });
}

/** True if the emitter no longer emits: a destroyed stream, an exited child, or an ended client. */
function isOver(emitter: EventEmitter): boolean {
  const { destroyed, exitCode, status } = emitter as { destroyed?: boolean; exitCode?: unknown; status?: string };
  return destroyed === true || typeof exitCode === 'number' || status === 'end';
}

process.on('message', (message: { missing?: boolean }) => {
  if (message.missing === true) process.send?.({ missing: [...missing.values()] });
});
process.channel?.unref();
setImmediate(checkAll).unref();
