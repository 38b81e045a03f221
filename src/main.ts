/**
 * The entry point. Handles signals before loading anything else: loading takes a good part of a second, and the first
 * process of a container receives no signal it has no handler for, not even one that should end it.
 */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { endOnSignal } from './process/end-on-signal.ts';

endOnSignal();
// Compiled code, so that the next start is quick. Where it cannot be written, the start takes longer, and that is all.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
const { start } = await import('./start.ts');
await start();
