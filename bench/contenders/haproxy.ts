import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS, PET_PATH, STATIC_KEY } from '../lab/lab.ts';
import { isAccepting, findFreePort } from '../lab/ports.ts';
import { startProgram, waitUntil } from '../lab/process.ts';
import { tools } from '../lab/tools.ts';
import type { Contender } from './contender.ts';

export const haproxy: Contender = {
  name: 'haproxy',
  title: 'HAProxy, map and stick tables',
  differs: 'static key map; no Redis: sliding windows in its own memory, which are not shared and are lost on restart',
  needs: [tools.haproxy],
  async start(lab) {
    const port = await findFreePort();
    const folder = lab.folder('haproxy');
    writeFileSync(join(folder, 'keys.map'), `${STATIC_KEY} acme\n`);
    const config = lab.configure('haproxy.cfg', folder, {
      PORT: port,
      FOLDER: folder,
      UPSTREAM_PORT: lab.upstream.port,
      MINUTE_LIMIT: LIMITS.minute,
      DAY_LIMIT: LIMITS.day,
    });
    const program = startProgram(lab.core, 'haproxy', ['-db', '-f', config]);
    await waitUntil(program, () => isAccepting(port));
    return {
      pids: () => program.pids(),
      url: `http://127.0.0.1:${port}${PET_PATH}`,
      headers: { 'X-API-Key': STATIC_KEY },
      status: 200,
      stop: () => program.stop(),
    };
  },
};
