import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

const SETTLED_MS = 300;

/** Scrolls to a part of the screen if the address asks for it, once it is there. */
export function useLinkedPart(name: string, isLoaded: boolean) {
  const { part } = useSearch({ from: '/operations/$id' });
  const ref = useRef<HTMLDivElement>(null);
  const isAsked = part === name && isLoaded;
  useEffect(() => {
    // After the router has scrolled to the top.
    const timer = isAsked ? setTimeout(() => ref.current?.scrollIntoView(), SETTLED_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isAsked]);
  return ref;
}
