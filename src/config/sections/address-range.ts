import proxyAddr from 'proxy-addr';
import { z } from 'zod';

/** An IP address, or a range of them. */
export const addressRange = z.string().refine((text) => {
  try {
    proxyAddr.compile(text);
    // Refuse the names that proxy-addr has for ranges.
    return /^[0-9a-f.:]+(\/\d+)?$/i.test(text);
  } catch {
    return false;
  }
}, 'must be an IP address or a CIDR range such as 10.0.0.0/8');
