import { type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { type Media, preferredMedia } from '../model/operation.ts';
import { type Choices, ChoicesContext } from './choices-context.tsx';

/** Connects the parts of an operation's page: a choice in the description also applies to the examples. */
export function SharedChoices({ children }: { readonly children: ReactNode }) {
  const [{ chosen, variants }, setChoices] = useState<Pick<Choices, 'chosen' | 'variants'>>({
    chosen: new Map(),
    variants: new Map(),
  });
  const choose = useCallback(
    (what: string, value: string) =>
      setChoices((all) =>
        all.chosen.get(what) === value ? all : { ...all, chosen: new Map(all.chosen).set(what, value) },
      ),
    [],
  );
  const chooseVariant = useCallback(
    (key: object, name: string) =>
      setChoices((all) => ({
        // The previously chosen example may belong to another variant.
        chosen: new Map([...all.chosen].filter(([what]) => !what.startsWith(EXAMPLE))),
        variants: new Map(all.variants).set(key, name),
      })),
    [],
  );
  const choices = useMemo(
    () => ({ chosen, choose, variants, chooseVariant }),
    [chosen, choose, variants, chooseVariant],
  );
  return <ChoicesContext value={choices}>{children}</ChoicesContext>;
}

type Choice = readonly [string, (value: string) => void];

function useChoice(what: string, first: string): Choice {
  const { chosen, choose } = useChoices();
  return [chosen.get(what) ?? first, useCallback((value: string) => choose(what, value), [what, choose])];
}

/** @param first the choice at the beginning */
export function useStatus(first: string): Choice {
  return useChoice('status', first);
}

/** @param at the place of the body on the page */
export function useMediaType(at: string, media: readonly Media[]): Choice {
  return useChoice(`type ${at}`, preferredMedia(media)?.type ?? '');
}

const EXAMPLE = 'example ';

/**
 * The name of the chosen example; empty until one is chosen.
 *
 * @param at the place of the body on the page
 */
export function useExample(at: string): Choice {
  return useChoice(EXAMPLE + at, '');
}

/** By `SchemaView.choices.key`. */
export function useVariants(): Choices['variants'] {
  return useChoices().variants;
}

function useChoices(): Choices {
  const choices = useContext(ChoicesContext);
  if (choices === null) throw new Error('SharedChoices is missing');
  return choices;
}
