/**
 * Loaded before a program: says at its end which packages of OpenTelemetry it has loaded, or the file that the build has
 * put them in. Not the one that prom-client loads for itself, the API, which does nothing without the SDK.
 */
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
process.on('exit', () => loaded.forEach((name) => writeSync(1, `\nloaded ${name}\n`)));

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [name] = /^@opentelemetry\/[^/]+|open-tracing(?=-[^/]+\.js$)/.exec(specifier) ?? [];
    const isOfOthers = context.parentURL?.includes('/node_modules/prom-client/') === true;
    if (name !== undefined && !isOfOthers) loaded.add(name);
    return nextResolve(specifier, context);
  },
});
