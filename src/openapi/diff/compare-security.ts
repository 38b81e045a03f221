import { isObject, type JsonObject } from '../../base/json.ts';
import { listAt } from '../path-item.ts';
import { partAt } from '../pointer.ts';
import type { OperationChanges } from './change-list.ts';
import type { OperationVersion } from './operation-version.ts';
import { nameAll } from './names.ts';

/** A way to authenticate: all of these credentials together, by what identifies them. Empty: none is needed. */
type Credentials = ReadonlyMap<string, string>;

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
  const isStillEnough = (old: Credentials) => after.some((now) => [...now.keys()].every((key) => old.has(key)));
  if (!before.every(isStillEnough)) {
    // The gateway may send the credential itself, and services often describe late what they always demanded.
    const message = `the operation needs other credentials now: ${nameWays(after)} (before: ${nameWays(before)})`;
    changes.add('security_added', 'warning', is.pointer, message);
  } else if (!after.every((now) => before.some((old) => [...old.keys()].every((key) => now.has(key))))) {
    const message = `the operation accepts other credentials now: ${nameWays(after)} (before: ${nameWays(before)})`;
    changes.add('security_removed', 'compatible', is.pointer, message);
  }
}

function waysIn({ document, value }: OperationVersion): readonly Credentials[] {
  const requirements = listAt('security' in value ? value : document, 'security').filter(isObject);
  return requirements.length === 0 ? [new Map()] : requirements.map((one) => credentialsIn(document, one));
}

/** The credentials of a requirement and their scopes. A scheme is the same under another name. */
function credentialsIn(document: JsonObject, requirement: JsonObject): Credentials {
  const credentials = new Map<string, string>();
  for (const [name, scopes] of Object.entries(requirement)) {
    const scheme = partAt(document, ['components', 'securitySchemes', name])?.value;
    const { type = name, in: place, name: field, scheme: kind } = scheme ?? {};
    const key = JSON.stringify([type, place, field, typeof kind === 'string' ? kind.toLowerCase() : null]);
    credentials.set(key, name);
    for (const scope of Array.isArray(scopes) ? (scopes as unknown[]) : []) {
      credentials.set(`${key} ${String(scope)}`, `${name} with ${String(scope)}`);
    }
  }
  return credentials;
}

function nameWays(ways: readonly Credentials[]): string {
  return nameAll(ways.map((one) => (one.size === 0 ? 'none' : [...one.values()].join(' and '))));
}
