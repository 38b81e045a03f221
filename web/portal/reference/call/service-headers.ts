import type { Operation } from '../model/operation.ts';

/** A header with a credential of the service itself. */
export interface ServiceHeader {
  readonly name: string;
  /** Before the credential, such as `Bearer`; undefined if it stands alone. */
  readonly scheme: string | undefined;
}

/** Of the first alternative. */
export function serviceHeaders([first = []]: Operation['serviceCredentials']): readonly ServiceHeader[] {
  return first
    .filter(({ place, sentAs }) => place === 'header' && sentAs !== '')
    .map(({ sentAs }) => {
      const [name = '', scheme] = sentAs.split(': ');
      return { name, scheme };
    });
}
