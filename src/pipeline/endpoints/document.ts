import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { JsonObject } from '../../base/json/json-object.ts';

/** The part of the public document that describes the gateway's own endpoints. */
export function endpointsDocument(): JsonObject {
  return parse(readFileSync(join(import.meta.dirname, 'gateway.openapi.yaml'), 'utf8')) as JsonObject;
}
