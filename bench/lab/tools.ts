import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './process.ts';

/** A program or file that does not come from npm, and the Debian package that contains it. */
export interface Tool {
  readonly name: string;
  readonly package: string;
  present(): boolean;
}

function program(name: string, from = name): Tool {
  return { name, package: from, present: () => isOnPath(name) };
}

function file(name: string, path: string, from: string): Tool {
  return { name, package: from, present: () => existsSync(path) };
}

export const NGINX_MODULES = '/usr/lib/nginx/modules';

export const tools = {
  taskset: program('taskset', 'util-linux'),
  wrk: program('wrk'),
  redis: program('redis-server'),
  nginx: program('nginx'),
  haproxy: program('haproxy'),
  nginxLua: file("nginx's Lua module", join(NGINX_MODULES, 'ngx_http_lua_module.so'), 'libnginx-mod-http-lua'),
  luaRedis: file('lua-nginx-redis', '/usr/share/lua/5.1/nginx/redis.lua', 'lua-nginx-redis'),
} satisfies Record<string, Tool>;

/** Tools without which nothing can be measured. If any other tool is missing, only a contender is skipped. */
export const essential: readonly Tool[] = [tools.taskset, tools.wrk, tools.redis, tools.nginx];

export function missing(wanted: readonly Tool[]): Tool[] {
  return wanted.filter((tool) => !tool.present());
}

/** Installs packages; needs root on Debian or a derivative. */
export async function install(wanted: readonly Tool[]): Promise<void> {
  await output('apt-get', ['update']);
  await output('apt-get', ['install', '--yes', '--no-install-recommends', ...wanted.map((tool) => tool.package)], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}

/** nginx is in sbin, which may be missing from PATH. */
process.env['PATH'] = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin:/sbin`;

function isOnPath(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
