/** Objects of the process that a test file may change for the files after it. */
const SHARED_OBJECTS = [globalThis, process, process.stdout, process.stderr, Date, Error, JSON, Math, performance];
/**
 * Symbols of packages that stay loaded from one file to the next and keep their state in `globalThis`, such as the pool
 * of `fetch` and the matchers of `expect`. They are not restored: the environment closes the pool of `fetch` after each
 * file and makes a new one.
 */
const OF_LOADED_PACKAGES = /^(?:undici|opentelemetry|nodejs)\b|^\$\$jest-matchers-object$/;
/** How emitters keep their listeners: which ones there are, and how many events have some. They change together. */
const LISTENERS = new Set(['_events', '_eventsCount']);

/**
 * Saves what a test file can change for the whole process: global values, environment, working directory, file mode
 * mask, exit code, and listeners of the process.
 *
 * @returns a function that restores all of it
 */
export function saveProcessState() {
  const objects = SHARED_OBJECTS.map((object) => [object, Object.getOwnPropertyDescriptors(object)]);
  const env = { ...process.env };
  const folder = process.cwd();
  const mask = process.umask();
  const { exitCode } = process;
  const listeners = processListeners();
  return () => {
    for (const [object, properties] of objects) restoreProperties(object, properties);
    restoreEnvironment(env);
    process.chdir(folder);
    process.umask(mask);
    process.exitCode = exitCode;
    for (const [event, listener] of processListeners()) {
      if (!listeners.some(([name, known]) => name === event && known === listener)) process.off(event, listener);
    }
  };
}

function processListeners() {
  return process.eventNames().flatMap((event) => process.rawListeners(event).map((listener) => [event, listener]));
}

function restoreProperties(object, properties) {
  for (const key of Reflect.ownKeys(object).filter(isRestored)) {
    if (!Object.hasOwn(properties, key)) delete object[key];
  }
  for (const key of Reflect.ownKeys(properties).filter(isRestored)) {
    const [before, now] = [properties[key], Object.getOwnPropertyDescriptor(object, key)];
    const isSame = now !== undefined && ['value', 'get', 'set'].every((part) => Object.is(before[part], now[part]));
    if (!isSame) Object.defineProperty(object, key, before);
  }
}

function isRestored(key) {
  return typeof key === 'symbol' ? !OF_LOADED_PACKAGES.test(key.description) : !LISTENERS.has(key);
}

function restoreEnvironment(env) {
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
}
