/** Settings whose values are secret, or may be: what others put into them is not known here. */
const SECRET =
  /^(?:TOLLGATE_ADMIN_TOKEN|(?:admin|portal)\.oidc\.clientSecret|adminTokens\..*\.token|upstreams\.[^.]*\.(?:headers|options)\..*)$/;

/** @param name as in `Setting.name` */
export function isSecret(name: string): boolean {
  return SECRET.test(name);
}

/**
 * A value without what only its reader may know: of an address, user, password and query are left out, of a path the
 * query. Applied to every text, because a text may be an address whatever the setting is for.
 */
export function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutCredentials(value);
  return Array.isArray(value) ? value.map(withoutSecrets) : value;
}

function withoutCredentials(text: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/|(?=\/))(.*)$/is.exec(text) ?? [];
  if (rest === '') return text;
  // To the last @, since a password that was not encoded may hold another one, or a slash.
  const at = scheme === '' ? -1 : rest.lastIndexOf('@');
  return `${scheme}${at === -1 ? '' : '…@'}${rest.slice(at + 1).replace(/[?#].*$/s, '?…')}`;
}
