import { runCli } from '../../../src/cli/program.ts';
import { TOKEN } from './admin.ts';

interface CliRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface CliEnvironment {
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  readonly now?: number;
  /** The reply to the confirmation prompt. Without a reply, there is no terminal that could ask. */
  readonly answer?: string | (() => Promise<string>);
  /** The width of the terminal. Without a width, standard output is not a terminal. */
  readonly columns?: number;
  /** Stops a command that runs until interrupted. */
  readonly ended?: AbortSignal;
  /** Called with each part of the output when it is printed. */
  readonly onOut?: (text: string) => void;
  readonly onErr?: (text: string) => void;
}

/** Runs a command in this process, with the given environment. */
export async function runCommand(args: readonly string[], world: CliEnvironment = {}): Promise<CliRun> {
  const {
    env = {},
    cwd = '/',
    now = Date.now(),
    answer,
    columns = null,
    ended = new AbortController().signal,
    onOut,
    onErr,
  } = world;
  let [out, err] = ['', ''];
  const code = await runCli(args, {
    env,
    cwd,
    now: () => now,
    out(text) {
      out += text;
      onOut?.(text);
    },
    err(text) {
      err += text;
      onErr?.(text);
    },
    ask:
      answer === undefined
        ? null
        : async (question) => {
            err += question;
            return typeof answer === 'string' ? answer : answer();
          },
    watched: answer !== undefined,
    columns,
    ended,
  });
  return { code, out, err };
}

/** Runs commands against an admin API. `text` and `json` assert that the command succeeds. */
export function createCli(api: { readonly url: string; readonly folder: string; readonly time: { now: number } }) {
  const run = (args: readonly string[], world: CliEnvironment = {}) =>
    runCommand(args, {
      cwd: api.folder,
      now: api.time.now,
      ...world,
      env: { TOLLGATE_ADMIN_URL: api.url, TOLLGATE_ADMIN_TOKEN: TOKEN, ...world.env },
    });
  const text = async (...args: readonly string[]) => succeeded(args, await run(args));
  // oxlint-disable-next-line typescript/no-explicit-any -- what a test expects of a response is what it asserts
  const json = async (...args: readonly string[]): Promise<any> => JSON.parse(await text(...args, '--json'));
  return { run, text, json };
}

function succeeded(args: readonly string[], { code, out, err }: CliRun): string {
  if (code !== 0 || err !== '') throw new Error(`tollgate ${args.join(' ')} ended with ${code}:\n${err}`);
  return out;
}
