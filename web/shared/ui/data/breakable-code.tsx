import { Fragment } from 'react';

/** A long name that may break after an underscore, as text does after a hyphen, or a path, before a slash. */
export function BreakableCode({ text }: { readonly text: string }) {
  return text.split(/(?<=_)|(?=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
