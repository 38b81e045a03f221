import { isObject, type JsonObject } from '../../base/json.ts';

/** The document with each component's name prefixed with the upstream's: those of several may share a name. */
export function renamed(value: JsonObject, name: string): JsonObject {
  const prefixed = (reference: string) => reference.replace(/^(#\/components\/[^/]+\/)/, `$1${name}.`);
  /** A discriminator may name a schema without the rest of its reference. */
  const prefixedTarget = (target: string) => (target.includes('/') ? prefixed(target) : `${name}.${target}`);

  const walk = (node: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(node)) return node.map((each) => walk(each, path));
    if (!isObject(node)) return node;
    const isMapping = path.at(-1) === 'mapping' && path.at(-2) === 'discriminator';
    return Object.fromEntries(
      Object.entries(node).map(([key, child]) => {
        if (key === '$ref' && typeof child === 'string') return [key, prefixed(child)];
        if (isMapping && typeof child === 'string') return [key, prefixedTarget(child)];
        const isComponent = path.length === 2 && path[0] === 'components';
        return [isComponent ? `${name}.${key}` : key, walk(child, [...path, key])];
      }),
    );
  };
  return walk(value, []) as JsonObject;
}
