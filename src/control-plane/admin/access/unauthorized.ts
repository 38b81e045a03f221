import { Refused } from '../../api/http/refused.ts';

export function unauthorized(message?: string, headers: Refused['headers'] = {}): Refused {
  const challenge = { 'WWW-Authenticate': 'Bearer realm="tollgate-admin"' };
  return new Refused('unauthorized', {
    ...(message === undefined ? {} : { message }),
    headers: { ...challenge, ...headers },
  });
}
