import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import type { Faults } from './configuration-faults.ts';

/** A YAML (or JSON) file, with the line of each value. */
export interface YamlFile {
  readonly path: string;
  readonly value: unknown;
  /** `file:line` of the value at a path, or of its nearest ancestor that the file has. */
  readonly locate: (path: readonly PropertyKey[]) => string;
}

/** Reads a file. If it cannot be read, adds the reason to the faults and returns null. */
export function readYaml(path: string, faults: Faults): YamlFile | null {
  const text = readText(path, faults);
  return text === null ? null : parseYaml(path, text, faults);
}

/** Like `readYaml`, of the text alone. */
export function readText(path: string, faults: Faults): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    faults.add(
      path,
      '',
      `cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}): check the path and its permissions`,
    );
    return null;
  }
}

/** Like `readYaml`, of a file that was read. */
export function parseYaml(path: string, text: string, faults: Faults): YamlFile | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  for (const error of document.errors) {
    faults.add(`${path}:${lines.linePos(error.pos[0]).line}`, '', `is not valid YAML: ${error.message}`);
  }
  if (document.errors.length > 0) return null;
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    faults.add(path, '', `is not valid YAML: ${(error as Error).message}`);
    return null;
  }
  return {
    path,
    value,
    locate(at) {
      for (let depth = at.length; depth >= 0; depth--) {
        const node = document.getIn(at.slice(0, depth), true) as { range?: [number, number, number] } | undefined;
        if (node?.range) return `${path}:${lines.linePos(node.range[0]).line}`;
      }
      return path;
    },
  };
}
