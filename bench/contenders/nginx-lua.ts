import { join } from 'node:path';
import { LIMITS, PET, PET_PATH, STATIC_KEY, benchFolder, startNginx, type Lab } from '../lab/lab.ts';
import { isAccepting, findFreePort } from '../lab/ports.ts';
import { waitUntil } from '../lab/process.ts';
import { NGINX_MODULES, tools } from '../lab/tools.ts';
import type { Contender, Running } from './contender.ts';

const needs = [tools.nginx, tools.nginxLua, tools.luaRedis];

/**
 * The fastest gateway with these limits that needs no compiled code of its own: one worker, one script, pooled
 * connections.
 */
export const nginxLua: Contender = {
  name: 'nginx-lua',
  title: 'nginx, Lua, lua-nginx-redis, both windows in one script',
  differs: 'static key map; no bans, no metrics',
  redis: { command: 'eval', calls: 1 },
  needs,
  start: (lab) => startNginxLua(lab, PET_PATH),
};

export const nginxLuaFixed: Contender = {
  name: 'nginx-lua-fixed',
  title: 'the same, without an upstream',
  differs: 'static key map; no bans, no metrics; no service behind it: returns a fixed pet',
  redis: { command: 'eval', calls: 1 },
  needs,
  start: (lab) => startNginxLua(lab, `/fixed${PET_PATH}`),
};

async function startNginxLua(lab: Lab, path: string): Promise<Running> {
  const port = await findFreePort();
  const folder = lab.folder('nginx-lua');
  const config = lab.configure('nginx-lua.nginx.conf', folder, {
    PORT: port,
    FOLDER: folder,
    MODULES: NGINX_MODULES,
    CONFIGS: join(benchFolder, 'configs'),
    UPSTREAM_PORT: lab.upstream.port,
    REDIS_PORT: lab.redis.port,
    MINUTE_LIMIT: LIMITS.minute,
    DAY_LIMIT: LIMITS.day,
    API_KEY: STATIC_KEY,
    PET,
  });
  const program = startNginx(lab.core, config, folder);
  await waitUntil(program, () => isAccepting(port));
  return {
    pids: () => program.pids(),
    url: `http://127.0.0.1:${port}${path}`,
    headers: { 'X-API-Key': STATIC_KEY },
    status: 200,
    stop: () => program.stop(),
  };
}
