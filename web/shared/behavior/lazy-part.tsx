import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { type ComponentType, startTransition, useEffect, useState } from 'react';

/**
 * The error if a part of the page cannot be loaded, because the gateway is unavailable or has a newer version of the
 * page.
 */
export class PartNotLoaded extends Error {
  constructor(cause: unknown) {
    super('The gateway did not respond.', { cause });
  }
}

const parts = new Set<() => Promise<unknown>>();

/**
 * Makes a component that is loaded when it is first shown, such as a dialog. Once loaded, it is rendered in steps, so
 * that many parts that arrive together do not block the page.
 *
 * @param Meanwhile the component shown until then; nothing by default
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  const start = async () => (loaded ??= await loadPart(load));
  parts.add(start);
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => loaded);
    const [error, setError] = useState<unknown>(null);
    useEffect(() => {
      if (Part === undefined) start().then((part) => startTransition(() => setPart(() => part)), setError);
    }, [Part]);
    if (error !== null) throw error;
    const Shown = Part ?? Meanwhile;
    return Shown === undefined ? null : <Shown {...props} />;
  };
}

/**
 * Makes a screen that is loaded when it is first shown. If loading fails, it throws `PartNotLoaded`, because for the
 * browser's own error, the router would reload the page.
 */
export function lazyScreen<Module extends Record<Name, ComponentType>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
): AsyncRouteComponent<object> {
  const screen = lazyRouteComponent(
    () => loadPart(load) as Promise<Record<string, ComponentType>>,
    name,
  ) as AsyncRouteComponent<object>;
  parts.add(async () => screen.preload?.());
  return screen;
}

/** Adds data or code that some part needs to what `loadParts` loads in the background. */
export function loadLater(load: () => Promise<unknown>): void {
  parts.add(load);
}

/** Loads all parts that are not loaded yet, so that they work while the gateway is unavailable. Never rejects. */
export async function loadParts(): Promise<void> {
  // Loaded parts may add further parts, which the loop also reaches.
  for (const start of parts) {
    // oxlint-disable-next-line no-await-in-loop -- loads one after the other, so that what the user requests comes
    // first
    await start().catch(() => undefined);
  }
}

/** The delay before loading in the background. The first screen needs the network more, and is shown long before. */
const CALM_MS = 2000;

/** Loads in the background what other screens need, unless that is turned off. */
export function useLoadedParts(isWanted = true): void {
  useEffect(() => {
    if (!isWanted) return undefined;
    const timer = setTimeout(() => void loadParts(), CALM_MS);
    return () => clearTimeout(timer);
  }, [isWanted]);
}

async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    throw new PartNotLoaded(error);
  }
}
