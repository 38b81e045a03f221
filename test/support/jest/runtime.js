import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';

const require = createRequire(import.meta.url);
const ROOT = new URL('../../../', import.meta.url).href;
const GLOBALS = new URL('globals.js', import.meta.url).href;

/** Holds what `globals.js` exports to the test file that is being loaded. */
const CURRENT = Symbol.for('test.globals');

/** Modules whose URL begins with one of these are loaded again for each test file, except those in `ONCE`. */
let ownModules = [`${ROOT}test/`];
/** Helpers that prepare something expensive, declare no hooks and hold nothing of a test file. */
const ONCE = `${ROOT}test/support/once/`;
/** Number of runs of each test file in this process. Watch mode runs a file more than once. */
const runs = new Map();

/**
 * Runs test files with Node's own module loader. Jest would create a realm for each file and load, link and optimize
 * the gateway and its dependencies again; here a worker does it once. Test files share the modules of the gateway,
 * which have no global state, but not the test helpers, which declare hooks and hold what they started. So the URL of a
 * test file gets a query, which modules that it imports from `test/` inherit.
 */
export default class NativeRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { watch, watchAll } = args.at(-1);
    // In watch mode, edited modules must be loaded again.
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

  /** Jest loads jest-circus through this. It keeps its state in the module, so each file needs a new instance. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  teardown() {
    super.teardown();
    // Makes compiled code available to the processes that tests start. Writing all of it when the worker ends would
    // take longer than Jest waits.
    flushCompileCache();
  }
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const query = context.parentURL?.startsWith(ROOT) ? new URL(context.parentURL).search : '';
    if (specifier === '@jest/globals') return { url: GLOBALS + query, format: 'module', shortCircuit: true };
    const resolved = nextResolve(specifier, context);
    const isOwn = ownModules.some((prefix) => resolved.url.startsWith(prefix)) && !resolved.url.startsWith(ONCE);
    return isOwn && query !== '' ? { ...resolved, url: resolved.url + query } : resolved;
  },
});
