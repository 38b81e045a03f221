import { createContext } from 'react';

export interface Choices {
  /** The selected values by the name of the choice, such as `status`. */
  readonly chosen: ReadonlyMap<string, string>;
  readonly choose: (what: string, value: string) => void;
  /** The selected variants of `oneOf` and `anyOf`, by `SchemaView.choices.key`. */
  readonly variants: ReadonlyMap<object, string>;
  readonly chooseVariant: (key: object, name: string) => void;
}

/** The choices that the parts of a page share. Null on pages without examples. */
export const ChoicesContext = createContext<Choices | null>(null);
