import type { Operation } from '../model/operation.ts';

/** A header with a credential of the service itself. */
export interface ServiceHeader {
  readonly name: string;
  /** Before the credential, such as `Bearer`; undefined if it stands alone. */
  readonly scheme: string | undefined;
}

/** Lists the headers of the first alternative that needs some. */
export function serviceHeaders(alternatives: Operation['serviceCredentials']): readonly ServiceHeader[] {
  const first = alternatives.find((each) => each.length > 0) ?? [];
  const headers = new Map<string, ServiceHeader>();
  for (const { place, sentAs } of first) {
    const [name = '', scheme] = sentAs.split(': ');
    // Two schemes may be sent in the same header: only one of them can be.
    if (place === 'header' && name !== '' && !headers.has(name.toLowerCase())) {
      headers.set(name.toLowerCase(), { name, scheme });
    }
  }
  return [...headers.values()];
}
