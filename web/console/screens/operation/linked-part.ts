import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

const SETTLED_MS = 300;

/** Scrolls to the part of the screen that the URL names, once it is rendered. */
export function useLinkedPart(name: string, isLoaded: boolean) {
  const { part } = useSearch({ from: '/operations/$id' });
  const ref = useRef<HTMLDivElement>(null);
  const isAsked = part === name && isLoaded;
  useEffect(() => {
    // Runs after the router has scrolled to the top.
    const timer = isAsked ? setTimeout(() => ref.current?.scrollIntoView(), SETTLED_MS) : undefined;
    return () => clearTimeout(timer);
  }, [isAsked]);
  return ref;
}
