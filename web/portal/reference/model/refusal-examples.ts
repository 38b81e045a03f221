import { referencedName } from './document.ts';
import type { DocumentedResponse, Example, Media } from './operation.ts';

/** The schema of the gateway's errors (`src/openapi/documented-refusals.ts`). */
const GATEWAY_ERROR = 'GatewayError';

/** True if a body is an error of the gateway itself. */
export function isRefusal({ schema }: Pick<Media, 'schema'>): boolean {
  return referencedName(schema) === GATEWAY_ERROR;
}

/** Creates the body of each refusal by the gateway, from the codes and messages in the description of the response. */
export function refusalExamples(
  { status, description }: DocumentedResponse,
  media: Pick<Media, 'schema'>,
): readonly Example[] {
  if (!isRefusal(media)) return [];
  return [...(description ?? '').matchAll(/^`(\w+)`: (.+)$/gm)].map(([, code = '', message = '']) => ({
    name: code,
    summary: null,
    value: { code, message, status: Number(status) },
  }));
}
