import type { RequestObserver, RequestRecord } from '../../../data-plane/ports.ts';
import type { Recorder } from './recorder.ts';

/** Counts every request in the history, except for preflights and the gateway's own endpoints. */
export function createRecordHistory(recorder: Recorder): RequestObserver {
  return function recordHistory(record) {
    if (record.kind !== 'call') return;
    const { credential, operation } = record;
    recorder.record(
      credential === null ? null : credential.keyId,
      operation === null ? null : operation.id,
      record.outcome,
      statusClassOf(record.status),
      record.charged,
      isRefusedByQuota(record) ? record.cost : 0,
      record.durationMs,
    );
  };
}

/** First digit of the status. A service may answer with any number up to 999; what HTTP does not know is an error. */
function statusClassOf(status: number): number {
  return status < 600 ? Math.trunc(status / 100) : 5;
}

/** What would have been charged if the key had had more quota. */
function isRefusedByQuota({ outcome }: RequestRecord): boolean {
  return outcome === 'rate_limit_exceeded' || outcome === 'quota_exceeded' || outcome === 'key_banned';
}
