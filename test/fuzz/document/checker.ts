import { request } from 'node:http';
import { pino } from 'pino';
import { runCli } from '../../../src/cli/program.ts';
import { loadWithNamedFiles } from '../../../src/config/named-files.ts';
import { startGateway } from '../../../src/gateway.ts';
import { createFirstValues } from '../../../web/portal/reference/call/first-values.ts';
import { buildCall } from '../../../web/portal/reference/call/call.ts';
import { constraintWords, typeWords } from '../../../web/portal/reference/model/constraints.ts';
import type { JsonObject } from '../../../web/portal/reference/model/document.ts';
import { operationsOf, readReference } from '../../../web/portal/reference/model/reference.ts';
import { readSchema } from '../../../web/portal/reference/model/schema.ts';
import { readOperationPart } from '../../../web/portal/reference/model/operation-part.ts';
import { readText, textsIn } from './texts.ts';
import { SAMPLES } from '../../support/samples.ts';
import { watchGlobals } from '../subject/globals.ts';
import { createUnknownEffects } from '../../../src/control-plane/system/reload-effects.ts';

/**
 * A task for the process: checking a configuration, starting a gateway with it, or rendering its API like the portal.
 */
export type Task =
  | { readonly do: 'check' | 'start'; readonly env: Readonly<Record<string, string>> }
  /** Renders the document like the portal. */
  | { readonly do: 'show'; readonly document: string };

export interface Done {
  readonly id: number;
  /** The exit code and the output of a check. */
  readonly code?: number;
  readonly out?: string;
  readonly err?: string;
  /** An unexpected exception. */
  readonly failure?: string;
  /** The global object that was modified. Null if none was. */
  readonly polluted: string | null;
}

const cwd = process.cwd();
const pollution = watchGlobals();

async function check(env: Readonly<Record<string, string>>): Promise<Partial<Done>> {
  let [out, err] = ['', ''];
  const io = {
    env,
    cwd,
    now: Date.now,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
    ask: null,
    watched: false,
    columns: null,
    ended: new AbortController().signal,
  };
  return { code: await runCli(['config', 'check'], io), out, err };
}

async function start(env: Readonly<Record<string, string>>): Promise<Partial<Done>> {
  const config = loadWithNamedFiles(env, cwd);
  // The configuration may set a long drain, so shorten it.
  const drain = { lameDuck: 0, deadline: 1000 };
  const shortened = { ...config, fixed: { ...config.fixed, drain } };
  const gateway = await startGateway(shortened, pino({ level: 'silent' }), {
    loadConfig: () => Promise.resolve(config),
    previewConfig: () => Promise.resolve(createUnknownEffects('not read')),
  });
  try {
    const status = await readStatus(`${gateway.adminUrl}/readyz`);
    return status === 200 ? {} : { failure: `the gateway is not ready: ${status}` };
  } finally {
    await gateway.drain();
  }
}

function readStatus(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false }, (response) => {
      response
        .resume()
        .on('error', reject)
        .on('end', () => resolve(response.statusCode ?? 0));
    });
    asking.on('error', reject).end();
  });
}

function show(document: string): Partial<Done> {
  const value = JSON.parse(document) as JsonObject;
  for (const listed of operationsOf(readReference(value))) {
    const { document: api, operation } = readOperationPart(value, listed);
    const call = buildCall(operation, createFirstValues(api, operation));
    for (const sample of Object.values(SAMPLES)) sample({ ...call, apiUrl: 'http://x', needsKey: true });
    const media = [...(operation.body?.media ?? []), ...operation.responses.flatMap((respond) => respond.media)];
    for (const { schema } of [...operation.parameters, ...media]) {
      const view = readSchema(api, schema);
      for (const each of [view, ...view.properties.map((one) => readSchema(api, one.schema))]) {
        typeWords(api, each);
        constraintWords(each.raw);
      }
    }
  }
  for (const text of textsIn(value)) readText(text);
  return {};
}

async function checkTask(id: number, task: Task): Promise<void> {
  let done: Partial<Done>;
  try {
    done = await (task.do === 'show' ? show(task.document) : { check, start }[task.do](task.env));
  } catch (error) {
    done = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.({ ...done, id, polluted: pollution() } satisfies Done);
}

process.on('message', ({ id, ...task }: Task & { readonly id: number }) => void checkTask(id, task as Task));
process.on('disconnect', () => process.exit());
