/** The objects that a test file may change for the whole process. They are restored after the file. */
const SHARED_OBJECTS = [globalThis, process, process.stdout, process.stderr, Date, Error, JSON, Math, performance];
/**
 * The symbols of packages that stay loaded from one file to the next and keep their state in `globalThis`, such as the
 * pool of `fetch` and the matchers of `expect`. They are not restored. The environment closes the pool of `fetch` after
 * each file and creates a new one.
 */
const OF_LOADED_PACKAGES = /^(?:undici|opentelemetry|nodejs|signal-exit)\b|^\$\$jest-matchers-object$/;
/** The fields in which emitters keep their listeners and count them. They are restored together. */
const LISTENERS = new Set(['_events', '_eventsCount']);

/**
 * Saves everything that a test file can change for the whole process: global values, environment, working directory,
 * file mode mask, exit code, and the listeners of the process.
 *
 * @returns a function that restores all of this
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
