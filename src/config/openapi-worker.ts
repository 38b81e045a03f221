import { parentPort, workerData } from 'node:worker_threads';
import { ConfigError } from '../base/configuration-faults.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { UpstreamDocument } from '../openapi/upstream-document.ts';
import type { DocumentMessage, DocumentParts, DocumentRest, WorkerInput } from './openapi-messages.ts';
import { loadWithNamedFiles } from './named-files.ts';

/** The thread in which a reload reads the configuration and its documents: a large one takes seconds. */

const PER_PART = 100;

function read({ given, cwd }: WorkerInput): DocumentMessage {
  try {
    const { upstreams } = loadWithNamedFiles(given, cwd);
    return { kind: 'read', documents: upstreams.map(({ document }) => partsOf(document)) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: 'refused', faults: error.faults };
  }
}

function partsOf({ value, operations, ...rest }: UpstreamDocument): DocumentParts {
  const entries: DocumentParts['entries'][number][] = [];
  const emptied = (object: JsonObject, at: readonly string[]): JsonObject => {
    for (const some of chunksOf(Object.entries(object))) {
      entries.push({ at, json: JSON.stringify(Object.fromEntries(some)) });
    }
    return {};
  };
  const small: DocumentRest = { ...rest, value: mapLarge(value, emptied) };
  return {
    rest: JSON.stringify(small),
    operations: chunksOf(operations).map((some) => JSON.stringify(some)),
    entries,
  };
}

/** Replaces the objects of a document that may have thousands of entries. */
function mapLarge(value: JsonObject, replace: (object: JsonObject, at: readonly string[]) => JsonObject): JsonObject {
  const { paths, components } = value;
  const kinds = Object.entries(isObject(components) ? components : {}).map(([kind, entries]): [string, unknown] => [
    kind,
    isObject(entries) ? replace(entries, ['components', kind]) : entries,
  ]);
  return {
    ...value,
    ...(isObject(paths) ? { paths: replace(paths, ['paths']) } : {}),
    ...(isObject(components) ? { components: Object.fromEntries(kinds) } : {}),
  };
}

function chunksOf<T>(list: readonly T[]): T[][] {
  const chunks: T[][] = [];
  for (let start = 0; start < list.length; start += PER_PART) chunks.push(list.slice(start, start + PER_PART));
  return chunks;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(read(workerData as WorkerInput));
