import { isJson } from '../model/operation.ts';
import type { CallValues } from './call.ts';

/** The reason why a body cannot be sent as JSON; null if it can, or need not be JSON. */
export function brokenJson({ mediaType, body }: Pick<CallValues, 'mediaType' | 'body'>): string | null {
  if (mediaType === null || !isJson(mediaType) || body === '') return null;
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message}`;
  }
}
