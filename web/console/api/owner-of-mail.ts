/** Labels below which organizations register their domains, as in `acme.co.uk`. */
const SECOND_LEVELS = new Set(['ac', 'co', 'com', 'edu', 'gov', 'ne', 'net', 'or', 'org']);
/** Public mail providers. Their domains do not tell where a person works. */
const PROVIDERS = new Set(
  'aol fastmail gmail gmx googlemail hotmail icloud live mail mailbox me msn outlook posteo proton protonmail qq web yahoo yandex zoho'.split(
    ' ',
  ),
);

/**
 * Derives an owner id from the domain of a mail address ("acme" from "kim@mail.acme.co.uk"). Null if the domain
 * suggests none.
 */
export function proposeOwnerForMail(address: string): string | null {
  const domainLabels = address
    .slice(address.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  domainLabels.pop();
  if (domainLabels.length > 1 && SECOND_LEVELS.has(domainLabels.at(-1) ?? '')) domainLabels.pop();
  const name = domainLabels.at(-1) ?? '';
  return /^[a-z0-9-]+$/.test(name) && !PROVIDERS.has(name) ? name : null;
}
