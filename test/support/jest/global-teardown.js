import { rmSync } from 'node:fs';

/** After the last test file. */
export default function tearDown() {
  rmSync(process.env.TEST_RUN_FOLDER, { recursive: true, force: true });
}
