import { isUtf8 } from 'node:buffer';

export interface EncodedBody {
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
}

/** Bytes of a character in UTF-8, at most. */
const MAX_CHARACTER_BYTES = 4;

/** Leaves text unchanged, and encodes anything else in base64. */
export function encodeBody(bytes: Buffer, truncated: boolean): EncodedBody {
  const text = truncated ? withoutPartialCharacter(bytes) : bytes;
  if (isUtf8(text)) return { body: text.toString('utf8'), bodyEncoding: 'utf8' };
  return { body: bytes.toString('base64'), bodyEncoding: 'base64' };
}

/** Removes an incomplete character at the end. */
function withoutPartialCharacter(bytes: Buffer): Buffer {
  for (let cut = 0; cut < MAX_CHARACTER_BYTES; cut++) {
    const text = bytes.subarray(0, Math.max(0, bytes.length - cut));
    if (isUtf8(text)) return text;
  }
  return bytes;
}
