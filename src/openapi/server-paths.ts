import { isObject } from '../base/json.ts';
import { httpUrl, socketPath } from '../base/target-urls.ts';
import { withoutTrailingSlashes } from '../base/text.ts';
import type { YamlFile } from '../base/yaml.ts';

/** The path of an entry of `servers`, without a trailing slash; empty if it has none. */
export interface ServerPath {
  readonly path: string;
  /** File and line of the entry. */
  readonly place: string;
}

/** The settings of an upstream that determine its paths. */
interface Placed {
  readonly name: string;
  readonly prefix?: string | undefined;
  /** Undefined for a module. */
  readonly targets?: readonly string[];
}

/** The paths of a document's `servers`. The gateway does not use them to forward requests. */
export function readServerPaths(yaml: YamlFile): ServerPath[] {
  const servers = isObject(yaml.value) ? yaml.value['servers'] : undefined;
  return (Array.isArray(servers) ? (servers as unknown[]) : []).flatMap((server, index) => {
    const path = isObject(server) ? readPath(server) : null;
    return path === null ? [] : [{ path, place: yaml.locate(['servers', index, 'url']) }];
  });
}

/** Finds the path of a server's URL, with variables replaced by their defaults. Null if `url` is not a valid URL. */
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
 * Creates a warning if a service seems to expect a path in front of the paths of its document. Without that path, it
 * would respond to every request with 404.
 *
 * @returns null if a server has no path, or if the prefix or a target has the path
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
