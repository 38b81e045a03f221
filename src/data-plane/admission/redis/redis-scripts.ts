import { readFileSync } from 'node:fs';
import type { RedisClient } from '../../../storage/redis/redis-connection.ts';
import type { BanPolicy } from '../ban-rules.ts';
import type { BatchReply, Reply } from './redis-reply.ts';

/** Calls a script with the number of keys, the keys, and the arguments. redis-reply.ts describes the reply. */
type Script<ScriptReply> = (...input: (number | string)[]) => Promise<ScriptReply>;

export interface Scripts {
  readonly admit: Script<BatchReply>;
  readonly inspect: Script<Reply>;
  readonly ban: Script<Reply>;
  readonly lift: Script<Reply>;
  readonly reset: Script<Reply>;
  readonly probe: Script<Reply>;
}

/** File names of the scripts, without extension. */
const FILES: Readonly<Record<keyof Scripts, string>> = {
  admit: 'admit',
  inspect: 'inspect',
  ban: 'ban-by-hand',
  lift: 'lift',
  reset: 'reset',
  probe: 'probe',
};

/**
 * Defines the scripts on a client. The client sends their hashes, and their source only if the server does not have it.
 *
 * @param clock the Lua source of `time` and `keep`; tests pass a clock that they can set
 */
export function defineScripts(client: RedisClient, policy: BanPolicy, clock: string = readSource('clock')): Scripts {
  const parts = ['state-fields', 'bans', 'expiry', 'stored-state', 'windows', 'month'].map(readSource);
  const head = [formatPolicyConstants(policy), clock, ...parts].join('\n');
  const scripts = Object.entries(FILES).map(([name, file]) => {
    const command = `tollgate_${name}`;
    client.defineCommand(command, { lua: `${head}\n${readSource(file)}` });
    const send = (client as unknown as Record<string, Script<unknown>>)[command];
    if (send === undefined) throw new Error(`the Redis client did not define ${command}`);
    return [name, send.bind(client)] as const;
  });
  return Object.fromEntries(scripts) as unknown as Scripts;
}

function readSource(name: string): string {
  return readFileSync(new URL(`lua/${name}.lua`, import.meta.url), 'utf8');
}

/**
 * Formats the ban policy as Lua constants. They are part of the scripts' source, and not arguments of every call,
 * because the policy does not change while a gateway runs.
 */
function formatPolicyConstants({
  strikes,
  withinMs,
  graceMs,
  patienceMs,
  durationsMs,
  forgiveAfterMs,
}: BanPolicy): string {
  return [
    `local STRIKES, WITHIN, GRACE, PATIENCE = ${strikes}, ${withinMs}, ${graceMs}, ${patienceMs}`,
    `local FORGIVE_AFTER = ${forgiveAfterMs}`,
    `local DURATIONS = { ${durationsMs.join(', ')} }`,
  ].join('\n');
}
