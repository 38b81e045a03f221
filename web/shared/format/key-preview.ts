interface Previewed {
  readonly prefix: string;
  readonly lastFour: string;
  /** The issuer and the caller, for a caller with access tokens. Lists that contain only keys with a secret omit it. */
  readonly token?: { readonly name: string; readonly caller: string } | null;
}

/** Identifies a key by the beginning and end of its secret, or a caller by the value in its access tokens. */
export function formatKeyPreview({ prefix, lastFour, token = null }: Previewed): string {
  return token === null ? `${prefix}…${lastFour}` : `${token.name}:${token.caller}`;
}
