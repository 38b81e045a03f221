import type { Operation } from '../model/operation.ts';

/** A header with a credential that the service itself requires. */
export interface ServiceHeader {
  readonly name: string;
  /** The text before the credential, such as `Bearer`. Undefined if there is none. */
  readonly scheme: string | undefined;
}

/** Lists the headers of the first alternative that requires credentials. */
export function serviceHeaders(alternatives: Operation['serviceCredentials']): readonly ServiceHeader[] {
  const first = alternatives.find((each) => each.length > 0) ?? [];
  const headers = new Map<string, ServiceHeader>();
  for (const { place, sentAs } of first) {
    const [name = '', scheme] = sentAs.split(': ');
    // If two schemes use the same header, keep the first one, because the header can be sent only once.
    if (place === 'header' && name !== '' && !headers.has(name.toLowerCase())) {
      headers.set(name.toLowerCase(), { name, scheme });
    }
  }
  return [...headers.values()];
}
