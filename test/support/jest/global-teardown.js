import { once } from 'node:events';

/** Runs after the last test file. It ends the program that started the shared servers, and the program stops them. */
export default async function tearDown() {
  const program = globalThis.runServers;
  if (!program.connected) return;
  program.ref();
  const ended = once(program, 'exit');
  program.disconnect();
  await ended;
}
