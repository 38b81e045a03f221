/**
 * Reads the configuration and compares it with the one in force. It runs in a thread, because parsing and comparing
 * large documents takes seconds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { ConfigError, Faults } from '../base/configuration-faults.ts';
import type { Subjects } from '../control-plane/system/reload-effects.ts';
import { findSame, NO_DOCUMENT, parseUpstreamDocument, type UpstreamDocument } from '../openapi/upstream-document.ts';
import type { Config } from './config.ts';
import { loadWithNamedFiles } from './named-files.ts';
import { documentsIn } from './openapi-messages.ts';
import type { PreviewInput, PreviewMessage, PreviewRequest, SentDocument } from './preview-messages.ts';
import { findReloadEffects, type PreviousConfig } from './reload-effects.ts';
import type { Setting } from './settings-in-force.ts';

type Sent<Kind extends PreviewRequest['kind']> = Extract<PreviewRequest, { kind: Kind }>;

const { processEnv, cwd } = workerData as PreviewInput;
const texts: string[][][] = [];
const upstreams: Sent<'upstream'>['upstream'][] = [];
const settings = { fixed: [] as Setting[], live: [] as Setting[] };
const keys: Subjects['keys'][number][] = [];

parentPort?.on('message', (message: PreviewRequest) => {
  if (message.kind === 'text') ((texts[message.upstream] ??= [])[message.number] ??= []).push(message.text);
  else if (message.kind === 'upstream') upstreams.push(message.upstream);
  else if (message.kind === 'settings') settings[message.part].push(...message.settings);
  else if (message.kind === 'keys') keys.push(...message.keys);
  else void preview(message).then(send);
});

function send(message: PreviewMessage): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(message);
}

/** An unexpected error ends the thread, which the main thread reports. */
async function preview({ before, subjects }: Sent<'compare'>): Promise<PreviewMessage> {
  let next: Config;
  try {
    next = loadWithNamedFiles(processEnv, cwd);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: 'refused', faults: error.faults, remedies: error.remedies };
  }
  const effects = await findReloadEffects(rebuild(before, next), next, { ...subjects, keys });
  return { kind: 'compared', effects };
}

/**
 * The configuration in force. Documents that have not changed are the same objects as in the next configuration, and
 * are not parsed again.
 */
function rebuild({ files, plans, portal }: Sent<'compare'>['before'], next: Config): PreviousConfig {
  const known = documentsIn(next.live.upstreams);
  return {
    fixed: { settings: settings.fixed },
    files,
    live: {
      plans,
      portal,
      settings: settings.live,
      upstreams: upstreams.map(({ document, candidateDocument, ...upstream }, index) => ({
        ...upstream,
        document: readPrevious(document, texts[index] ?? [], known),
        candidateDocument: candidateDocument === null ? null : describeCandidate(candidateDocument, texts[index] ?? []),
      })),
    },
  };
}

function readPrevious(
  { file, options, overlays }: SentDocument,
  pieces: readonly (readonly string[] | undefined)[],
  known: readonly UpstreamDocument[],
): UpstreamDocument {
  const [text = '', ...overlayTexts] = pieces.map((each) => each?.join('') ?? '');
  const source = {
    text,
    overlays: overlays.map((overlay, index) => ({ file: overlay, text: overlayTexts[index] ?? '' })),
  };
  const same = findSame(known, { file, ...source, options });
  // It was read without errors before. Its event types are not compared.
  return same ?? parseUpstreamDocument(file, source, { ...options, events: false, isCandidate: true }, new Faults());
}

/** Only the text of a candidate is compared. It comes after the texts of the document and its overlays. */
function describeCandidate(
  { file, options }: SentDocument,
  pieces: readonly (readonly string[] | undefined)[],
): UpstreamDocument {
  return { ...NO_DOCUMENT, file, source: { ...NO_DOCUMENT.source, text: pieces.at(-1)?.join('') ?? '', options } };
}
