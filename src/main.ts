/**
 * The entry point. Handles signals before loading anything else, because loading takes a good part of a second. Until a
 * signal has a handler, the first process of a container does not receive it, not even if it should end the process.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { endOnSignal } from './process/end-on-signal.ts';

endOnSignal();
// Cache compiled code, so that the next start is quick. If the cache cannot be written, starts only take longer.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
const { start } = await import('./start.ts');
await start();
