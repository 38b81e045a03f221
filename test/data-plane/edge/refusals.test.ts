import { describe } from '@jest/globals';
import { startByCommand } from '../../support/gateway/started.ts';
import { refusesMalformedRequests } from './refusals.contract.ts';

describe.each([
  ['npm start', ['npm', 'start']],
  // Not npx: it would build the pages again, below tests that serve them.
  ['bin/tollgate.js start', ['bin/tollgate.js', 'start']],
])('%s', (_, command) => {
  refusesMalformedRequests((serviceUrl) => startByCommand(command, serviceUrl));
});
