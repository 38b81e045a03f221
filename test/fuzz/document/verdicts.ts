import { expectThat } from '../finding.ts';
import type { Called } from '../subject/admin-call.ts';
import type { Done } from './checker.ts';

/** A module that cannot be used is found when it is run, which a check does not do. */
const OF_MODULE = /upstream [a-z0-9-]+: (?:module )?/;
const TRACE = /\n\s+at .*(?:\.ts|\.js|node:)/;
/** An error answer has no more details. */
const MAX_DETAILS = 20;

export function isOfModule(message: string | undefined): boolean {
  return message !== undefined && OF_MODULE.test(message);
}

/** @throws Finding if it did not come to its end in good order */
export function expectNoTrace(what: string, { failure, err = '' }: Done): void {
  expectThat(failure === undefined, `a ${what} fails: ${failure?.split('\n', 1)[0]?.slice(0, 120)}`, () =>
    String(failure),
  );
  expectThat(!TRACE.test(err), `a ${what} shows a stack trace`, () => err);
}

/** @throws Finding unless a check and a reload accept the same, and refuse it in the same words */
export function expectAgreement({ code, out = '', err = '' }: Done, { status, text }: Called): void {
  const told = () => `check: ${code} ${out.slice(-500)}${err.slice(0, 2000)}\nreload: ${status} ${text.slice(0, 2000)}`;
  expectThat(status === 200 || status === 422, `a reload is answered with ${status}`, told);
  const body = JSON.parse(text) as {
    code?: string;
    details?: { message: string }[];
    warnings?: string[];
  };
  if (status === 200) {
    expectThat(code === 0 && err === '', 'a check refuses what a reload accepts', told);
    const missing = body.warnings?.find(
      (warning) => !out.includes(`warning: ${warning}\n`) && !warning.startsWith('plan '),
    );
    expectThat(missing === undefined, 'a reload warns of something else than a check', told);
    return;
  }
  expectThat(body.code === 'configuration_invalid', `a reload is refused with ${body.code}`, told);
  const faults = (body.details ?? []).map(({ message }) => message);
  if (code === 0 && faults.length === 1 && isOfModule(faults[0])) return;
  expectThat(code === 1, 'a reload refuses what a check accepts', told);
  const lines = err.split('\n').filter((line) => line.startsWith('  '));
  const isSame = faults.every((fault, index) => lines[index] === `  ${fault}`);
  expectThat(
    isSame && faults.length === Math.min(lines.length, MAX_DETAILS),
    'other faults than those of a check',
    told,
  );
}
