/**
 * The entry point. It handles signals before loading anything else, because loading takes a good part of a second, and
 * the first process of a container ignores every signal that has no handler.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { endOnSignal } from './process/end-on-signal.ts';
import { keepNewSpaceSmall } from './process/garbage-collector.ts';

endOnSignal();
keepNewSpaceSmall();
// Cache compiled code to speed up the next start. If the cache cannot be written, starts just take longer.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
const { start } = await import('./start.ts');
await start();
