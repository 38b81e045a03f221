import { referencedName } from './document.ts';
import type { DocumentedResponse, Example, Media } from './operation.ts';

/** The gateway's own schema of an error (`src/openapi/documented-refusals.ts`). */
const GATEWAY_ERROR = 'GatewayError';

/** Whether a body is an error of the gateway itself. */
export function isRefusal({ schema }: Pick<Media, 'schema'>): boolean {
  return referencedName(schema) === GATEWAY_ERROR;
}

/** The body of each refusal by the gateway. The description of the response lists the codes and their messages. */
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
