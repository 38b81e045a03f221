import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';

const require = createRequire(import.meta.url);
const ROOT = new URL('../../../', import.meta.url).href;
const GLOBALS = new URL('globals.js', import.meta.url).href;

/** What `globals.js` exports to the test file that is being loaded. */
const CURRENT = Symbol.for('test.globals');
/** Where jest-circus keeps the tests that a file declares. */
const CIRCUS_STATES = new Set(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** Addresses that begin with one of these are loaded anew for each test file. */
let ownModules = [`${ROOT}test/`];
/** How many times this process has run each test file; a watching one runs it again. */
const runs = new Map();

/**
 * Runs test files as Node itself runs them. Jest would give each file a realm, and load, link and optimize the gateway
 * and its dependencies again for each; here a worker does it once. Test files share what they test, which has no state
 * outside of what it creates, but not their helpers, which declare hooks and keep what they started. So the address of
 * a test file gets a query, and what it imports below `test/` gets the same.
 */
export default class NativeRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { watch, watchAll } = args.at(-1);
    // A process that runs files again must see what was edited in between.
    if (watch || watchAll) ownModules = ['src/', 'test/', 'web/'].map((folder) => ROOT + folder);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    globalThis[CURRENT] = this.requireModuleOrMock(path, '@jest/globals');
    const run = (runs.get(path) ?? 0) + 1;
    runs.set(path, run);
    const { href } = pathToFileURL(path);
    return import(`${href}?file=${href.slice(ROOT.length)}&run=${run}`);
  }

  /** Jest asks for jest-circus: a new one for each file, because its state is that of its module. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  teardown() {
    super.teardown();
    // What was compiled helps the processes that tests start; and a worker that had it all to write when it ends would
    // take longer for that than Jest waits.
    flushCompileCache();
    for (const symbol of Object.getOwnPropertySymbols(globalThis)) {
      if (symbol === CURRENT || CIRCUS_STATES.has(symbol.description)) delete globalThis[symbol];
    }
  }
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const query = context.parentURL?.startsWith(ROOT) ? new URL(context.parentURL).search : '';
    if (specifier === '@jest/globals') return { url: GLOBALS + query, format: 'module', shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    const isOwn = query !== '' && ownModules.some((prefix) => resolved.url.startsWith(prefix));
    return isOwn ? { ...resolved, url: resolved.url + query } : resolved;
  },
});
