/**
 * Reads the configuration and its documents. A reload runs this in a thread, because parsing a large document takes
 * seconds.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { ConfigError } from '../base/configuration-faults.ts';
import { splitJson } from './json-parts.ts';
import { type DocumentMessage, documentsIn, type WorkerInput } from './openapi-messages.ts';
import { loadWithNamedFiles } from './named-files.ts';

function readConfiguration({ processEnv, cwd }: WorkerInput): DocumentMessage {
  try {
    const { upstreams } = loadWithNamedFiles(processEnv, cwd).live;
    return { kind: 'read', documents: documentsIn(upstreams).map(splitJson) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { kind: 'refused', faults: error.faults, remedies: error.remedies };
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(readConfiguration(workerData as WorkerInput));
