import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMap, parseDocument, type YAMLMap } from 'yaml';
import { root } from '../../support/gateway/gateway.ts';
import type { DocumentScript } from './document-scripts.ts';
import { mutate } from './mutate.ts';

/** The document of the fuzzed upstream. */
export const FUZZED = 'fuzzed.openapi.yaml';
const CONFIGURATION = 'gateway.yaml';
const PLANS = 'plans.yaml';

const DOCUMENTS = {
  clock: 'examples/clock/clock.openapi.yaml',
  contract: 'test/support/services/contract.openapi.yaml',
  lifecycle: 'test/support/services/lifecycle.openapi.yaml',
  publishing: 'test/support/services/publishing.openapi.yaml',
  everything: 'test/fuzz/document/everything.openapi.yaml',
  swagger: 'test/fuzz/document/everything.swagger.yaml',
  petstore: 'config/petstore.openapi.yaml',
} as const;
const shipped = (file: string) => readFileSync(join(root, file), 'utf8');

/** The configuration files, which scripts change. */
export class ConfigurationFiles {
  readonly folder: string;
  readonly #originals: ReadonlyMap<string, string>;

  constructor(folder: string) {
    this.folder = folder;
    this.#originals = new Map([FUZZED, CONFIGURATION, PLANS].map((name) => [name, this.#read(name)]));
  }

  /** Changes one file and restores the others. */
  write(script: DocumentScript): void {
    this.restore();
    const { base, validation } = script;
    if (validation !== undefined) this.#write(CONFIGURATION, setValidation(this.#read(CONFIGURATION), validation));
    if (base === 'configuration') this.#write(CONFIGURATION, mutate(this.#everySetting(), script));
    else if (base === 'plans') this.#write(PLANS, mutate(this.#read(PLANS), script));
    else this.#write(FUZZED, mutate(shipped(DOCUMENTS[base]), script));
  }

  restore(): void {
    for (const [name, text] of this.#originals) this.#write(name, text);
  }

  /** The shipped configuration, which has every setting, with the upstreams of the fuzzed gateway. */
  #everySetting(): string {
    const document = parseDocument(shipped('config/gateway.yaml'));
    const own = parseDocument(this.#read(CONFIGURATION)).contents as YAMLMap;
    for (const key of ['upstreams', 'adminTokens', 'guard']) document.set(key, own.get(key, true));
    // Remove settings that come from the environment (`database`, `store`), and `demo`, which would fill the database.
    if (isMap(document.contents)) for (const key of ['database', 'store', 'demo']) document.contents.delete(key);
    return document.toString();
  }

  #read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  #write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}

function setValidation(configuration: string, mode: string): string {
  const document = parseDocument(configuration);
  document.setIn(['upstreams', 1, 'validation'], mode);
  return document.toString();
}

/** Writes a valid document for the fuzzed upstream. */
export function writeGoodDocument(folder: string): void {
  writeFileSync(join(folder, FUZZED), shipped(DOCUMENTS.clock));
}
