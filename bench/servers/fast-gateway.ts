import type Gateway from 'fast-gateway';
import { settings } from './settings.ts';
import { createKeyAndLimits } from './two-limiters.ts';

/** The name under which the package is installed, because two of its versions are measured. */
const name = process.env['PACKAGE'] ?? 'fast-gateway';
const { default: gateway } = (await import(name)) as { default: typeof Gateway };

await gateway({
  middlewares: [createKeyAndLimits(name)],
  routes: [{ prefix: '', target: settings.upstream }],
}).start(settings.port, '127.0.0.1');
