/**
 * Connections of the portal's “Try it” to this gateway. Their requests are authenticated by the hash of the user's key,
 * because the portal does not know the key itself. The hash belongs to the connection and is not sent as a header, so
 * that no client can imitate it.
 */
export class TryItConnections {
  readonly #keyHashes = new WeakMap<object, string>();

  /** @param keyHash SHA-256 of the key, base64url */
  trust(socket: object, keyHash: string): void {
    this.#keyHashes.set(socket, keyHash);
  }

  findKeyHash(socket: object): string | undefined {
    return this.#keyHashes.get(socket);
  }
}
