import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Faults } from '../../../src/base/configuration-faults.ts';
import type { Comparison } from '../../../src/openapi/diff/change.ts';
import { compareDocuments } from '../../../src/openapi/diff/compare-documents.ts';
import { readUpstreamDocument, type UpstreamDocument } from '../../../src/openapi/upstream-document.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** Reads a document, which must have no errors. */
export function readSound(file: string): UpstreamDocument {
  const faults = new Faults();
  const document = readUpstreamDocument(file, {}, faults);
  if (faults.count > 0) throw new Error(`${file}: ${faults.lines.join('; ')}`);
  return document;
}

/** Compares two documents of OpenAPI 3.1, or of the version that their fields name. */
export function compareFields(before: object, after: object, limits?: object): Comparison {
  const folder = tempFolder();
  try {
    const [one, other] = [before, after].map((fields, index) => {
      const file = join(folder.path, `${index}.json`);
      const document = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {}, ...fields };
      writeFileSync(file, JSON.stringify(document));
      return readSound(file);
    });
    if (one === undefined || other === undefined) throw new Error('two documents are needed');
    return compareDocuments(one, other, limits);
  } finally {
    folder.remove();
  }
}

/** Formats the changes as lines with severity, operation and message. */
export function listLines({ changes }: Comparison): string[] {
  return changes.map(
    ({ severity, operation, message }) =>
      `${severity}: ${operation === null ? '' : `${operation.method} ${operation.path}: `}${message}`,
  );
}
