import { expect, test } from '@jest/globals';
import { proposeOwnerForMail } from './owner-of-mail.ts';

test.each([
  ['kim@acme.example', 'acme'],
  ['kim@mail.acme.co.uk', 'acme'],
  ['Kim@ACME-Retail.com', 'acme-retail'],
  ['kim@eu.ibm.com', 'ibm'],
  ['kim@gmail.com', null],
  ['kim@web.de', null],
  ['kim@localhost', null],
  ['kim@münchen.example', null],
  ['', null],
])('%s suggests %s', (address, owner) => {
  expect(proposeOwnerForMail(address)).toBe(owner);
});
