import { Fragment } from 'react';

/** Shows code that may wrap after an underscore or before a slash, as other text wraps after a hyphen. */
export function BreakableCode({ text }: { readonly text: string }) {
  return text.split(/(?<=_)|(?=\/)/).map((part, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
