import { referencedName } from './document.ts';
import type { Answer, Example, Media } from './operation.ts';

/** The gateway's own schema of an error (`src/openapi/documented-refusals.ts`). */
const GATEWAY_ERROR = 'GatewayError';

/** The body of each refusal by the gateway: the description of the response lists the codes and their messages. */
export function refusalExamples(
  { status, description }: Answer,
  { schema }: Pick<Media, 'schema'>,
): readonly Example[] {
  if (referencedName(schema) !== GATEWAY_ERROR) return [];
  return [...(description ?? '').matchAll(/^`(\w+)`: (.+)$/gm)].map(([, code = '', message = '']) => ({
    name: code,
    summary: null,
    value: { code, message, status: Number(status) },
  }));
}
