import { isAddressRange } from '../../http/addresses.ts';
import { invalidField } from './refused.ts';

/** @param base JSON pointer of the key within the request's body @throws Refused `validation_failed` */
export function checkAddresses(addresses: readonly string[], base = ''): void {
  const index = addresses.findIndex((address) => !isAddressRange(address));
  if (index >= 0)
    throw invalidField(`${base}/addresses/${index}`, 'must be an IP address or a CIDR range such as 10.0.0.0/8');
}
