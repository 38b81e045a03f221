import { describeViolation } from '../../format/violation-words.ts';
import { BreakableCode } from './breakable-code.tsx';

interface Props {
  readonly rule: string;
  readonly path: string;
}

/** Says in words which rule a request broke. */
export function BrokenRule({ rule, path }: Props) {
  const { kind, place, words } = describeViolation(rule, path);
  return (
    <span title={`${rule} ${path}`.trimEnd()}>
      {kind}
      {kind !== '' && place !== '' && ' '}
      {place !== '' && (
        <code>
          <BreakableCode text={place} />
        </code>
      )}{' '}
      {words}
    </span>
  );
}
