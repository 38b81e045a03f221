import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export type LinkFault = 'cut' | 'stall' | 'delay' | 'corrupt' | 'half close' | 'refuse';

/** A TCP proxy that can simulate network faults. */
export class FaultyLink {
  #fault: LinkFault | null = null;
  /** True if connections may have lost or corrupted bytes. */
  #isDamaged = false;
  readonly #server: Server;
  readonly #pairs = new Set<readonly [Socket, Socket]>();

  private constructor(to: number) {
    this.#server = createServer((near) => this.#join(near, to));
  }

  static async start(to: number): Promise<FaultyLink> {
    const link = new FaultyLink(to);
    await new Promise<void>((resolve) => link.#server.listen(0, '127.0.0.1', resolve));
    return link;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sets the fault. Null repairs the link, and resets connections that a fault has damaged. */
  set(fault: LinkFault | null): void {
    this.#fault = fault;
    if (fault === 'stall' || fault === 'corrupt') this.#isDamaged = true;
    if (fault === 'cut' || fault === 'refuse' || (fault === null && this.#isDamaged)) this.#cut();
    if (fault === 'half close') for (const [, far] of this.#pairs) far.end();
  }

  close(): void {
    this.#cut();
    this.#server.close();
  }

  #cut(): void {
    this.#isDamaged = false;
    for (const socket of [...this.#pairs].flat()) {
      // Node cannot reset a socket whose end is being sent (EINVAL), and would leave it open, so destroy it.
      if (socket.writableEnded) socket.destroy();
      else socket.resetAndDestroy();
    }
  }

  #join(near: Socket, to: number): void {
    if (this.#fault === 'refuse') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(to, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [from, other] of [pair, [far, near] as const]) {
      from.on('data', (chunk: Buffer) => this.#pass(chunk, other, from === far));
      from.on('error', () => other.destroy()).on('end', () => other.end());
      from.on('close', () => {
        other.destroy();
        this.#pairs.delete(pair);
      });
    }
  }

  #pass(chunk: Buffer, to: Socket, isReply: boolean): void {
    if (this.#fault === 'stall') return;
    // Change a byte in the middle of the reply.
    if (this.#fault === 'corrupt' && isReply) chunk[chunk.length >> 1] = 0x21;
    const write = () => {
      if (to.writable) to.write(chunk);
    };
    // The delay is longer than the timeout of the store.
    if (this.#fault === 'delay') setTimeout(write, 150);
    else write();
  }
}
