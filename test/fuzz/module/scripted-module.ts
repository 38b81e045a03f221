import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Duplex } from 'node:stream';
import express from 'express';
import type { ModuleScript } from './module-scripts.ts';

/** A module that performs on its response or socket the actions in the request's `X-Script` header. */
export const SCRIPT_HEADER = 'x-script';

type Actions = Record<string, (...args: unknown[]) => unknown>;

export default {
  create() {
    const app = express();
    app.use((req, res) => runScript(readScript(req), createActions(req, res)));
    return {
      handler(req: IncomingMessage, res: ServerResponse): unknown {
        const script = readScript(req);
        if (script === null) return void res.end(readToken(req));
        return script.express ? app(req, res) : runScript(script, createActions(req, res));
      },
      upgrade: (req: IncomingMessage, socket: Duplex) => runScript(readScript(req), socketActions(socket)),
    };
  },
};

function readScript({ headers }: IncomingMessage): ModuleScript | null {
  const text = headers[SCRIPT_HEADER];
  return typeof text === 'string' ? (JSON.parse(Buffer.from(text, 'base64url').toString()) as ModuleScript) : null;
}

function readToken({ url = '' }: IncomingMessage): string {
  return url.split('/')[2] ?? '';
}

/** Runs the actions. Their errors belong to the request, even in a timer or in a promise for which nobody waits. */
async function runScript(script: ModuleScript | null, actions: Actions): Promise<void> {
  for (const op of script?.ops ?? []) {
    if (op.when === 'later') setTimeout(() => actions[op.do]?.(...op.args), 3);
    else {
      if (op.when === 'tick') await Promise.resolve();
      if (op.when === 'immediate') await new Promise(setImmediate);
      await actions[op.do]?.(...op.args);
    }
  }
}

function createActions(req: IncomingMessage, res: ServerResponse): Actions {
  const call = (name: unknown, ...args: unknown[]) => (res as unknown as Actions)[String(name)]?.(...args);
  const methods = ['end', 'write', 'writeHead', 'setHeader', 'destroy'];
  return {
    ...common(res),
    ...Object.fromEntries(methods.map((name) => [name, (...args: unknown[]) => void call(name, ...args)])),
    call: (name, argument) => void call(name, argument),
    writeBig: (bytes) => void res.write(Buffer.alloc(Number(bytes), 'x')),
    pipe: () => void req.pipe(res),
    req: (name) => misuse(req, String(name)),
    socket: (name) => misuse(req.socket, String(name)),
  };
}

function socketActions(socket: Duplex): Actions {
  return {
    ...common(socket),
    write: (text) => void socket.write(String(text), 'latin1'),
    end: (text = '') => void socket.end(String(text)),
    destroy: () => void socket.destroy(),
    call: (name) => misuse(socket, String(name)),
  };
}

function common(stream: Duplex | ServerResponse): Actions {
  return {
    destroyWithError: () => void stream.destroy(new Error('as the script says')),
    emit: (name) => void stream.emit(String(name), new Error('emitted, as the script says')),
    set: (name, value) => void Object.assign(stream, { [String(name)]: value }),
    throw(what) {
      // oxlint-disable-next-line typescript/only-throw-error -- modules throw anything
      throw what === 'error' ? new Error('thrown, as the script says') : what;
    },
    never: () => new Promise(() => undefined),
    wait: () => sleep(2),
  };
}

function misuse(stream: Duplex | IncomingMessage, name: string): void {
  if (name === 'destroyWithError') stream.destroy(new Error('as the script says'));
  else if (name === 'unshift') stream.unshift('x');
  else (stream as unknown as Actions)[name]?.();
}
