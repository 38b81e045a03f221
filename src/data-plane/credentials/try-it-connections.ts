/**
 * Connections from this process whose requests are authenticated without a key, because the portal's “Try it” has only
 * the hash of the user's key. The connection itself is trusted, so no client can claim this with a header.
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
