import { buildCall } from './call.ts';
import { firstValues } from './first-values.ts';
import type { Operation } from '../model/operation.ts';
import { operationsOf, type Reference } from '../model/reference.ts';

/** The path of the gateway's own endpoints, which accept any key. */
const USAGE_PATH = '/_gateway/usage';

/** The path of a call that works without filling in anything; the gateway's own endpoint if there is none. */
export function firstCall(reference: Reference): string {
  const simple = operationsOf(reference).find(isSimple);
  return simple === undefined ? USAGE_PATH : buildCall(simple, firstValues(reference.document, simple)).path;
}

function isSimple({ method, parameters, lifecycle, cost }: Operation): boolean {
  return method === 'GET' && cost === 1 && !lifecycle.deprecated && parameters.every(({ required }) => !required);
}
