import { Worker } from 'node:worker_threads';
import { ConfigError } from '../base/configuration-faults.ts';
import { StartError } from '../base/error-types.ts';
import { findSame, type UpstreamDocument, withValidators } from '../openapi/upstream-document.ts';
import { joinJson, type JsonPart } from './json-parts.ts';
import { type DocumentMessage, documentsIn, type SentDocument, type WorkerInput } from './openapi-messages.ts';
import type { Environment } from './environment.ts';
import type { Config, LiveConfig } from './config.ts';
import { areDocumentsKnown } from './load.ts';
import { loadWithNamedFiles } from './named-files.ts';

const WORKER_FILE = new URL('./openapi-worker.ts', import.meta.url);
const READ_TIMEOUT_MS = 60_000;
/**
 * The stack size of the main thread (984 KB) and the 192 KB that Node reserves. With the same size, a document that is
 * nested too deeply gets the same error as at a start.
 */
const STACK_MB = (984 + 192) / 1024;

/**
 * Like `loadWithNamedFiles`, but without blocking requests. If any document has changed, a thread parses and checks the
 * documents.
 *
 * @throws StartError if the configuration cannot be used
 */
export async function loadInThread(
  processEnv: Environment,
  cwd: string,
  { upstreams }: Pick<LiveConfig, 'upstreams'>,
): Promise<Config> {
  const known = documentsIn(upstreams);
  if (areDocumentsKnown(processEnv, cwd, known)) return loadWithNamedFiles(processEnv, cwd, known);
  const documents: UpstreamDocument[] = [];
  for (const parts of await readInThread({ processEnv: { ...processEnv }, cwd })) {
    const document = await rebuildDocument(parts);
    documents.push(findSame(known, { file: document.file, ...document.source }) ?? document);
  }
  return loadWithNamedFiles(processEnv, cwd, documents);
}

async function readInThread(workerData: WorkerInput): Promise<readonly (readonly JsonPart[])[]> {
  const worker = new Worker(WORKER_FILE, { workerData, name: 'documents', resourceLimits: { stackSizeMb: STACK_MB } });
  worker.unref();
  // Node forwards the output to the streams of this process, so only errors need a listener.
  for (const output of [worker.stdout, worker.stderr]) output.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<DocumentMessage>((resolve, reject) => {
      const fail = (why: string) => reject(new StartError(`the configuration could not be read again: ${why}`));
      worker.on('message', resolve);
      worker.on('error', (error) => fail(String(error)));
      worker.on('exit', () => fail('the thread that read it has exited'));
      timer = setTimeout(() => fail(`it took longer than ${READ_TIMEOUT_MS / 1000} s`), READ_TIMEOUT_MS).unref();
    });
    if (message.kind === 'refused') throw new ConfigError(message.faults, message.remedies);
    return message.documents;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

async function rebuildDocument(parts: readonly JsonPart[]): Promise<UpstreamDocument> {
  const document = (await joinJson(parts)) as SentDocument;
  return { ...document, eventTypes: await withValidators(document.value, document.eventTypes) };
}
