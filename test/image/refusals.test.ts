import { refusesMalformedRequests } from '../data-plane/edge/refusals.contract.ts';
import { startContainer } from '../support/gateway/started.ts';

// The tag that `npm run test:image` has just built.
refusesMalformedRequests((serviceUrl) => startContainer(['tollgate-test'], serviceUrl));
