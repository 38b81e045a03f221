import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';

interface Choices {
  readonly chosen: ReadonlyMap<string, string>;
  readonly choose: (at: string, value: string) => void;
}

const ChoicesContext = createContext<Choices>({ chosen: new Map(), choose: () => {} });

/** The page of an operation: what is chosen in its description is chosen in its examples, too. */
export function SharedChoices({ children }: { readonly children: ReactNode }) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const choose = useCallback((at: string, value: string) => setChosen((all) => new Map(all).set(at, value)), []);
  const choices = useMemo(() => ({ chosen, choose }), [chosen, choose]);
  return <ChoicesContext value={choices}>{children}</ChoicesContext>;
}

/**
 * @param at what is chosen: a status at `answers`, or the media type of the body at a place
 * @param first until something is chosen
 */
export function useChoice(at: string, first: string): readonly [string, (value: string) => void] {
  const { chosen, choose } = useContext(ChoicesContext);
  return [chosen.get(at) ?? first, useCallback((value: string) => choose(at, value), [at, choose])];
}
