import type { IncomingMessage } from 'node:http';
import type { BodyCopy, CopyFault } from './body-copy.ts';

/**
 * Copies the body of a request as it arrives. It is passed on at the same time, and in the same chunks.
 *
 * @param onEnd called in a later turn of the event loop than the end of the body
 */
export function copyBody(req: IncomingMessage, copy: BodyCopy, onEnd: () => void): void {
  addBuffered(req, copy);
  // Node sets `complete` before it adds the end of the body.
  if (req.complete) return void setImmediate(onEnd);
  const push = req.push.bind(req);
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    if (chunk === null) setImmediate(onEnd);
    else copy.add(chunk);
    return push(chunk, encoding);
  };
}

/** A body that has arrived, but is not passed on yet. Exactly one of the functions is called. */
export interface HeldBody {
  readonly passOn: () => void;
  /** Ends the body without the part that was held back. */
  readonly discard: () => void;
}

/** Holds the body of a request back until all of it has arrived. */
export function holdBody(req: IncomingMessage, copy: BodyCopy, onEnd: (fault: CopyFault | null) => void): HeldBody {
  const arrived = addBuffered(req, copy);
  if (req.complete || copy.fault !== null) {
    onEnd(copy.fault);
    return { passOn: nothing, discard: () => void req.resume() };
  }
  const push = req.push.bind(req);
  req.push = (chunk: Buffer | null) => {
    if (copy.fault !== null) return true;
    if (chunk !== null) copy.add(chunk);
    if (chunk === null || copy.fault !== null) onEnd(copy.fault);
    return true;
  };
  return {
    passOn() {
      req.push = push;
      const rest = copy.bytes.subarray(arrived);
      if (rest.length > 0) req.push(rest);
      req.push(null);
    },
    discard() {
      req.push = push;
      req.push(null);
      req.resume();
    },
  };
}

/** Adds the part of the body that arrived before, and leaves it in place. @returns its length in bytes */
function addBuffered(req: IncomingMessage, copy: BodyCopy): number {
  const chunks: Buffer[] = [];
  // Some versions of Node return only the first chunk of several.
  while (req.readableLength > 0) {
    const chunk = req.read() as Buffer | null;
    if (chunk === null) break;
    chunks.push(chunk);
  }
  if (chunks.length === 0) return 0;
  const arrived = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  // Nothing else runs before this, so the body cannot end meanwhile.
  req.unshift(arrived);
  copy.add(arrived);
  return arrived.length;
}

function nothing(): void {
  // The body is in its place already.
}
