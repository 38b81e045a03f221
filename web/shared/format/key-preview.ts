interface Previewed {
  readonly prefix: string;
  readonly lastFour: string;
  /** Undefined in lists that contain only keys with a secret. */
  readonly token?: { readonly name: string; readonly caller: string } | null;
}

/** Identifies a key by the beginning and end of its secret, or a caller by the value in its access tokens. */
export function formatKeyPreview({ prefix, lastFour, token = null }: Previewed): string {
  return token === null ? `${prefix}…${lastFour}` : `${token.name}:${token.caller}`;
}
