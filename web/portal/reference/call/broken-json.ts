import { isJson } from '../model/operation.ts';
import type { CallValues } from './call.ts';

/** Why a body cannot be sent as the JSON that it should be; null if it can, or is no JSON. */
export function brokenJson({ mediaType, body }: Pick<CallValues, 'mediaType' | 'body'>): string | null {
  if (mediaType === null || !isJson(mediaType) || body === '') return null;
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message}`;
  }
}
