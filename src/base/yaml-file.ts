import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { dotted, type Faults } from './configuration-faults.ts';
import { MAX_DEPTH, YamlValues } from './yaml-values.ts';

/** A YAML (or JSON) file, with the line of each value. */
export interface YamlFile {
  readonly path: string;
  /** As JSON can hold it; no key is `__proto__`, and nothing holds itself. */
  readonly value: unknown;
  /** `file:line` of the value at a path, or of its nearest ancestor that the file has. */
  readonly locate: (path: readonly PropertyKey[]) => string;
}

/** Faults of one file that are reported: one that YAML trips over often makes many more. */
const MAX_FAULTS = 20;

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
  const place = (offset: number) => `${path}:${lines.linePos(offset).line}`;
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // Its check takes time that is quadratic in the number of keys.
    uniqueKeys: false,
  });
  let count = 0;
  const add = (where: string, at: string, message: string) => {
    if (count++ < MAX_FAULTS) faults.add(where, at, message);
  };
  if (document.directives.yaml.version === '1.1') {
    add(place(0), '', 'declares YAML 1.1, but is read as YAML 1.2: remove the line %YAML 1.1');
  }
  const problems = [...document.errors, ...document.warnings];
  const isTooDeep = problems.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (isTooDeep) add(path, '', `is nested more than ${MAX_DEPTH} levels deep`);
  else for (const { pos, message } of problems) add(place(pos[0]), '', `is not valid YAML: ${message}`);
  if (count > 0) return null;
  const values = new YamlValues(document, (offset, at, message) => add(place(offset), dotted(at), message));
  if (count > 0) return null;
  return {
    path,
    value: values.value,
    locate(at) {
      const offset = values.offsetOf(at);
      return offset === undefined ? path : place(offset);
    },
  };
}
