/**
 * Connections within this process whose requests are made with a key that they do not carry: somebody who is signed in
 * to the portal tries a call, and only the hash of the key is known there. No header can claim this.
 */
export class VouchedKeys {
  readonly #hashes = new WeakMap<object, string>();

  /** @param hash SHA-256 of the key, base64url */
  vouch(socket: object, hash: string): void {
    this.#hashes.set(socket, hash);
  }

  hashOf(socket: object): string | undefined {
    return this.#hashes.get(socket);
  }
}
