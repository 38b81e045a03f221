import { rmSync } from 'node:fs';

/** Runs after the last test file. */
export default async function tearDown() {
  await globalThis.browserServer?.close();
  rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
}
