import { type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { type Media, preferredMedia } from '../model/operation.ts';
import { type Choices, ChoicesContext } from './choices-context.tsx';

/**
 * Shares choices between the parts of an operation's page, so that a choice in the description also applies to the
 * examples.
 */
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
        // Forget the selected examples, because they may belong to another variant.
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

/**
 * The selected status of the responses, and a function that selects another.
 *
 * @param first the status that is selected at first
 */
export function useStatus(first: string): Choice {
  return useChoice('status', first);
}

/**
 * The selected media type of a body, and a function that selects another.
 *
 * @param at the place of the body on the page
 */
export function useMediaType(at: string, media: readonly Media[]): Choice {
  return useChoice(`type ${at}`, preferredMedia(media)?.type ?? '');
}

const EXAMPLE = 'example ';

/**
 * The name of the selected example, and a function that selects another. Empty until the user selects one.
 *
 * @param at the place of the body on the page
 */
export function useExample(at: string): Choice {
  return useChoice(EXAMPLE + at, '');
}

/** The selected variants, by `SchemaView.choices.key`. */
export function useVariants(): Choices['variants'] {
  return useChoices().variants;
}

function useChoices(): Choices {
  const choices = useContext(ChoicesContext);
  if (choices === null) throw new Error('SharedChoices is missing');
  return choices;
}
