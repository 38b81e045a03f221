import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './process.ts';

/** A program or file that does not come from npm, and the Debian package that contains it. */
export interface Tool {
  readonly name: string;
  readonly package: string;
  isPresent(): boolean;
}

function createProgramTool(name: string, packageName = name): Tool {
  return { name, package: packageName, isPresent: () => isOnPath(name) };
}

function createFileTool(name: string, path: string, packageName: string): Tool {
  return { name, package: packageName, isPresent: () => existsSync(path) };
}

export const NGINX_MODULES = '/usr/lib/nginx/modules';

export const tools = {
  taskset: createProgramTool('taskset', 'util-linux'),
  wrk: createProgramTool('wrk'),
  redis: createProgramTool('redis-server'),
  nginx: createProgramTool('nginx'),
  haproxy: createProgramTool('haproxy'),
  nginxLua: createFileTool(
    "nginx's Lua module",
    join(NGINX_MODULES, 'ngx_http_lua_module.so'),
    'libnginx-mod-http-lua',
  ),
  luaRedis: createFileTool('lua-nginx-redis', '/usr/share/lua/5.1/nginx/redis.lua', 'lua-nginx-redis'),
} satisfies Record<string, Tool>;

/** Tools that every measurement needs. If another tool is missing, only the contender that uses it is skipped. */
export const essentialTools: readonly Tool[] = [tools.taskset, tools.wrk, tools.redis, tools.nginx];

export function findMissing(tools: readonly Tool[]): Tool[] {
  return tools.filter((tool) => !tool.isPresent());
}

/** Installs packages; needs root on Debian or a derivative. */
export async function install(tools: readonly Tool[]): Promise<void> {
  await runCommand('apt-get', ['update']);
  await runCommand('apt-get', ['install', '--yes', '--no-install-recommends', ...tools.map((tool) => tool.package)], {
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
