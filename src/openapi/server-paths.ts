import { isObject } from '../base/json.ts';
import { httpUrl, socketPath } from '../base/target-urls.ts';
import { withoutTrailingSlashes } from '../base/text.ts';
import type { YamlFile } from '../base/yaml.ts';

/** The path of an entry of `servers`, without a trailing slash; empty if it has none. */
export interface ServerPath {
  readonly path: string;
  /** File and line. */
  readonly place: string;
}

/** The paths of an upstream according to its settings. */
interface Placed {
  readonly name: string;
  readonly prefix?: string | undefined;
  /** Undefined for a module. */
  readonly targets?: readonly string[];
}

/** The paths of a document's `servers`, which the gateway does not use. */
export function readServerPaths(yaml: YamlFile): ServerPath[] {
  const servers = isObject(yaml.value) ? yaml.value['servers'] : undefined;
  return (Array.isArray(servers) ? (servers as unknown[]) : []).flatMap((server, index) => {
    const path = isObject(server) ? readPath(server) : null;
    return path === null ? [] : [{ path, place: yaml.locate(['servers', index, 'url']) }];
  });
}

/** Null if `url` is not a valid URL. Variables are replaced by their defaults. */
function readPath({ url, variables }: Readonly<Record<string, unknown>>): string | null {
  if (typeof url !== 'string') return null;
  const filled = url.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = isObject(variables) ? variables[name] : undefined;
    return isObject(variable) ? String(variable['default']) : '';
  });
  return URL.canParse(filled, BASE) ? withoutTrailingSlashes(new URL(filled, BASE).pathname) : null;
}

const BASE = 'http://localhost/';

/**
 * A warning if a service expects a path before those of its document: it would answer every request with 404.
 *
 * @returns null if there is a server without a path, or prefix or targets have it
 */
export function serverPathWarning(paths: readonly ServerPath[], { name, prefix = '', targets }: Placed): string | null {
  const [first] = paths;
  if (first === undefined) return null;
  const placed = [prefix, ...(targets ?? []).map((target) => withoutTrailingSlashes(httpUrl(target).pathname))];
  if (paths.some(({ path }) => path === '' || placed.some((each) => each.endsWith(path)))) return null;
  const [target] = targets ?? [];
  const atTarget =
    target === undefined || socketPath(target) !== null
      ? ''
      : `if the service expects it, set targets: [${withoutTrailingSlashes(target) + first.path}]; `;
  return (
    `${first.place}: the path ${first.path} in servers is ignored, and upstream ${name} has it in neither prefix nor targets: ` +
    `${atTarget}if only consumers expect it, set prefix: ${first.path}`
  );
}
