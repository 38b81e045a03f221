import { createContext } from 'react';

export interface Choices {
  /** By what is chosen. */
  readonly chosen: ReadonlyMap<string, string>;
  readonly choose: (what: string, value: string) => void;
  /** Chosen variants of `oneOf` and `anyOf`, by `SchemaView.choices.key`. */
  readonly variants: ReadonlyMap<object, string>;
  readonly chooseVariant: (key: object, name: string) => void;
}

/** Pages without examples ignore the choices. */
export const ChoicesContext = createContext<Choices | null>(null);
