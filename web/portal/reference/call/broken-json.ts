import { isJson } from '../model/operation.ts';
import type { CallValues } from './call.ts';

/** Explains why the body is not valid JSON. Null if it is valid, or need not be JSON. */
export function brokenJson({ mediaType, body }: Pick<CallValues, 'mediaType' | 'body'>): string | null {
  if (mediaType === null || !isJson(mediaType) || body === '') return null;
  try {
    JSON.parse(body);
    return null;
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message}`;
  }
}
