/**
 * Connections from this process whose requests are authenticated without sending a key: the portal's “Try it” knows only
 * the hash of the user's key. No header can claim this.
 */
export class TryItConnections {
  readonly #hashes = new WeakMap<object, string>();

  /** @param keyHash SHA-256 of the key, base64url */
  trust(socket: object, keyHash: string): void {
    this.#hashes.set(socket, keyHash);
  }

  keyHashOf(socket: object): string | undefined {
    return this.#hashes.get(socket);
  }
}
