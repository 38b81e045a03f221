/** Settings whose values are secret, or may be: what others put into them is not known here. */
const SECRET =
  /^(?:TOLLGATE_ADMIN_TOKEN|admin\.oidc\.clientSecret|adminTokens\..*\.token|upstreams\.[^.]*\.(?:headers|options)\..*)$/;

/** @param name as in `Setting.name` */
export function isSecret(name: string): boolean {
  return SECRET.test(name);
}

/**
 * A value without what only its reader may know: of an address, user, password and query are left out, which may hold
 * passwords. Applied to every text, because a text may be an address whatever the setting is for.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutCredentials(value);
  return Array.isArray(value) ? value.map(withoutSecrets) : value;
}

function withoutCredentials(text: string): string {
  const address = /^([a-z][a-z0-9+.-]*:\/\/)(.*)$/is.exec(text);
  if (address === null) return text;
  const [, scheme = '', rest = ''] = address;
  // To the last @, since a password that was not encoded may hold another one, or a slash.
  const at = rest.lastIndexOf('@');
  const place = rest.slice(at + 1).replace(/[?#].*$/s, '');
  return `${scheme}${at === -1 ? '' : '…@'}${place}`;
}
