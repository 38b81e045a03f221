import { refusesMalformedRequests } from '../data-plane/edge/refusals.contract.ts';
import { startContainer } from '../support/gateway/started.ts';

// The tag of the image that `npm run test:image` built just before.
refusesMalformedRequests((serviceUrl) => startContainer(['tollgate-test'], serviceUrl));
