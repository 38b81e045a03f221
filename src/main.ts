/**
 * Where the process begins. Nothing else is loaded here before signals are heard: loading takes a good part of a second,
 * and the first process of a container gets no signal that it does not listen for, not even one to end it.
 */
import { endOnSignal } from './server/early-signals.ts';

endOnSignal();
const { start } = await import('./start.ts');
await start();
