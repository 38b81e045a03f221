/**
 * The entry point. Handles signals before loading anything else: loading takes a good part of a second, and the first
 * process of a container receives no signal it has no handler for, not even one that should end it.
 */
import { endOnSignal } from './server/early-signals.ts';

endOnSignal();
const { start } = await import('./start.ts');
await start();
