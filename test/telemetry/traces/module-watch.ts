/**
 * Is loaded before a program. At exit, it prints which OpenTelemetry packages the program has loaded, or the file into
 * which the build bundles them. It ignores the API that prom-client loads, which does nothing without the SDK.
 */
import { writeSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set<string>();
process.on('exit', () => loaded.forEach((name) => writeSync(1, `\nloaded ${name}\n`)));

registerHooks({
  resolve(specifier, context, nextResolve) {
    const [name] = /^@opentelemetry\/[^/]+|open-tracing(?=-[^/]+\.js$)/.exec(specifier) ?? [];
    const isFromPromClient = context.parentURL?.includes('/node_modules/prom-client/') === true;
    if (name !== undefined && !isFromPromClient) loaded.add(name);
    return nextResolve(specifier, context);
  },
});
