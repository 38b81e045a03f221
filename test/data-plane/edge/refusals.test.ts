import { describe } from '@jest/globals';
import { startByCommand } from '../../support/gateway/started.ts';
import { refusesMalformedRequests } from './refusals.contract.ts';

describe.each([
  ['npm start', ['npm', 'start']],
  // The test does not use npx, which would rebuild the pages while other tests serve them.
  ['bin/tollgate.js start', ['bin/tollgate.js', 'start']],
])('%s', (_, command) => {
  refusesMalformedRequests((serviceUrl) => startByCommand(command, serviceUrl));
});
