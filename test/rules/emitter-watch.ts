import { EventEmitter } from 'node:events';

/**
 * Loaded into a process before its own code (`--import`): watches every emitter that is made there, and tells of those
 * that are kept from one turn of the event loop to the next without anybody to hear their `error`. One such event ends
 * the process.
 */
export interface Unheard {
  readonly kind: string;
  /** Where it was made, or the nearest place that is known. */
  readonly madeAt: string;
}

/** Kinds that never emit `error` without a listener, with the reason. */
const EXEMPT = new Map([
  ['ServerResponse', 'emits what its writer does wrong: what others are handed to write is looked at on its own'],
  ['GatewayResponse', 'a ServerResponse, see there'],
  ['IncomingMessage', 'emits it only to whoever listens (`onError` in Node’s _http_incoming.js)'],
  ['Agent', 'of http: has sockets, which emit for themselves'],
  ['Client', 'of undici: rejects the request in question; emits `connectionError`'],
  ['TargetConnection', 'a Client of undici, see there'],
  ['Pool', 'of undici: rejects the request in question; emits `connectionError`'],
  ['Query', 'of pg: rejects the promise of whoever asked'],
]);

/** Of Node's own, made when it is loaded. */
const NODES_OWN = /node:internal\/(?:cluster|deps)\//;

interface Watched {
  readonly ref: WeakRef<EventEmitter>;
  readonly stack: string;
}

const watched = new Set<Watched>();
const unheard = new Map<string, Unheard>();

const hook = EventEmitter as unknown as { init: (this: EventEmitter, options: unknown) => void };
const { init } = hook;
hook.init = function watch(options) {
  init.call(this, options);
  watched.add({ ref: new WeakRef(this), stack: new Error('made').stack ?? '' });
};

/** At the end of each turn. What was made in it has had the time to be given its listeners. */
function look(): void {
  for (const entry of watched) {
    const emitter = entry.ref.deref();
    if (emitter === undefined || isOver(emitter)) watched.delete(entry);
    else note(emitter, entry.stack);
  }
  setImmediate(look).unref();
}

function note(emitter: EventEmitter, stack: string): void {
  const kind = emitter.constructor.name;
  if (EXEMPT.has(kind) || NODES_OWN.test(stack) || emitter.listenerCount('error') > 0) return;
  const madeAt = /\/src\/\S+/.exec(stack)?.[0] ?? stack.split('\n').slice(3, 8).join(' ').replaceAll(/\s+/g, ' ');
  unheard.set(`${kind} ${madeAt}`, { kind, madeAt });
}

/** A stream that is destroyed, a child that has exited, a client that has ended emit no more. */
function isOver(emitter: EventEmitter): boolean {
  const { destroyed, exitCode, status } = emitter as { destroyed?: boolean; exitCode?: unknown; status?: string };
  return destroyed === true || typeof exitCode === 'number' || status === 'end';
}

process.on('message', (message: { unheard?: boolean }) => {
  if (message.unheard === true) process.send?.({ unheard: [...unheard.values()] });
});
process.channel?.unref();
setImmediate(look).unref();
