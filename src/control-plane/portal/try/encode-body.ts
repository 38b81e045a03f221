import { isUtf8 } from 'node:buffer';

export interface EncodedBody {
  readonly body: string;
  readonly bodyEncoding: 'utf8' | 'base64';
}

/** Maximum number of bytes of a character in UTF-8. */
const MAX_CHARACTER_BYTES = 4;

/** Decodes UTF-8 as text, and encodes any other body in base64. */
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
