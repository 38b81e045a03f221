import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files whose log lines are not meant for operators: the command line and the demo service. */
const LEFT_OUT = /^src\/(cli|petstore)\//;
/** Matches a call to a logger, up to its level. */
const CALL = /[lL]ogger\.(info|warn|error|fatal)\(/g;
const LITERAL = /(?:^|[,{\s])'((?:[^'\\]|\\.)*)',?\s*$/;

/** Messages that reach the logger through a parameter, by the file that logs. */
const INDIRECT: Readonly<Record<string, { readonly level: string; readonly messages: readonly string[] }>> = {
  'src/control-plane/api-server/send-response.ts': {
    level: 'error',
    messages: ['admin request failed', 'portal request failed', 'cannot create the API'],
  },
  'src/storage/background-writes.ts': {
    level: 'error',
    messages: ['could not record the use of a console session', 'could not record the use of a portal session'],
  },
};
/** Messages of the access logs, which do not call the logger by level. */
const RESPONSES = ['response', 'admin response', 'portal response'];

/**
 * Finds the lines that the gateway can log, as `level message`.
 *
 * @throws if a message is not a literal, or if one of the indirect messages no longer exists
 */
export function findLogLines(root: string): Set<string> {
  const found = new Set<string>();
  const files = globSync('src/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const all = [...sources.values()].join('\n');
  const add = (level: string, message: string) => {
    if (!all.includes(`'${message}'`)) throw new Error(`nothing logs "${message}": change test/rules/log-calls.ts`);
    found.add(`${level} ${message}`);
  };
  for (const message of RESPONSES) add('info', message);
  for (const [file, source] of sources) {
    if (LEFT_OUT.test(file)) continue;
    for (const call of source.matchAll(CALL)) {
      const message = LITERAL.exec(argumentsFrom(source, call.index + call[0].length))?.[1];
      const indirect = INDIRECT[file];
      if (message !== undefined) found.add(`${call[1] ?? ''} ${message}`);
      else if (indirect === undefined) throw new Error(`${file}: the message of a log line is not a literal`);
      else for (const each of indirect.messages) add(indirect.level, each);
    }
  }
  return found;
}

/** Returns the text between the parentheses of a call. */
function argumentsFrom(source: string, start: number): string {
  let depth = 1;
  let end = start;
  for (; depth > 0 && end < source.length; end++) {
    if (source[end] === '(') depth += 1;
    if (source[end] === ')') depth -= 1;
  }
  return source.slice(start, end - 1);
}
