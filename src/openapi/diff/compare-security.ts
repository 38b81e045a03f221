import { isObject, type JsonObject } from '../../base/json.ts';
import { listAt } from '../path-item.ts';
import { partAt } from '../pointer.ts';
import type { OperationChanges } from './change-list.ts';
import type { OperationVersion } from './operation-version.ts';
import { textsIn } from './conjunction.ts';
import { nameAll } from './names.ts';

/**
 * A way to authenticate: all of these credentials together, and their scopes. The keys are what identifies them. Without
 * any, none is needed.
 */
interface Way {
  readonly keys: ReadonlySet<string>;
  readonly name: string;
}

/** Compares what callers must send to prove who they are. */
export function compareSecurity(changes: OperationChanges, was: OperationVersion, is: OperationVersion): void {
  const [wasPublic, isPublic] = [was.operation?.public, is.operation?.public];
  if (wasPublic === true && isPublic === false) {
    changes.add('security_added', 'breaking', is.pointer, 'the operation needs a key of the gateway now');
  }
  if (wasPublic === false && isPublic === true) {
    changes.add('security_removed', 'compatible', is.pointer, 'the operation needs no key of the gateway now');
  }
  const [before, after] = [waysIn(was), waysIn(is)];
  const isStillEnough = (old: Way) => after.some((now) => now.keys.isSubsetOf(old.keys));
  if (!before.every(isStillEnough)) {
    // The gateway may send the credential itself, and services often describe late what they always demanded.
    const message = `the operation needs other credentials now: ${nameWays(after)} (before: ${nameWays(before)})`;
    changes.add('security_added', 'warning', is.pointer, message);
  } else if (!after.every((now) => before.some((old) => old.keys.isSubsetOf(now.keys)))) {
    const message = `the operation accepts other credentials now: ${nameWays(after)} (before: ${nameWays(before)})`;
    changes.add('security_removed', 'compatible', is.pointer, message);
  }
}

function waysIn({ document, value }: OperationVersion): readonly Way[] {
  const requirements = listAt('security' in value ? value : document, 'security').filter(isObject);
  return requirements.length === 0
    ? [{ keys: new Set(), name: 'none' }]
    : requirements.map((one) => readWay(document, one));
}

/** A scheme is the same under another name. */
function readWay(document: JsonObject, requirement: JsonObject): Way {
  const keys = new Set<string>();
  const names: string[] = [];
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = partAt(document, ['components', 'securitySchemes', name])?.value;
    const { type = name, in: place, name: field, scheme: kind } = scheme ?? {};
    const key = JSON.stringify([type, place, field, typeof kind === 'string' ? kind.toLowerCase() : null]);
    const needed = textsIn(scopes);
    for (const each of ['', ...needed]) keys.add(`${key} ${each}`);
    names.push(needed.length === 0 ? name : `${name} (${needed.join(', ')})`);
  }
  return { keys, name: names.length === 0 ? 'none' : names.join(' and ') };
}

function nameWays(ways: readonly Way[]): string {
  return nameAll(ways.map(({ name }) => name));
}
