interface Previewed {
  readonly prefix: string;
  readonly lastFour: string;
  /** Missing where only keys with a secret can be. */
  readonly token?: { readonly name: string; readonly caller: string } | null;
}

/** How a key is recognized: by the ends of its secret, or by the caller that its access tokens name. */
export function formatKeyPreview({ prefix, lastFour, token = null }: Previewed): string {
  return token === null ? `${prefix}…${lastFour}` : `${token.name}:${token.caller}`;
}
