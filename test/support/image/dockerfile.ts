import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';

/** One instruction of a Dockerfile, with its continuation lines joined. */
export interface Instruction {
  /** The name of the instruction in capitals, such as `COPY`. */
  readonly name: string;
  readonly rest: string;
}

/** A stage of a Dockerfile, which begins with a `FROM`. */
interface Stage {
  /** The name of the stage (`FROM … AS name`), or its number if it has none. */
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

export function readStages(file: string): Stage[] {
  const lines = readFileSync(file, 'utf8')
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  const stages: { name: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === 'FROM') {
      const [, given] = / AS (\S+)$/i.exec(rest) ?? [];
      stages.push({ name: given ?? String(stages.length), instructions: [] });
    } else if (name !== '') {
      stages.at(-1)?.instructions.push({ name, rest });
    }
  }
  return stages;
}

/**
 * Copies the files that a `COPY` names, like an engine. Leaves out files that `.dockerignore` excludes.
 *
 * @param rest the text after `COPY`; options are ignored
 * @throws if a source is missing
 */
export function copyAsDocker(rest: string, context: string, workFolder: string): void {
  const paths = rest.split(/\s+/).filter((word) => !word.startsWith('--'));
  const to = paths.pop() ?? '';
  const target = join(workFolder, to);
  const isIgnored = readIgnored(context);
  for (const path of paths) {
    const source = join(context, path);
    if (isIgnored(path)) throw new Error(`COPY ${path}: .dockerignore excludes it`);
    const isFolder = statSync(source).isDirectory();
    const destination = !isFolder && (to.endsWith('/') || paths.length > 1) ? join(target, basename(path)) : target;
    mkdirSync(dirname(destination), { recursive: true });
    cpSync(source, destination, {
      recursive: true,
      filter: (from) => from === source || !isIgnored(from.slice(context.length + 1)),
    });
  }
}

/** Reads `.dockerignore`. The last pattern that matches a path, or a folder above it, decides. */
function readIgnored(context: string): (path: string) => boolean {
  let text = '';
  try {
    text = readFileSync(join(context, '.dockerignore'), 'utf8');
  } catch {
    // There is no such file, so nothing is excluded.
  }
  const patterns = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  return (path) => {
    const parts = path.replace(/^\.\//, '').split('/');
    const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const deciding = patterns.findLast((each) => {
      const pattern = each.replace(/^!/, '');
      return folders.some((folder) => matchesGlob(folder, pattern));
    });
    return deciding !== undefined && !deciding.startsWith('!');
  };
}
