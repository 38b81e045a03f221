import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ConfigError } from '../base/configuration-faults.ts';
import { StartError } from '../base/error-types.ts';
import type { ReloadEffects, Subjects } from '../control-plane/system/reload-effects.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { Environment } from './environment.ts';
import type { PreviewInput, PreviewMessage, PreviewRequest, SentDocument } from './preview-messages.ts';
import type { PreviousConfig } from './reload-effects.ts';

const WORKER_FILE = new URL('./preview-worker.ts', import.meta.url);
/** Shorter than the timeout of the commands, so that the response can say why there is no preview. */
const TIMEOUT_MS = 25_000;
const MAX_MEMORY_MB = 1024;
/** As in the thread that reads documents for a reload. */
const STACK_MB = (984 + 192) / 1024;
/** Copying this much takes less than a millisecond. */
const PIECE_LENGTH = 256 * 1024;
const PIECE_ITEMS = 500;

/** Reads the configuration in a thread, and finds the effects that a reload would have. */
export type PreviewConfig = (before: PreviousConfig, subjects: Subjects) => Promise<ReloadEffects>;

/**
 * Creates a function that previews a reload without blocking requests. It rejects with a `StartError` if the
 * configuration cannot be used, or its documents need too much time or memory.
 */
export function createPreview(processEnv: Environment, cwd: string): PreviewConfig {
  return function previewConfig(before, subjects) {
    return previewInThread({ processEnv: { ...processEnv }, cwd }, before, subjects);
  };
}

async function previewInThread(
  workerData: PreviewInput,
  before: PreviousConfig,
  subjects: Subjects,
): Promise<ReloadEffects> {
  const worker = new Worker(WORKER_FILE, {
    workerData,
    name: 'preview',
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB, stackSizeMb: STACK_MB },
  });
  worker.unref();
  // Node forwards the output to the streams of this process, so only errors need a listener.
  for (const output of [worker.stdout, worker.stderr]) output.on('error', () => {});
  let timer: NodeJS.Timeout | undefined;
  try {
    const message = await new Promise<PreviewMessage>((resolve, reject) => {
      const fail = (why: string) => reject(new StartError(`the configuration could not be compared: ${why}`));
      worker.on('message', resolve);
      worker.on('error', (error) => {
        const { code } = error as NodeJS.ErrnoException;
        fail(code === 'ERR_WORKER_OUT_OF_MEMORY' ? `it needs more than ${MAX_MEMORY_MB} MB of memory` : String(error));
      });
      worker.on('exit', () => fail('the thread that did it has exited'));
      timer = setTimeout(() => fail(`it takes longer than ${TIMEOUT_MS / 1000} s`), TIMEOUT_MS).unref();
      sendConfiguration(worker, before, subjects).catch(reject);
    });
    if (message.kind === 'refused') throw new ConfigError(message.faults, message.remedies);
    return message.effects;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

/** Sends the configuration in force, and lets requests be served in between. */
async function sendConfiguration(
  worker: Worker,
  { fixed, live, files }: PreviousConfig,
  { keys, ...subjects }: Subjects,
): Promise<void> {
  const send = async (message: PreviewRequest) => {
    await nextTurn();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(message);
  };
  for (const [part, { settings }] of [['fixed', fixed] as const, ['live', live] as const]) {
    for (const some of slices(settings)) await send({ kind: 'settings', part, settings: some });
  }
  for (const some of slices(keys)) await send({ kind: 'keys', keys: some });
  for (const [index, { document, candidateDocument = null, ...upstream }] of live.upstreams.entries()) {
    const texts = [
      document.source.text,
      ...document.source.overlays.map(({ text }) => text),
      ...(candidateDocument === null ? [] : [candidateDocument.source.text]),
    ];
    for (const [number, text] of texts.entries()) {
      for (let start = 0; start < text.length; start += PIECE_LENGTH)
        await send({ kind: 'text', upstream: index, number, text: text.slice(start, start + PIECE_LENGTH) });
    }
    await send({
      kind: 'upstream',
      upstream: {
        ...upstream,
        document: withoutTexts(document),
        candidateDocument: candidateDocument && withoutTexts(candidateDocument),
      },
    });
  }
  const { plans, portal } = live;
  await send({ kind: 'compare', before: { files, plans, portal: { pages: portal.pages } }, subjects });
}

function slices<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / PIECE_ITEMS);
  return Array.from({ length: count }, (_, index) => items.slice(index * PIECE_ITEMS, (index + 1) * PIECE_ITEMS));
}

function withoutTexts({ file, source }: UpstreamDocument): SentDocument {
  return { file, options: source.options, overlays: source.overlays.map((overlay) => overlay.file) };
}
