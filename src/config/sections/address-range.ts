import { isIP } from 'node:net';
import proxyAddr from 'proxy-addr';
import { z } from 'zod';

/** An IP address, or a range of them. */
export const addressRange = z.string().refine((text) => {
  try {
    proxyAddr.compile(text);
    // It also takes names for ranges, and numbers: 010.0.0.7 would be 8.0.0.7.
    return /^[0-9a-f.:]+(\/[1-9]\d*)?$/i.test(text) && isIP(text.split('/', 1)[0] ?? '') !== 0;
  } catch {
    return false;
  }
}, 'must be an IP address or a CIDR range such as 10.0.0.0/8');
