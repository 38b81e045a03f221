import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

const SETTLED_MS = 300;

/** Scrolls to a part of the screen once it is loaded, if the URL names it (`part=callers`). */
export function useLinkedPart(name: string, isLoaded: boolean) {
  const { part } = useSearch({ from: '/operations/$id' });
  const ref = useRef<HTMLDivElement>(null);
  const isAsked = part === name && isLoaded;
  useEffect(() => {
    // Wait until the router has scrolled to the top, which would undo scrolling to the part.
    const timer = isAsked ? setTimeout(() => ref.current?.scrollIntoView(), SETTLED_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isAsked]);
  return ref;
}
