/** Printable ASCII without a space at either end, because services receive the id in a header. */
const WELL_FORMED = /^[!-~]([ -~]*[!-~])?$/;

export function isOwnerId(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** Letters that are not replaced by removing their accent. */
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' };

/**
 * Proposes an id for a name that cannot be one ("mueller-soehne" for "Müller & Söhne"). Null if the name can be an id,
 * or nothing is left of it.
 */
export function proposeOwner(name: string): string | null {
  if (isOwnerId(name)) return null;
  const id = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüßæøå]/g, (letter) => SPELLED_OUT[letter] ?? '')
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return id === '' ? null : id;
}
