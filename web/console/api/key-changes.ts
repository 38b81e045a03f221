import type { KeyGrace } from '../../shared/ui/controls/grace-field.tsx';
import type { Change } from '../../shared/transport/change.ts';
import type { Schemas } from './transport/client.ts';
import type { KeyStatus } from './keys.ts';

export type NewKey = Schemas['NewKey'];
export type KeyWithSecret = Schemas['KeyWithSecret'];
export type KeyPatch = Schemas['KeyPatch'];
export type CallerToAdd = Schemas['KeyToCreate'];

const pathTo = (id: string, rest = '') => `/keys/${encodeURIComponent(id)}${rest}`;

export function createKey(body: NewKey, reason?: string): Change<KeyWithSecret> {
  return { method: 'POST', path: '/keys', body, reason };
}

export function addCaller(body: CallerToAdd, reason?: string): Change<Schemas['CreatedKey']> {
  return { method: 'POST', path: '/keys', body, reason };
}

/** @param ifMatch the version that the change applies to */
export function updateKey(id: string, body: KeyPatch, reason: string, ifMatch?: string): Change<Schemas['Key']> {
  return { method: 'PATCH', path: pathTo(id), body, reason, ifMatch };
}

export function setStatus(id: string, status: KeyStatus, reason: string): Change<Schemas['Key']> {
  return updateKey(id, { status }, reason);
}

export function revokeKey(id: string, reason: string): Change {
  return { method: 'DELETE', path: pathTo(id), reason };
}

export function forgetKey(id: string, reason: string): Change {
  return { method: 'POST', path: pathTo(id, '/forget'), reason };
}

export function rotateKey(id: string, grace: KeyGrace, reason: string): Change<KeyWithSecret> {
  return { method: 'POST', path: pathTo(id, '/rotate'), body: grace, reason };
}

export function resetUsage(id: string, reason: string): Change<Schemas['Usage']> {
  return { method: 'POST', path: pathTo(id, '/usage/reset'), body: { reason } };
}

/** The texts when a ban starts or is lifted: a reason for operators, and a message for the customer. */
interface BanTexts {
  readonly reason: string;
  readonly message?: string | undefined;
}

export function banKey(id: string, seconds: number, texts: BanTexts): Change<Schemas['Ban']> {
  return { method: 'PUT', path: pathTo(id, '/ban'), body: { seconds, ...texts } };
}

export function liftBan(id: string, texts: BanTexts): Change {
  return { method: 'DELETE', path: pathTo(id, '/ban'), body: texts };
}
