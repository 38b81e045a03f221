import { expect, test } from '@jest/globals';
import { serviceHeaders } from '../call/service-headers.ts';
import { credentialHeaders } from './credential-headers.ts';

const credential = (place: string, sentAs: string) => ({
  name: 'any',
  isFromProvider: false,
  place,
  sentAs,
  scopes: [],
  description: null,
});
const token = credential('header', 'Authorization: Bearer');

test('samples have the credentials of the first alternative that are sent in a header', () => {
  const session = credential('cookie', 'session');
  const other = credential('header', 'X-Service-Key');
  expect(credentialHeaders([[token, other, session], [session]], [])).toEqual([
    ['Authorization', 'Bearer <TOKEN>'],
    ['X-Service-Key', '<KEY>'],
  ]);
});

test('two schemes in the same header are one header', () => {
  const provider = { ...token, name: 'oidc', isFromProvider: true };
  expect(credentialHeaders([[token, provider]], [])).toEqual([['Authorization', 'Bearer <TOKEN>']]);
});

test('the form has a field for a credential that is optional', () => {
  expect(serviceHeaders([[], [token]])).toEqual([{ name: 'Authorization', scheme: 'Bearer' }]);
});

test('samples have no credentials that the service does not need', () => {
  expect(credentialHeaders([], [])).toEqual([]);
  expect(credentialHeaders([[token], []], [])).toEqual([]);
});

test('a header that the call already has is not sent twice', () => {
  const other = credential('header', 'X-Service-Key');
  expect(credentialHeaders([[token, other]], [['x-service-key', 'of a parameter']])).toEqual([
    ['Authorization', 'Bearer <TOKEN>'],
  ]);
});
