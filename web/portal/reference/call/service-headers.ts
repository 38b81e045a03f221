import type { Operation } from '../model/operation.ts';

/** A header with a credential of the service itself. */
export interface ServiceHeader {
  readonly name: string;
  /** The text before the credential, such as `Bearer`; undefined if there is none. */
  readonly scheme: string | undefined;
}

/** Lists the headers of the first alternative that has any. */
export function serviceHeaders(alternatives: Operation['serviceCredentials']): readonly ServiceHeader[] {
  const first = alternatives.find((each) => each.length > 0) ?? [];
  const headers = new Map<string, ServiceHeader>();
  for (const { place, sentAs } of first) {
    const [name = '', scheme] = sentAs.split(': ');
    // Two schemes may use the same header, which can be sent only once.
    if (place === 'header' && name !== '' && !headers.has(name.toLowerCase())) {
      headers.set(name.toLowerCase(), { name, scheme });
    }
  }
  return [...headers.values()];
}
