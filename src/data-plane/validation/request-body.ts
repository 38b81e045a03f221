import type { IncomingMessage } from 'node:http';
import type { BodyCopy, CopyFault } from './body-copy.ts';

/**
 * Copies the body of a request as it arrives. It is passed on at the same time, and in the same chunks.
 *
 * @param onEnd called in a later turn of the event loop than the end of the body
 */
export function copyBody(req: IncomingMessage, copy: BodyCopy, onEnd: () => void): void {
  const arrived = readArrived(req);
  for (const chunk of arrived) copy.add(chunk);
  // Nothing else runs before this, so the body cannot end meanwhile.
  if (arrived.length > 0) req.unshift(arrived.length === 1 ? arrived[0] : Buffer.concat(arrived));
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

/**
 * Holds the body of a request back until all of it has arrived. Meanwhile, only the copy has it, so that the budget
 * counts each byte that the body occupies. A body that cannot be held is discarded as it arrives.
 */
export function holdBody(req: IncomingMessage, copy: BodyCopy, onEnd: (fault: CopyFault | null) => void): HeldBody {
  for (const chunk of readArrived(req)) copy.takeOver(chunk);
  if (req.complete) {
    // The stream has its end already. Only what is put in front of the end can still be read.
    if (copy.length > 0) req.unshift(copy.bytes);
    onEnd(copy.fault);
    return { passOn: nothing, discard: () => void req.resume() };
  }
  req.push = (chunk: Buffer | null) => {
    if (copy.fault !== null) return true;
    if (chunk !== null) copy.takeOver(chunk);
    if (chunk === null || copy.fault !== null) onEnd(copy.fault);
    return true;
  };
  if (copy.fault !== null) onEnd(copy.fault);
  return {
    passOn() {
      restorePush(req);
      if (copy.length > 0) req.push(copy.bytes);
      req.push(null);
    },
    discard() {
      restorePush(req);
      req.push(null);
      req.resume();
    },
  };
}

/** Takes the part of the body that has arrived out of the stream. */
function readArrived(req: IncomingMessage): Buffer[] {
  const chunks: Buffer[] = [];
  // Some versions of Node return only the first chunk of several.
  while (req.readableLength > 0) {
    const chunk = req.read() as Buffer | null;
    if (chunk === null) break;
    chunks.push(chunk);
  }
  return chunks;
}

/** Removes all overrides. Each of them has either seen the body as it arrived, or limits what the copy limits, too. */
function restorePush(req: IncomingMessage): void {
  Reflect.deleteProperty(req, 'push');
}

function nothing(): void {
  // The body is in its place already.
}
