import { Fragment } from 'react';

/** Code that may break after an underscore or before a slash, as text breaks after a hyphen. */
export function BreakableCode({ text }: { readonly text: string }) {
  return text.split(/(?<=_)|(?=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
