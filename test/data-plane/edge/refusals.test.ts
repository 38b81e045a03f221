import { describe } from '@jest/globals';
import { startByCommand } from '../../support/gateway/started.ts';
import { refusesMalformedRequests } from './refusals.contract.ts';

describe.each([
  ['npm start', ['npm', 'start']],
  ['npx tollgate start', ['npx', 'tollgate', 'start']],
])('%s', (_, command) => {
  refusesMalformedRequests((serviceUrl) => startByCommand(command, serviceUrl));
});
