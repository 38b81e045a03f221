/** Printable ASCII, without a space at either end: services get it in a header. */
const WELL_FORMED = /^[!-~]([ -~]*[!-~])?$/;

export function isOwnerId(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** Letters that need more than the removal of their accents. */
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' };

/** An id for a name that cannot be one ("Müller & Söhne": "mueller-soehne"); null if the name can, or nothing is left. */
export function proposedOwner(name: string): string | null {
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
