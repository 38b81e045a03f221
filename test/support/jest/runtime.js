import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';

const require = createRequire(import.meta.url);
const ROOT = new URL('../../../', import.meta.url).href;
const GLOBALS = new URL('globals.js', import.meta.url).href;

/** The symbol under which `globals.js` finds the exports for the test file that is being loaded. */
const CURRENT = Symbol.for('test.globals');

/** The beginnings of the URLs of modules that are loaded again for each test file, except for those in `ONCE`. */
let ownModules = [`${ROOT}test/`];
/**
 * The folder of helpers that stay loaded. They prepare something expensive, declare no hooks, and store nothing about a
 * test file.
 */
const ONCE = `${ROOT}test/support/once/`;
/** The number of runs of each test file in this process. In watch mode, a file runs more than once. */
const runs = new Map();

/**
 * Runs test files with Node's own module loader. Jest would create a realm for each file, and load, link and optimize
 * the gateway and its dependencies every time. Here, a worker does that once. Test files share the modules of the
 * gateway, which have no global state. They do not share the test helpers, which declare hooks and remember what they
 * started. So the URL of a test file gets a query, which the modules that it imports from `test/` inherit.
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

  /**
   * Jest loads jest-circus with this method. The module of jest-circus contains its state, so each file needs a new
   * instance.
   */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  teardown() {
    super.teardown();
    // Write the compiled code now, so that the processes which tests start can use it. Writing everything when the
    // worker ends would take longer than Jest waits.
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
